/** Batches: their dates, and the batch for an inflow, which is found or made. Pure: no I/O and no clock. */
import { daysAfter } from '../../kit/days.ts'
import { NextUnit } from '../../kit/documents/next-unit.ts'
import { type Batch, batchByNumber, type Stock, type Variant } from './stock.ts'

/** The dates that a caller sends with a batch; null if it sends none. */
export type BatchDates = { readonly manufactureDate: string | null; readonly expiryDate: string | null }

/** Which date is wrong, and why, in words for the caller. */
export type DateFault = { readonly field: 'manufacture_date' | 'expiry_date'; readonly reason: string }

/** A batch keeps its dates. Another date is a fault; no date is none. */
export function dateFault(batch: Batch, dates: BatchDates): DateFault | null {
  const other = (given: string | null, kept: string | null) => given !== null && given !== kept
  const words = (kept: string | null) => `the batch ${batch.number} has ${kept ?? 'none'}`
  if (other(dates.manufactureDate, batch.manufactureDate))
    return { field: 'manufacture_date', reason: words(batch.manufactureDate) }
  if (other(dates.expiryDate, batch.expiryDate)) return { field: 'expiry_date', reason: words(batch.expiryDate) }
  return null
}

/**
 * The batch with this number for an inflow: the existing one if its dates fit, else a new one. The default expiry is the manufacture date
 * plus the item's shelf life. Takes a new id for a new batch.
 */
export function openBatch(
  stock: Stock,
  variant: Variant,
  { number, dates }: { readonly number: string; readonly dates: BatchDates },
): Batch | DateFault {
  const known = batchByNumber(stock, variant.id, number)
  if (known !== undefined) return dateFault(known, dates) ?? known
  let { expiryDate } = dates
  if (expiryDate === null && dates.manufactureDate !== null && variant.shelfLifeDays !== null) {
    expiryDate = daysAfter(dates.manufactureDate, variant.shelfLifeDays)
    if (expiryDate === null)
      return { field: 'manufacture_date', reason: 'with the shelf life it goes beyond the year 9999' }
  }
  if (!stock.isKnownNumber(variant.id, number)) throw new NextUnit(`the batch ${number} was not asked for`)
  const id = stock.takeId()
  const batch: Batch = { id, itemVariantId: variant.id, number, manufactureDate: dates.manufactureDate, expiryDate }
  stock.batches.set(id, batch)
  stock.newBatches.push(batch)
  stock.undo(() => {
    stock.batches.delete(id)
    stock.newBatches.pop()
  })
  return batch
}
