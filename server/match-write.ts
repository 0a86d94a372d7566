/** Finds the endpoint of a bulk's entry as the routes find it for a request. */
import { API_PREFIX, type CommandEndpoint, type Endpoint, type Params } from '../lib/kit/api/endpoint.ts'
import { type Refusal, refuse } from '../lib/kit/api/errors.ts'
import { readParams } from '../lib/kit/api/path-params.ts'
import { noSuchPath } from './no-such-path.ts'
import { RouteTable } from './route-table.ts'

export type MatchWrite = (
  method: string,
  path: string,
) => { readonly endpoint: CommandEndpoint; readonly params: Params } | Refusal

export const methodNotAllowed = (method: string, allowed: string): Refusal =>
  refuse('method_not_allowed', `${method} is not allowed here; allowed: ${allowed}`, { Allow: allowed })

/** Refuses `not_found` for a path that no endpoint has, and `method_not_allowed` for a path without this method. */
export function matchWrites(endpoints: readonly Endpoint[]): MatchWrite {
  const table = new RouteTable<Endpoint>()
  const methods = [...new Set(endpoints.map(({ method }) => method))]
  // A bulk cannot contain bulks, nor writes that do not use the queue.
  const apart = new RouteTable<Endpoint>()
  for (const endpoint of endpoints)
    (endpoint.kind === 'bulk' || endpoint.kind === 'immediate' ? apart : table).add(endpoint, endpoint)
  return (method, path) => {
    const find = (by: string) => table.find(by, API_PREFIX + path)
    const known = methods.filter(each => find(each))
    const found = find(method) ?? find(known[0] ?? '')
    const params = found && readParams(found.params)
    if (!found || !params || apart.find(method, API_PREFIX + path)) return noSuchPath(API_PREFIX + path, endpoints)
    if (found.route.method === method && found.route.kind === 'command') return { endpoint: found.route, params }
    return methodNotAllowed(
      method,
      known
        .flatMap(each => (each === 'GET' ? ['GET', 'HEAD'] : [each]))
        .sort()
        .join(', '),
    )
  }
}
