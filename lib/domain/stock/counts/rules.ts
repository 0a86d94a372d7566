/** Decides on stock counts: which of them may change, and what each entry of a body counts. Pure (docs/rules/stock.md, "Counts"). */
import { decideEach, invalid, isRefusal, noSuch, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { given } from '../../../kit/documents/command.ts'
import { openBatch } from '../batch-rules.ts'
import { dateWithoutBatch, namedBatch, nameOf, refuseTwoBatches, variantOf, wrongDate } from '../line-rules.ts'
import { onHandOf } from '../shortage-rules.ts'
import { type Batch, positionOf, type Stock, type Variant } from '../stock.ts'
import type { FindLine } from './lines.ts'
import { COUNT_LINES_MAX, type Count, type CountChange, type CountEntry, type CountLine, notEditable } from './noun.ts'

const words = { DONE: 'done', CANCELLED: 'cancelled' } as const

/** Refuses `stock_count_not_editable` for a count that is not open. */
export function refuseEnded({ number, status }: Pick<Count, 'number' | 'status'>, allowed = ''): Refusal | null {
  if (status === 'OPEN') return null
  return refuse(notEditable, `the stock count ${number} is ${words[status]}${allowed}`)
}

/** The fields of a count that may change in any status. */
const ALWAYS: ReadonlySet<string> = new Set(['notes', 'external_ref', 'metadata'] satisfies (keyof CountChange)[])

/** As `refuseEnded`, for a body with other fields than those that may change in any status. */
export const refuseChange = (count: Pick<Count, 'number' | 'status'>, body: CountChange): Refusal | null =>
  Object.keys(given(body)).every(name => ALWAYS.has(name))
    ? null
    : refuseEnded(count, ': only notes, external_ref and metadata change')

/** Checks the entries alone. Refuses `validation_failed`. */
export function refuseEntries(entries: readonly CountEntry[]): Refusal | null {
  const judged = decideEach(entries, (entry, index) => {
    const at = `items[${index}]`
    const twice = refuseTwoBatches(at, entry)
    if (twice) return twice
    if (entry.remove)
      return entry.counted_quantity === undefined
        ? dateWithoutBatch(at, entry)
        : invalid(`${at}.counted_quantity`, 'must not stand beside remove')
    return entry.counted_quantity === undefined ? invalid(`${at}.counted_quantity`, 'is required') : null
  })
  return isRefusal(judged) ? judged : null
}

/** What an entry of a body does: it counts a line, or removes it. */
export type Counted =
  | { readonly does: 'count'; readonly before: CountLine | null; readonly line: Omit<CountLine, 'id'> }
  | { readonly does: 'remove'; readonly before: CountLine }

type Counting = {
  readonly stock: Stock
  readonly count: Pick<Count, 'id' | 'storage_place_id'>
  readonly find: FindLine
  readonly stamp: Pick<CountLine, 'counted_at' | 'counted_by_user_name'>
}

/**
 * What the entries do, in their order. The expected quantity is the physical stock now, of the batch, else of the variant at the place.
 * Refuses `validation_failed` for an absent variant or batch, for a variant and batch that the body has twice, and for other dates than the
 * batch has.
 */
export function decideEntries(counting: Counting, entries: readonly CountEntry[]): readonly Counted[] | Refusal {
  const seen = new Set<string>()
  return decideEach(entries, (entry, index): Counted | Refusal => {
    const at = `items[${index}]`
    const decided = entry.remove ? removal(counting, entry, at) : counted(counting, entry, at)
    if (isRefusal(decided)) return decided
    const { item_variant_id, batch_id, sku, title, batch_number } =
      decided.does === 'count' ? decided.line : decided.before
    const key = `${item_variant_id} ${batch_id ?? ''}`
    if (seen.has(key)) {
      const batch = batch_number === null ? '' : ` (batch ${batch_number})`
      return invalid(`${at}.item_variant_id`, `${nameOf({ sku, title })}${batch} stands twice`)
    }
    seen.add(key)
    return decided
  })
}

function removal({ stock, find }: Counting, entry: CountEntry, at: string): Counted | Refusal {
  const variant = variantOf(stock, { at, itemVariantId: entry.item_variant_id })
  if (isRefusal(variant)) return variant
  const before = find(entry)
  return before === null ? noSuch(at, 'line of this count') : { does: 'remove', before }
}

function counted(counting: Counting, entry: CountEntry, at: string): Counted | Refusal {
  const { stock, count, find, stamp } = counting
  const variant = variantOf(stock, { at, itemVariantId: entry.item_variant_id })
  if (isRefusal(variant)) return variant
  const batch = countedBatch(stock, variant, { entry, at })
  if (isRefusal(batch)) return batch
  const position = positionOf(stock, { itemVariantId: variant.id, storagePlaceId: count.storage_place_id })
  const expected = onHandOf(position, batch && { number: batch.number, batch })
  const quantity = entry.counted_quantity ?? 0n
  return {
    does: 'count',
    before: find(entry),
    line: {
      stock_count_id: count.id,
      item_id: variant.itemId,
      item_variant_id: variant.id,
      sku: variant.sku,
      title: variant.title,
      batch_id: batch?.id ?? null,
      batch_number: batch?.number ?? null,
      expected_quantity: expected,
      counted_quantity: quantity,
      difference: quantity - expected,
      ...stamp,
    },
  }
}

/** The batch of an entry. An unknown number makes a batch. Null: without a batch. */
function countedBatch(
  stock: Stock,
  variant: Variant,
  { entry, at }: { readonly entry: CountEntry; readonly at: string },
): Batch | null | Refusal {
  const named = namedBatch(stock, variant, { at, line: entry })
  if (isRefusal(named)) return named
  if (named === null) {
    if (variant.batchTracked)
      return invalid(`${at}.counted_quantity`, `${nameOf(variant)} is batch-tracked: name the batch that was counted`)
    return dateWithoutBatch(at, entry)
  }
  if (named.batch !== undefined) return named.batch
  const dates = { manufactureDate: entry.manufacture_date, expiryDate: entry.expiry_date }
  const made = openBatch(stock, variant, { number: named.number, dates })
  return 'reason' in made ? wrongDate(at, made) : made
}

/** Refuses `validation_failed` for more lines than a count may have. */
export const refuseTooMany = (lines: number): Refusal | null =>
  lines > COUNT_LINES_MAX ? invalid('items', `a stock count has at most ${COUNT_LINES_MAX} lines`) : null
