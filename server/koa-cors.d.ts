/** The part of @koa/cors that is used; the package has no types. */
declare module '@koa/cors' {
  export default function cors(options: {
    /** The allowed origin. `''`: none, `*`: any. */
    origin: string | ((ctx: import('koa').Context) => string)
    allowMethods: readonly string[]
    exposeHeaders: readonly string[]
    /** Seconds for which a browser caches the answer to a preflight. */
    maxAge: number
  }): import('koa').Middleware
}
