/**
 * THE list's entries: documents with the endpoints that read and write them. Some entries are made of what the others say: the kinds of
 * movements, of their sources, and of events.
 */
import type { Endpoint } from '../api/endpoint.ts'
import type { AnyDocument } from './document.ts'
import { type Booked, bookedBy } from './postings.ts'

export type Resource = { readonly documents: readonly AnyDocument[]; readonly endpoints: readonly Endpoint[] }

/** What the entries say that need nothing of others. */
export type Others = { readonly booked: Booked; readonly endpoints: readonly Endpoint[] }

export type Listed = Resource | ((others: Others) => Resource)

/** @param documents those that reconcile and the tests are to know */
export const resource = (documents: readonly AnyDocument[], endpoints: readonly Endpoint[]): Resource => ({
  documents,
  endpoints,
})

/** All of a list, in its order. */
export function collected(list: readonly Listed[]): Resource {
  const known = together(list.filter(entry => typeof entry !== 'function'))
  const others = { booked: bookedBy(known.documents), endpoints: known.endpoints }
  return together(list.map(entry => (typeof entry === 'function' ? entry(others) : entry)))
}

const together = (all: readonly Resource[]): Resource =>
  resource(
    all.flatMap(({ documents }) => documents),
    all.flatMap(({ endpoints }) => endpoints),
  )
