/** What nouns book in the ledger: the kinds of movements and of their sources. */
import type { Choices } from '../api/fields.ts'
import type { Document } from './document.ts'
import type { Postings } from './noun.ts'

/** A noun with bookings. */
export type Posting = Pick<Document, 'kind'> & { readonly posts: Postings }

/** `SALES_SHIPMENT` */
export const sourceTypeOf = ({ kind }: Pick<Document, 'kind'>): string => kind.toUpperCase()

const isPosting = (of: object): of is Posting => 'posts' in of && of.posts !== undefined

/** The kinds of movements, the types of their sources, and the types that traces of batches show, each with a description. */
export type Booked = { readonly kinds: Choices; readonly sources: Choices; readonly traced: Choices }

export function bookedBy(documents: readonly object[]): Booked {
  const all = documents.filter(isPosting)
  const sourcesOf = (of: readonly Posting[]) => Object.fromEntries(of.map(each => [sourceTypeOf(each), each.posts.as]))
  return {
    kinds: Object.assign({}, ...all.map(({ posts }) => posts.kinds)),
    sources: sourcesOf(all),
    traced: sourcesOf(all.filter(({ posts }) => !posts.isUntraced)),
  }
}
