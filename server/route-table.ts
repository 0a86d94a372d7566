/**
 * Finds a route by method and path with one look-up. @koa/router tries a pattern for every endpoint: 25 of the 125 us that a read costs the
 * web process. Ids are whole numbers, so every number in a path is an id. The router answers paths that are not found here.
 */
import { API_PREFIX, type Endpoint } from '../lib/kit/api/endpoint.ts'
import { REFERENCE } from '../lib/kit/api/path-params.ts'

export type Found<T> = { readonly params: Record<string, string>; readonly route: T }

export class RouteTable<T> {
  readonly #routes = new Map<string, { readonly names: readonly string[]; readonly route: T }>()
  /** Routes that end with a reference, by the path before it. */
  readonly #byReference = new Map<string, T>()

  add({ method, path }: Pick<Endpoint, 'method' | 'path'>, route: T): void {
    const end = `/{${REFERENCE}}`
    if (path.endsWith(end)) {
      this.#byReference.set(`${method} ${API_PREFIX}${path.slice(0, -end.length)}`, route)
      return
    }
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    this.#routes.set(`${method} ${API_PREFIX}${path.replaceAll(/\{\w+\}/g, '#')}`, { names, route })
  }

  find(method: string, path: string): Found<T> | undefined {
    const at = path.lastIndexOf('/')
    const route = this.#byReference.get(`${method} ${path.slice(0, at)}`)
    if (route !== undefined) return { route, params: { [REFERENCE]: decoded(path.slice(at + 1)) } }
    const ids: string[] = []
    const template = path.replaceAll(/(?<=\/)-?\d+(?=\/|$)/g, id => {
      ids.push(id)
      return '#'
    })
    const found = this.#routes.get(`${method} ${template}`)
    // Other numbers in a path are not ids.
    if (found === undefined || found.names.length !== ids.length) return undefined
    return { route: found.route, params: Object.fromEntries(found.names.map((name, at) => [name, ids[at] ?? ''])) }
  }
}

/** The text of a segment. If its encoding is broken the text is empty, which names nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}
