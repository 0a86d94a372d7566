/**
 * The library that shows the reference, as one script for the browser. This plugin is the smallest package of the library's makers that
 * contains the script (`@scalar/api-reference` brings 270 other packages). The code asks the plugin for its only route.
 */
import { readFileSync } from 'node:fs'

type Reply = { header(name: string, value: string): Reply; send(body: string): void }
type Route = { readonly url: string; readonly handler: (request: unknown, reply: Reply) => void }

const PACKAGE = '@scalar/fastify-api-reference'
const manifest = readFileSync(new URL('../package.json', import.meta.resolve(PACKAGE)), 'utf8')
export const LIBRARY_VERSION: string = JSON.parse(manifest).version

/** Loaded at the first request of the page, since the library is larger than the rest of the process. */
export async function libraryScript(): Promise<Buffer> {
  const { default: plugin } = (await import(PACKAGE)) as {
    readonly default: (server: object, options: object, done: () => void) => void
  }
  const routes: Route[] = []
  const options = { routePrefix: '/docs', configuration: { url: '/openapi.json' } }
  plugin({ route: (route: Route) => routes.push(route) }, options, () => {})
  const { promise, resolve } = Promise.withResolvers<string>()
  const reply: Reply = { header: () => reply, send: resolve }
  routes.find(({ url }) => url.endsWith('.js'))?.handler({}, reply)
  return Buffer.from(await promise)
}
