/**
 * What an open purchase order expects, and where. Pure: no I/O and no clock (contract 2, "Purchase order").
 */
import type { Micro } from '../decimal.ts'
import { type Book, positionOf } from '../stock/book.ts'
import { claim } from '../stock/posting-rules.ts'
import type { StoredLine, StoredOrder } from './orders/rules.ts'

/** Releases what a line expected, where it was put when the order was made. Nothing for a service. */
export function releaseExpected(
  book: Book,
  release: { readonly order: StoredOrder; readonly line: StoredLine; readonly quantity: Micro },
): void {
  const { order, line, quantity } = release
  if (!line.holdsStock) return
  const position = positionOf(book, { itemVariantId: line.itemVariantId, storagePlaceId: order.expectedPlaceId })
  // A release only lowers, so it cannot overflow.
  claim(book, { position, expected: -quantity })
}
