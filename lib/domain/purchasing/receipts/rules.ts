/** Decides how a planned receipt changes the stock: batches, quarantine, cost. Pure: no I/O and no clock. */

import { decideEach, invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { type Cost, costAbroad, type ExchangeRate } from '../../../platform/decimal.ts'
import { lineAmounts } from '../../accounting/amounts-rules.ts'
import { openBatch } from '../../stock/batch-rules.ts'
import { nameOf, overflow } from '../../stock/line-rules.ts'
import { receive } from '../../stock/posting-rules.ts'
import { type Batch, type Cause, positionOf, type Stock, type Variant } from '../../stock/stock.ts'
import { releaseExpected } from '../expected-rules.ts'
import type { Order } from '../orders/noun.ts'
import { pricedGoods, purchaseUnits } from '../unit-rules.ts'
import type { ReceiptLine } from './noun.ts'
import type { PlannedLine, ReceiptPlan } from './plan-rules.ts'

/** The batch number of a tracked line: the number in the receipt's body, else that of the order line, else the number of the receipt. */
export const batchNumberOf = ({ item, orderLine }: PlannedLine, receiptNumber: string): string =>
  item.batch_number ?? orderLine.batch_number ?? receiptNumber

/**
 * Posts the lines in their order, and releases their expected quantities. Stock comes in at quantity * discounted price * exchange rate,
 * rounded once to the 4 decimals of a cost. Refuses `validation_failed` for batches of untracked variants, other dates than an existing
 * batch has, and a stock beyond the limit.
 */
export function decideReceipt(
  stock: Stock,
  receipt: {
    readonly order: Order
    readonly plan: ReceiptPlan
    readonly number: string
    readonly storagePlaceId: string
    readonly cause: Cause
    /** The exchange rate for the value of the goods. */
    readonly exchangeRate: ExchangeRate
  },
): readonly ReceiptLine[] | Refusal {
  const { order, plan, number, storagePlaceId, cause, exchangeRate } = receipt
  return decideEach(plan.lines, planned => {
    const { orderLine, quantity, exact, item, field, sent } = planned
    const variant = stock.variants.get(orderLine.item_variant_id)
    if (variant === undefined) throw new Error(`the variant ${orderLine.item_variant_id} of an order line is gone`)
    const batch = batchOf(stock, { planned, variant, number })
    if (isRefusal(batch)) return batch
    const { currency } = order
    const { price, conversion_rate, purchase_price, discount_percent: discount, tax_rate: taxRate } = orderLine
    const goods = pricedGoods(orderLine, exact)
    const { amount, taxAmount } = lineAmounts({ ...goods, discount, taxRate, currency })
    let stockValue: Cost | null = null
    if (orderLine.holds_stock) {
      stockValue = costAbroad({ ...goods, discount, exchangeRate })
      const position = positionOf(stock, { itemVariantId: variant.id, storagePlaceId })
      const inflow = { position, batch, quantity, value: stockValue, quarantine: item.quarantine }
      if ('fault' in receive(stock, cause, inflow)) return overflow(field(sent))
      releaseExpected(stock, { order, line: orderLine, quantity })
    }
    return {
      id: stock.takeId(),
      purchase_order_item_id: orderLine.id,
      item_id: variant.itemId,
      item_variant_id: variant.id,
      sku: orderLine.sku,
      title: orderLine.title,
      quantity,
      purchase_quantity: purchase_price === null ? null : purchaseUnits(exact, conversion_rate),
      purchase_unit_name: orderLine.purchase_unit_name,
      conversion_rate,
      exact_quantity: exact,
      batch_id: batch?.id ?? null,
      batch_number: batch?.number ?? null,
      manufacture_date: batch?.manufactureDate ?? null,
      expiry_date: batch?.expiryDate ?? null,
      price,
      purchase_price,
      discount_percent: discount,
      line_amount: amount,
      line_tax_amount: taxAmount,
      quarantine: item.quarantine,
      order_id: order.id,
      stock_value: stockValue,
    }
  })
}

type BatchTask = { readonly planned: PlannedLine; readonly variant: Variant; readonly number: string }

function batchOf(stock: Stock, { planned, variant, number }: BatchTask): Batch | null | Refusal {
  const { item, orderLine, field } = planned
  if (!orderLine.holds_stock || !variant.batchTracked) return refuseBatchFields(planned, variant)
  // The expiry of the order line belongs to the goods of its own batch number. Another number in the receipt means other goods.
  const isOther =
    item.batch_number !== null && orderLine.batch_number !== null && item.batch_number !== orderLine.batch_number
  const batch = openBatch(stock, variant, {
    number: batchNumberOf(planned, number),
    dates: {
      manufactureDate: item.manufacture_date,
      expiryDate: item.expiry_date ?? (isOther ? null : orderLine.expiry_date),
    },
  })
  return 'reason' in batch ? invalid(field(batch.field), batch.reason) : batch
}

/** Batch fields of the order line are ignored without a refusal: the item was batch-tracked when it was ordered. */
function refuseBatchFields({ item, orderLine, field }: PlannedLine, variant: Variant): Refusal | null {
  const name = nameOf(variant)
  if (item.batch_number !== null) return invalid(field('batch_number'), `${name} is not batch-tracked`)
  if (item.manufacture_date !== null) return invalid(field('manufacture_date'), 'is only for a batch')
  if (item.expiry_date !== null) return invalid(field('expiry_date'), 'is only for a batch')
  if (item.quarantine && !orderLine.holds_stock)
    return invalid(field('quarantine'), `${name} is a service and holds no stock`)
  return null
}
