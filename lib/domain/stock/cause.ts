/** Why stock moves, as documents of the other areas say it. */
import { type Posting, sourceTypeOf } from '../../kit/documents/postings.ts'
import type { Cause } from './stock.ts'

/** @param kind one of those that the noun says it books */
export const causeOf = <D extends Posting>(
  of: D,
  kind: keyof D['posts']['kinds'] & string,
  { id, date }: { readonly id: string; readonly date: string },
): Cause => ({ kind, sourceType: sourceTypeOf(of), sourceId: id, documentDate: date })
