/**
 * The entries of the list of resources: documents with the endpoints that read and write them. Some entries are made from others: the kinds
 * of movements, of their sources, of documents with numbers, and of events.
 */
import type { Endpoint } from '../api/endpoint.ts'
import type { AnyDocument } from './document.ts'
import type { DemoStep, EventExamples } from './examples.ts'
import { type Booked, bookedBy } from './postings.ts'

/** What a noun declares beside its endpoints. */
type Said = {
  /** Calls that cause its events. */
  readonly examples: EventExamples
  readonly demo: readonly DemoStep[]
}

export type Resource = Said & { readonly documents: readonly AnyDocument[]; readonly endpoints: readonly Endpoint[] }

/** The declarations of the entries that need no others. */
export type Others = {
  readonly documents: readonly AnyDocument[]
  readonly booked: Booked
  readonly endpoints: readonly Endpoint[]
}

export type Listed = Resource | ((others: Others) => Resource)

/** @param documents the documents that reconcile and the tests know */
export const resource = (
  documents: readonly AnyDocument[],
  endpoints: readonly Endpoint[],
  { examples = {}, demo = [] }: Partial<Said> = {},
): Resource => ({ documents, endpoints, examples, demo })

/** All of a list, in its order. */
export function collected(list: readonly Listed[]): Resource {
  const known = together(list.filter(entry => typeof entry !== 'function'))
  const others = { documents: known.documents, booked: bookedBy(known.documents), endpoints: known.endpoints }
  return together(list.map(entry => (typeof entry === 'function' ? entry(others) : entry)))
}

const together = (all: readonly Resource[]): Resource =>
  resource(
    all.flatMap(({ documents }) => documents),
    all.flatMap(({ endpoints }) => endpoints),
    {
      examples: Object.assign({}, ...all.map(({ examples }) => examples)),
      demo: all.flatMap(({ demo }) => demo),
    },
  )
