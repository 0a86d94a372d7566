/**
 * Finds a route by method and path with one look-up. @koa/router tries a pattern for every endpoint: 25 of the 125 us that a read costs the
 * web process. Ids are whole numbers, so every number in a path is an id. The router answers paths that are not found here.
 */
import { API_PREFIX, type Endpoint } from '../lib/kit/api/endpoint.ts'

export type Found<T> = { readonly params: Record<string, string>; readonly route: T }

export class RouteTable<T> {
  readonly #routes = new Map<string, { readonly names: readonly string[]; readonly route: T }>()

  add({ method, path }: Pick<Endpoint, 'method' | 'path'>, route: T): void {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    this.#routes.set(`${method} ${API_PREFIX}${path.replaceAll(/\{\w+\}/g, '#')}`, { names, route })
  }

  find(method: string, path: string): Found<T> | undefined {
    const ids: string[] = []
    const template = path.replaceAll(/(?<=\/)-?\d+(?=\/|$)/g, id => {
      ids.push(id)
      return '#'
    })
    const found = this.#routes.get(`${method} ${template}`)
    // Other numbers of a path must not pass for an id.
    if (found === undefined || found.names.length !== ids.length) return undefined
    return { route: found.route, params: Object.fromEntries(found.names.map((name, at) => [name, ids[at] ?? ''])) }
  }
}
