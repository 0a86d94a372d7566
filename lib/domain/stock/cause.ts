/** Why stock moves: the document of another area that moves it. */
import { type Posting, sourceTypeOf } from '../../kit/documents/postings.ts'
import type { Cause } from './stock.ts'

/** @param kind a kind of movement that the noun declares */
export const causeOf = <D extends Posting>(
  of: D,
  kind: keyof D['posts']['kinds'] & string,
  { id, date }: { readonly id: string; readonly date: string },
): Cause => ({ kind, sourceType: sourceTypeOf(of), sourceId: id, documentDate: date })
