/**
 * Decides on sales returns: their moves, what may come back of an order, and the stock that does. Pure
 * (docs/rules/sales.md).
 */

import { decideEach, invalid, isRefusal, noSuch, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { divideRounded, each, formatMicro, type Micro } from '../../../platform/decimal.ts'
import { type Amount, discountedPrice, lineAmounts } from '../../accounting/money.ts'
import type { Place } from '../../places/noun.ts'
import { refuseArchived, refusePlace } from '../../places/rules.ts'
import { openBatch } from '../../stock/batch-rules.ts'
import { nameOf, overflow } from '../../stock/line-rules.ts'
import { receive } from '../../stock/posting-rules.ts'
import { type Batch, type Cause, positionOf, type Stock, type Where } from '../../stock/stock.ts'
import type { Order } from '../orders/noun.ts'
import type { NewReturn, NewReturnItem, Return, ReturnLine, ReturnStatus } from './noun.ts'
import type { Returnable } from './returnable.ts'

/** Where a return may go from each status. */
const moves: Readonly<Record<ReturnStatus, readonly ReturnStatus[]>> = {
  NOT_RETURNED: ['RETURNED', 'CANCELLED'],
  RETURNED: [],
  CANCELLED: [],
}

/** Refuses `sales_return_not_editable` for a move that the table lacks. */
export function refuseMove(
  from: { readonly number: string; readonly status: ReturnStatus },
  to: ReturnStatus,
): Refusal | null {
  if (moves[from.status].includes(to)) return null
  return refuse(
    'sales_return_not_editable',
    `The sales return ${from.number} is ${from.status}: it cannot become ${to}`,
  )
}

/** What a new return meets. */
type ReturnFacts = {
  readonly order: Order | null
  readonly mainPlace: Place | null
  /** The places that the body names, as far as they are there. */
  readonly places: ReadonlyMap<string, Place>
  readonly returnable: ReadonlyMap<string, Returnable>
  readonly stock: Stock
}

/** What is decided of a new return; its head is the command's. */
type ReturnPlan = Pick<Return, 'storage_place_id' | 'refund_amount' | 'items'> & { readonly order: Order }

/**
 * The new return's lines with their defaults. Refuses `validation_failed` for an absent order, line, place or batch, an archived place, and for
 * more than is shipped of a line less what other returns hold.
 */
export function decideReturn(facts: ReturnFacts, body: NewReturn): ReturnPlan | Refusal {
  const { order, mainPlace } = facts
  if (order === null) return noSuch('sales_order_id', 'sales order')
  const refused = refuseNamed(facts, 'storage_place_id', body.storage_place_id)
  if (refused) return refused
  const asked = new Map<string, Micro>()
  const decided = decideEach(body.items, (item, index) =>
    decideLine(facts, { order, at: `items[${index}]`, item, asked, givenPlace: body.storage_place_id }),
  )
  if (isRefusal(decided)) return decided
  const items = decided.map(({ line }) => line)
  const refundAmount: Amount = decided.reduce((sum, { refund }) => sum + refund, 0n)
  const storagePlaceId = body.storage_place_id === undefined ? (mainPlace?.id ?? null) : body.storage_place_id
  return { order, storage_place_id: storagePlaceId, items, refund_amount: refundAmount }
}

/** Null is stock without a place; what is undefined was not given. */
const firstGiven = (...places: readonly (string | null | undefined)[]): string | null =>
  places.find(place => place !== undefined) ?? null

const refuseNamed = ({ places }: ReturnFacts, field: string, id: string | null | undefined) =>
  id == null ? null : refusePlace(field, places.get(id))

function decideLine(
  facts: ReturnFacts,
  task: {
    readonly order: Order
    readonly at: string
    readonly item: NewReturnItem
    /** What earlier entries ask of each line. */
    readonly asked: Map<string, Micro>
    /** The place that the return itself names, if any. */
    readonly givenPlace: NewReturn['storage_place_id']
  },
): { readonly line: ReturnLine; readonly refund: Amount } | Refusal {
  const { stock, returnable } = facts
  const { order, at, item, asked, givenPlace } = task
  const line = order.items.find(({ id }) => id === item.sales_order_item_id)
  if (line === undefined) return noSuch(`${at}.sales_order_item_id`, 'line of this order')
  const refused = refuseNamed(facts, `${at}.storage_place_id`, item.storage_place_id)
  if (refused) return refused
  if (item.batch_id !== null && stock.batches.get(item.batch_id)?.itemVariantId !== line.item_variant_id)
    return noSuch(`${at}.batch_id`, `batch of ${nameOf(line)}`)
  const { quantity, unit_price: unitPrice = discountedPrice(line.price, line.discount_percent) } = item
  const earlier = asked.get(line.id) ?? 0n
  const others = returnable.get(line.id)
  const left = line.shipped_quantity - (others?.held ?? 0n) - earlier
  if (quantity > left)
    return invalid(`${at}.quantity`, `at most ${formatMicro(left)} of ${nameOf(line)} are shipped and not returned`)
  asked.set(line.id, earlier + quantity)
  const { amount } = lineAmounts({ quantity, ...each(unitPrice), discount: 0n, taxRate: 0n, currency: order.currency })
  return {
    refund: amount,
    line: {
      ...item,
      id: stock.takeId(),
      item_variant_id: line.item_variant_id,
      batch_id: item.batch_id ?? others?.lastBatchId ?? null,
      storage_place_id: firstGiven(item.storage_place_id, givenPlace, line.storage_place_id),
      sku: line.sku,
      title: line.title,
      unit_price: unitPrice,
      order_id: order.id,
      value: null,
    },
  }
}

/**
 * Brings the goods back at the cost at which the order line left, on average over all of it. A batch-tracked variant that
 * left without a batch comes into one of the return's number. The lines as they are then. Refuses `conflict` for an archived place that would get
 * goods, and `validation_failed` when the stock would outgrow what can be kept.
 */
export function receiveItems(
  stock: Stock,
  goods: {
    readonly cause: Cause
    readonly stored: Return
    readonly order: Order
    readonly places: ReadonlyMap<string, Place>
  },
): readonly ReturnLine[] | Refusal {
  const received: ReturnLine[] = []
  const ordered = new Map(goods.order.items.map(line => [line.id, line]))
  for (const [index, item] of goods.stored.items.entries()) {
    const line = ordered.get(item.sales_order_item_id)
    if (line === undefined) throw new Error(`the line ${item.sales_order_item_id} of the order is gone`)
    if (!line.holds_stock) {
      received.push(item)
      continue
    }
    const refused = item.storage_place_id && refuseArchived(goods.places.get(item.storage_place_id), 'goods back')
    if (refused) return refused
    const batch = batchOf(stock, item, goods.stored.number)
    const value = divideRounded(item.quantity * line.shipped_value, line.shipped_quantity)
    const { quantity, quarantine } = item
    const position = positionOf(stock, whereOf(item))
    const level = receive(stock, goods.cause, { position, batch, quantity, value, quarantine })
    if ('fault' in level) return overflow(`items[${index}].quantity`)
    received.push({ ...item, batch_id: batch?.id ?? null, value })
  }
  return received
}

/** Where the goods of a line come back to. */
export const whereOf = (item: ReturnLine): Where => ({
  itemVariantId: item.item_variant_id,
  storagePlaceId: item.storage_place_id,
})

function batchOf(stock: Stock, item: ReturnLine, number: string): Batch | null {
  if (item.batch_id !== null) {
    const batch = stock.batches.get(item.batch_id)
    if (batch === undefined) throw new Error(`the batch ${item.batch_id} was not asked for`)
    return batch
  }
  const variant = stock.variants.get(item.item_variant_id)
  if (!variant?.batchTracked) return null
  const batch = openBatch(stock, variant, { number, dates: { manufactureDate: null, expiryDate: null } })
  if ('reason' in batch) throw new Error('a batch without dates cannot contradict any')
  return batch
}
