/** What is used of @koa/cors, which brings no types. */
declare module '@koa/cors' {
  export default function cors(options: {
    /** The origin that is answered, `''` for none; `*`: any. */
    origin: string | ((ctx: import('koa').Context) => string)
    allowMethods: readonly string[]
    exposeHeaders: readonly string[]
    /** Seconds for which a browser keeps what a preflight was told. */
    maxAge: number
  }): import('koa').Middleware
}
