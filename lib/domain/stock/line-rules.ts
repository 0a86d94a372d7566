/**
 * What lines of adjustments, counts and transfers share: they find their variant and batch, and word refusals. Pure: no I/O and no clock.
 */

import { invalid, isRefusal, noSuch, type Refusal, refuse } from '../../kit/api/errors.ts'
import { refuseWithoutStock } from '../catalogue/kits/without-stock.ts'
import { noSuchVariant } from '../catalogue/no-such-variant.ts'
import { type BatchDates, type DateFault, dateFault } from './batch-rules.ts'
import { type Batch, batchByNumber, type Stock, type Variant } from './stock.ts'

/** The batch of a line: by id, or by a number that may be new; null if the line has none. */
export type Named = { readonly number: string; readonly batch: Batch | undefined } | null

/** The name of a variant in messages. */
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

/** The batch that a line names by id. Refuses `validation_failed` when the variant has no batch with this id. */
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

/** The batch fields in a line of an adjustment or of a count. */
export type BatchLine = {
  readonly batch_id: string | null
  readonly batch_number: string | null
  readonly manufacture_date: string | null
  readonly expiry_date: string | null
}

/** Refuses `validation_failed` for a line with both a batch id and a batch number. Checks the body alone. */
export const refuseTwoBatches = (at: string, { batch_id: id, batch_number: number }: BatchLine): Refusal | null =>
  id !== null && number !== null ? invalid(`${at}.batch_number`, 'give only one of batch_id and batch_number') : null

/**
 * The batch of a line, whose number may be new. Refuses `validation_failed` for a batch that the variant does not have, a number for an
 * untracked variant, and other dates than the batch has.
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

/** Dates describe a batch. On a line without a batch they would be lost without notice. */
export function dateWithoutBatch(at: string, line: BatchLine): Refusal | null {
  if (line.manufacture_date !== null) return invalid(`${at}.manufacture_date`, 'is only for a batch')
  if (line.expiry_date !== null) return invalid(`${at}.expiry_date`, 'is only for a batch')
  return null
}

/**
 * Refuses a posting that would pass the limit of quantities or values. The service makes the name, so it is never quoted: a completed count
 * uses `line 17`.
 */
export function overflow(name: string): Refusal {
  return refuse('validation_failed', `${name}: the stock would reach 1000000000, or its value more than can be kept`)
}
