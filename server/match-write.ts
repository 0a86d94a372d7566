/** Which write an entry of a bulk names: as the router finds it for a request, but by one look-up, since there are hundreds at once. */
import type { CommandEndpoint, Endpoint, Params } from '../lib/api/endpoint.ts'
import { type Refusal, refuse } from '../lib/api/errors.ts'
import { readInt64 } from '../lib/api/field-readers.ts'

export type MatchWrite = (
  method: string,
  path: string,
) => { readonly endpoint: CommandEndpoint; readonly params: Params } | Refusal

export const noSuchPath = refuse('not_found', 'no such path')

export const methodNotAllowed = (method: string, allowed: string): Refusal =>
  refuse('method_not_allowed', `${method} is not allowed here; allowed: ${allowed}`, { Allow: allowed })

/** Refuses `not_found` for a path that is none of the list's, and `method_not_allowed` for one that has not this method. */
export function matchWrites(endpoints: readonly Endpoint[]): MatchWrite {
  const byPath = Map.groupBy(endpoints, ({ path }) => path.replaceAll(/\{\w+\}/g, '{}'))
  return (method, path) => {
    const segments = path.split('/')
    const isId = segments.map(segment => readInt64(segment) !== undefined)
    const found = byPath.get(segments.map((segment, at) => (isId[at] ? '{}' : segment)).join('/'))
    // A bulk in a bulk is no write of this kind.
    if (!found || found.some(({ kind }) => kind === 'bulk')) return noSuchPath
    const endpoint = found.find(each => each.method === method)
    if (endpoint?.kind === 'command') return { endpoint, params: paramsOf(endpoint.path, segments) }
    return methodNotAllowed(method, methodsOf(found))
  }
}

const paramsOf = (path: string, segments: readonly string[]): Params =>
  Object.fromEntries(
    path
      .split('/')
      .flatMap((segment, at) => (segment.startsWith('{') ? [[segment.slice(1, -1), segments[at] ?? '']] : [])),
  )

/** As in `Allow`. */
const methodsOf = (endpoints: readonly Endpoint[]): string =>
  [...new Set(endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort().join(', ')
