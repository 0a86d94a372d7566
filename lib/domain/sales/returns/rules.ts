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
import type { Line, Order } from '../orders/noun.ts'
import { lesser } from '../orders/quantity-rules.ts'
import {
  type NewReturn,
  type NewReturnItem,
  notEditable,
  type Return,
  type ReturnLine,
  type ReturnStatus,
} from './noun.ts'
import type { Part, Returnable } from './returnable.ts'

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
  return refuse(notEditable, `The sales return ${from.number} is ${from.status}: it cannot become ${to}`)
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
 * The new return's lines with their defaults, one for each batch into which goods come back. Refuses `validation_failed` for an absent order,
 * line, place or batch, an archived place, a batch that did not leave for the line, and for more than left of the line, or of the batch that is
 * named, less what other returns hold.
 */
export function decideReturn(facts: ReturnFacts, body: NewReturn): ReturnPlan | Refusal {
  const { order, mainPlace } = facts
  if (order === null) return noSuch('sales_order_id', 'sales order')
  const refused = refuseNamed(facts, 'storage_place_id', body.storage_place_id)
  if (refused) return refused
  const rests = restsOf(order, facts.returnable)
  const decided = decideEach(body.items, (item, index) =>
    decideLine(facts, { order, at: `items[${index}]`, item, rests, givenPlace: body.storage_place_id }),
  )
  if (isRefusal(decided)) return decided
  const items = decided.flatMap(({ lines }) => lines)
  const refundAmount: Amount = decided.reduce((sum, { refund }) => sum + refund, 0n)
  const storagePlaceId = body.storage_place_id === undefined ? (mainPlace?.id ?? null) : body.storage_place_id
  return { order, storage_place_id: storagePlaceId, items, refund_amount: refundAmount }
}

/** What may still come back of an order line: of all of it, and of each part. Each entry of the body takes from it. */
type Rest = { left: Micro; readonly parts: { readonly part: Part; left: Micro }[] }

const restsOf = (order: Order, returnable: ReturnFacts['returnable']): ReadonlyMap<string, Rest> =>
  new Map(
    order.items.map(({ id, shipped_quantity }) => {
      const { held, parts } = returnable.get(id) ?? { held: 0n, parts: [] }
      return [id, { left: shipped_quantity - held, parts: parts.map(part => ({ part, left: part.rest })) }]
    }),
  )

/** Null is stock without a place; what is undefined was not given. */
const firstGiven = (...places: readonly (string | null | undefined)[]): string | null =>
  places.find(place => place !== undefined) ?? null

const refuseNamed = ({ places }: ReturnFacts, field: string, id: string | null | undefined) =>
  id == null ? null : refusePlace(field, places.get(id))

type LineTask = {
  readonly order: Order
  readonly at: string
  readonly item: NewReturnItem
  /** By order line, less what earlier entries take. */
  readonly rests: ReadonlyMap<string, Rest>
  /** The place that the return itself names, if any. */
  readonly givenPlace: NewReturn['storage_place_id']
}

/** The lines of one entry. They refund together what the entry would refund as one line. */
function decideLine(
  facts: ReturnFacts,
  { order, at, item, rests, givenPlace }: LineTask,
): { readonly lines: readonly ReturnLine[]; readonly refund: Amount } | Refusal {
  const { stock } = facts
  const line = order.items.find(({ id }) => id === item.sales_order_item_id)
  if (line === undefined) return noSuch(`${at}.sales_order_item_id`, 'line of this order')
  const refused = refuseNamed(facts, `${at}.storage_place_id`, item.storage_place_id)
  if (refused) return refused
  const batch = item.batch_id === null ? null : stock.batches.get(item.batch_id)
  if (batch !== null && batch?.itemVariantId !== line.item_variant_id)
    return noSuch(`${at}.batch_id`, `batch of ${nameOf(line)}`)
  const pieces = takeBack(rests.get(line.id) ?? { left: 0n, parts: [] }, { line, at, quantity: item.quantity, batch })
  if (isRefusal(pieces)) return pieces
  const { quantity, unit_price: unitPrice = discountedPrice(line.price, line.discount_percent) } = item
  const { amount } = lineAmounts({ quantity, ...each(unitPrice), discount: 0n, taxRate: 0n, currency: order.currency })
  return {
    refund: amount,
    lines: pieces.map(piece => ({
      ...item,
      id: stock.takeId(),
      item_variant_id: line.item_variant_id,
      batch_id: piece.part.batchId,
      storage_place_id: firstGiven(
        item.storage_place_id,
        givenPlace,
        line.holds_stock ? piece.part.storagePlaceId : line.storage_place_id,
      ),
      sku: line.sku,
      title: line.title,
      quantity: piece.quantity,
      unit_price: unitPrice,
      order_id: order.id,
      value: null,
    })),
  }
}

/** Takes the quantity from the parts of a line, the last one first, or from the batch that is named. */
function takeBack(
  rest: Rest,
  asked: { readonly line: Line; readonly at: string; readonly quantity: Micro; readonly batch: Batch | null },
): readonly { readonly part: Part; readonly quantity: Micro }[] | Refusal {
  const { line, at, quantity, batch } = asked
  const from = batch === null ? rest.parts : rest.parts.filter(({ part }) => part.batchId === batch.id)
  if (batch !== null && from.length === 0)
    return invalid(`${at}.batch_id`, `the batch ${batch.number} of ${nameOf(line)} did not leave for this line`)
  const most = from.reduce((sum, { left }) => sum + left, 0n)
  const left = lesser(most, rest.left)
  if (quantity > left) {
    const name = batch === null ? nameOf(line) : `${nameOf(line)} (batch ${batch.number})`
    return invalid(`${at}.quantity`, `at most ${formatMicro(left)} of ${name} are shipped and not returned`)
  }
  rest.left -= quantity
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
