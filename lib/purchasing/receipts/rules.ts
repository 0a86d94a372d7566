/**
 * Decides what a planned receipt does to the stock, posted into the command's book: batches, quarantine, cost. Pure: no I/O
 * and no clock (contract 2, "Purchase order", "Batches").
 */
import { type Amount, lineAmounts } from '../../accounting/money.ts'
import { invalid, isRefusal, noSuch, type Refusal } from '../../api/errors.ts'
import { type Cost, costAbroad } from '../../decimal.ts'
import { openBatch } from '../../stock/batch-rules.ts'
import { type Batch, type Book, type Cause, positionOf, type Variant } from '../../stock/book.ts'
import { nameOf, overflow } from '../../stock/line-rules.ts'
import { receive } from '../../stock/posting-rules.ts'
import { releaseExpected } from '../expected-rules.ts'
import type { StoredOrder } from '../orders/rules.ts'
import type { PlannedLine, ReceiptPlan } from './plan-rules.ts'

export type ReceivedLine = {
  readonly planned: PlannedLine
  readonly itemId: string
  readonly batch: Batch | null
  readonly amount: Amount
  /** What it added to the stock value; null for a service. */
  readonly stockValue: Cost | null
}

/** The place that a receipt names, as it is; null when the tenant has none such. */
export type ReceivingPlace = { readonly purchaseAllowed: boolean } | null

/** Refuses `validation_failed` for an absent place and for one with `purchase_allowed=false`. */
export function refusePlace(place: ReceivingPlace): Refusal | null {
  if (place === null) return noSuch('storage_place_id', 'storage place')
  return place.purchaseAllowed ? null : invalid('storage_place_id', 'the storage place does not allow purchases')
}

/**
 * The number under which an inflow of the line is kept when its variant is batch-tracked: the receipt's word, else the order
 * line's, else the receipt's own number.
 */
export const batchNumberOf = ({ item, orderLine }: PlannedLine, receiptNumber: string): string =>
  item.batch_number ?? orderLine.batchNumber ?? receiptNumber

/**
 * Posts the lines in their order, and releases what they had been expected. Stock comes in at quantity * price *
 * exchange rate, rounded once, to the 4 decimals of a cost.
 * Refuses `validation_failed`: batches where there are none, other dates than a known batch has, a stock beyond all bounds.
 */
export function decideReceipt(
  book: Book,
  receipt: {
    readonly order: StoredOrder
    readonly plan: ReceiptPlan
    readonly number: string
    readonly storagePlaceId: string
    readonly cause: Cause
  },
): readonly ReceivedLine[] | Refusal {
  const { order, plan, number, storagePlaceId, cause } = receipt
  const lines: ReceivedLine[] = []
  for (const planned of plan.lines) {
    const { orderLine, quantity, item, field } = planned
    const variant = book.variants.get(orderLine.itemVariantId)
    if (variant === undefined) throw new Error(`the variant ${orderLine.itemVariantId} of an order line is gone`)
    const batch = batchOf(book, { planned, variant, number })
    if (isRefusal(batch)) return batch
    const { currency } = order
    const { amount } = lineAmounts({ quantity, price: orderLine.price, taxRate: 0n, currency })
    let stockValue: Cost | null = null
    if (orderLine.holdsStock) {
      stockValue = costAbroad(quantity, orderLine.price, order.exchangeRate)
      const position = positionOf(book, { itemVariantId: variant.id, storagePlaceId })
      const inflow = { position, batch, quantity, value: stockValue, quarantine: item.quarantine }
      if ('fault' in receive(book, cause, inflow)) return overflow(field('quantity'))
      releaseExpected(book, { order, line: orderLine, quantity })
    }
    lines.push({ planned, itemId: variant.itemId, batch, amount, stockValue })
  }
  return lines
}

type BatchTask = { readonly planned: PlannedLine; readonly variant: Variant; readonly number: string }

function batchOf(book: Book, { planned, variant, number }: BatchTask): Batch | null | Refusal {
  const { item, orderLine, field } = planned
  if (!orderLine.holdsStock || !variant.batchTracked) return refuseBatchFields(planned, variant)
  // The order line's expiry is about its own goods: another batch number than the line's means other goods.
  const isOther =
    item.batch_number !== null && orderLine.batchNumber !== null && item.batch_number !== orderLine.batchNumber
  const batch = openBatch(book, variant, {
    number: batchNumberOf(planned, number),
    dates: {
      manufactureDate: item.manufacture_date,
      expiryDate: item.expiry_date ?? (isOther ? null : orderLine.expiryDate),
    },
  })
  return 'reason' in batch ? invalid(field(batch.field), batch.reason) : batch
}

/** What the order line says of batches is passed over in silence: the item was batch-tracked when it was ordered. */
function refuseBatchFields({ item, orderLine, field }: PlannedLine, variant: Variant): Refusal | null {
  const name = nameOf(variant)
  if (item.batch_number !== null) return invalid(field('batch_number'), `${name} is not batch-tracked`)
  if (item.manufacture_date !== null) return invalid(field('manufacture_date'), 'is only for a batch')
  if (item.expiry_date !== null) return invalid(field('expiry_date'), 'is only for a batch')
  if (item.quarantine && !orderLine.holdsStock)
    return invalid(field('quarantine'), `${name} is a service and holds no stock`)
  return null
}
