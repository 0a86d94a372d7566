/** Endpoints of THE list, by their ids. */
import type { Endpoint } from '../../lib/kit/api/endpoint.ts'
import { endpoints } from '../../lib/nouns.ts'

/** @throws where there is none */
export function endpointOf(id: string): Endpoint {
  const found = endpoints.find(endpoint => endpoint.id === id)
  if (found === undefined) throw new Error(`no endpoint is called ${id}`)
  return found
}
