/**
 * Which pieces of an order line a line of a return takes: from which batches, or without a batch. Pure (docs/rules/sales.md, "Returns").
 */
import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import { formatMicro, type Micro } from '../../../platform/decimal.ts'
import type { Held } from '../../accounting/refund-rules.ts'
import { nameOf } from '../../stock/line-rules.ts'
import type { Batch } from '../../stock/stock.ts'
import type { Line } from '../orders/noun.ts'
import { lesser } from '../orders/quantity-rules.ts'
import type { NewReturnItem, ReturnLine } from './noun.ts'
import type { Part, PartsLeft } from './returnable.ts'

/** An order line, what other returns and earlier entries have of it, and what is left of each part. Each entry lowers what is left. */
export type Returned = {
  readonly line: Line
  held: Held
  readonly parts: readonly { readonly part: Part; left: Micro }[]
  /** What is left of the components of a kit. */
  readonly components: PartsLeft
}

/** `part` is null if no goods come in. */
export type Piece = { readonly part: Part | null; readonly quantity: Micro }

type Entry = { readonly at: string; readonly item: NewReturnItem; readonly batch: Batch | null }

/** Whether the goods of an entry or line come in when the return is received. */
export const comesIn = ({ quantity, restock }: Pick<ReturnLine, 'quantity' | 'restock'>): boolean =>
  restock && quantity > 0n

/** Refuses `validation_failed` for fields of an entry that exclude each other. */
export function refuseEntry(at: string, item: NewReturnItem): Refusal | null {
  const { quantity, amount } = item
  if (quantity > 0n && amount !== null) return invalid(`${at}.amount`, 'goes with quantity 0: give unit_price')
  if (quantity === 0n && amount === null) return invalid(`${at}.amount`, 'is required with quantity 0')
  if (quantity === 0n && item.unit_price !== undefined)
    return invalid(`${at}.unit_price`, 'does not go with quantity 0: give amount')
  if (comesIn(item)) return null
  const named = (['batch_id', 'storage_place_id'] as const).find(field => item[field] != null)
  return named === undefined ? null : invalid(`${at}.${named}`, 'does not go with a line of which no goods come in')
}

/**
 * The pieces of an entry: from the batch that it names, else from the parts, the last one first. Refuses `validation_failed` for more than
 * is shipped and not returned, and for a batch that did not leave for the line.
 */
export function takePieces(returned: Returned, { at, item, batch }: Entry): readonly Piece[] | Refusal {
  const { line, held, parts } = returned
  const { quantity } = item
  const from = batch === null ? parts : parts.filter(({ part }) => part.batchId === batch.id)
  if (batch !== null && from.length === 0)
    return invalid(`${at}.batch_id`, `the batch ${batch.number} of ${nameOf(line)} did not leave for this line`)
  const rest = line.shipped_quantity - held.quantity
  const most = comesIn(item) ? lesser(sum(from.map(({ left }) => left)), rest) : rest
  if (quantity > most) {
    const name = batch === null ? nameOf(line) : `${nameOf(line)} (batch ${batch.number})`
    return invalid(`${at}.quantity`, `at most ${formatMicro(most)} of ${name} are shipped and not returned`)
  }
  if (!comesIn(item)) return [{ part: null, quantity }]
  const pieces = []
  let wanted = quantity
  for (const next of from) {
    const taken = lesser(next.left, wanted)
    if (taken === 0n) continue
    next.left -= taken
    wanted -= taken
    pieces.push({ part: next.part, quantity: taken })
  }
  return pieces
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
