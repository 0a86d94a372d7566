/**
 * What the lines of adjustments, counts and transfers share: finding the variant and the batch that a line names, and wording its
 * refusals. Pure: no I/O and no clock.
 */

import { invalid, isRefusal, noSuch, type Refusal, refuse } from '../../kit/api/errors.ts'
import { refuseWithoutStock } from '../catalogue/kits/without-stock.ts'
import { noSuchVariant } from '../catalogue/no-such-variant.ts'
import { type BatchDates, type DateFault, dateFault } from './batch-rules.ts'
import { type Batch, batchByNumber, type Stock, type Variant } from './stock.ts'

/** The batch that a line names: by id, or by a number that may be new; null when it names none. */
export type Named = { readonly number: string; readonly batch: Batch | undefined } | null

/** How a variant is called in messages. */
export const nameOf = (variant: Pick<Variant, 'sku' | 'title'>): string => variant.sku ?? variant.title

/** The variant of a line, archived or not. Refuses `validation_failed` for an absent one, and as `refuseWithoutStock` does. */
export function variantOf(
  stock: Stock,
  line: { readonly at: string; readonly itemVariantId: string },
): Variant | Refusal {
  const variant = stock.variants.get(line.itemVariantId)
  if (variant === undefined) return noSuchVariant(`${line.at}.item_variant_id`, line.itemVariantId)
  return refuseWithoutStock(`${line.at}.item_variant_id`, variant.itemType, nameOf(variant)) ?? variant
}

/** The batch that a line names by id. Refuses `validation_failed` when the variant has none of this id. */
export function batchById(
  stock: Stock,
  variant: Variant,
  line: { readonly at: string; readonly batchId: string },
): Batch | Refusal {
  const batch = stock.batches.get(line.batchId)
  return batch !== undefined && batch.itemVariantId === variant.id
    ? batch
    : noSuch(`${line.at}.batch_id`, `batch of ${nameOf(variant)}`)
}

/** How a line of an adjustment or of a count speaks of a batch. */
export type BatchLine = {
  readonly batch_id: string | null
  readonly batch_number: string | null
  readonly manufacture_date: string | null
  readonly expiry_date: string | null
}

/** Refuses `validation_failed` for a line that names a batch twice: what can be judged of it by itself. */
export const refuseTwoBatches = (at: string, { batch_id: id, batch_number: number }: BatchLine): Refusal | null =>
  id !== null && number !== null ? invalid(`${at}.batch_number`, 'give only one of batch_id and batch_number') : null

/**
 * The batch that a line names, whose number may be new.
 * Refuses `validation_failed` for a batch that the variant does not have, a number where it is not batch-tracked, and other dates than the
 * batch has.
 */
export function namedBatch(
  stock: Stock,
  variant: Variant,
  { at, line }: { readonly at: string; readonly line: BatchLine },
): Named | Refusal {
  const { batch_id: batchId, batch_number: number } = line
  if (number !== null) {
    if (!variant.batchTracked) return invalid(`${at}.batch_number`, `${nameOf(variant)} is not batch-tracked`)
    const batch = batchByNumber(stock, variant.id, number)
    return withDates({ number, batch }, { at, line })
  }
  if (batchId === null) return null
  const batch = batchById(stock, variant, { at, batchId })
  return isRefusal(batch) ? batch : withDates({ number: batch.number, batch }, { at, line })
}

function withDates(
  named: NonNullable<Named>,
  { at, line }: { readonly at: string; readonly line: BatchLine },
): Named | Refusal {
  const fault = named.batch === undefined ? null : dateFault(named.batch, datesOf(line))
  return fault === null ? named : wrongDate(at, fault)
}

export const datesOf = (line: BatchLine): BatchDates => ({
  manufactureDate: line.manufacture_date,
  expiryDate: line.expiry_date,
})

export const wrongDate = (at: string, { field, reason }: DateFault): Refusal => invalid(`${at}.${field}`, reason)

/** Dates describe a batch; where the line makes or names none they would be lost unseen. */
export function dateWithoutBatch(at: string, line: BatchLine): Refusal | null {
  if (line.manufacture_date !== null) return invalid(`${at}.manufacture_date`, 'is only for a batch')
  if (line.expiry_date !== null) return invalid(`${at}.expiry_date`, 'is only for a batch')
  return null
}

/**
 * For a posting that would leave the bounds of quantities or values. The name comes from the service, so it is never quoted: a completed
 * count names `line 17`.
 */
export function overflow(name: string): Refusal {
  return refuse('validation_failed', `${name}: the stock would reach 1000000000, or its value more than can be kept`)
}
