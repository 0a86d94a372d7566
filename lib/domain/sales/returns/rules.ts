/** Decides on sales returns: their transitions, what may come back of an order, and the stock. Pure (docs/rules/sales.md). */

import { decideEach, invalid, isRefusal, noSuch, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { divideRounded } from '../../../platform/decimal.ts'
import type { Place } from '../../places/noun.ts'
import { refuseArchived, refusePlace } from '../../places/rules.ts'
import { openBatch } from '../../stock/batch-rules.ts'
import { nameOf, overflow } from '../../stock/line-rules.ts'
import { receive } from '../../stock/posting-rules.ts'
import { type Batch, type Cause, positionOf, type Stock, type Where } from '../../stock/stock.ts'
import type { MovedPart } from '../moved-parts.ts'
import type { Line, Order } from '../orders/noun.ts'
import { takesStock } from '../orders/quantity-rules.ts'
import { returnedParts, valueBack } from './kit-rules.ts'
import {
  type NewReturn,
  type NewReturnItem,
  notEditable,
  type Return,
  type ReturnLine,
  type ReturnStatus,
} from './noun.ts'
import { comesIn, type Piece, type Returned, refuseEntry, takePieces } from './piece-rules.ts'
import { refundCharge, refundFields, refundPieces, refundTotals, usualPrice } from './refund-rules.ts'
import { heldOf, type Refunded } from './refunded.ts'
import type { ComponentPart, Part, Parts } from './returnable.ts'

/** The statuses that may follow each status. */
const moves: Readonly<Record<ReturnStatus, readonly ReturnStatus[]>> = {
  NOT_RETURNED: ['RETURNED', 'CANCELLED'],
  RETURNED: [],
  CANCELLED: [],
}

/** Refuses `sales_return_not_editable` for a transition that the table does not have. */
export function refuseMove(
  from: { readonly number: string; readonly status: ReturnStatus },
  to: ReturnStatus,
): Refusal | null {
  if (moves[from.status].includes(to)) return null
  return refuse(notEditable, `The sales return ${from.number} is ${from.status}: it cannot become ${to}`)
}

/** The data that a new return depends on. */
type ReturnFacts = {
  readonly order: Order | null
  readonly mainPlace: Place | null
  /** The places that the body names; absent ones have no entry. */
  readonly places: ReadonlyMap<string, Place>
  /** What can be returned, by order line. */
  readonly returnable: ReadonlyMap<string, Parts>
  /** What can be returned of the components, by the kit's order line. */
  readonly returnableParts: ReadonlyMap<string, readonly ComponentPart[]>
  readonly refunded: Refunded
  readonly stock: Stock
}

/** The decided part of a new return. The command adds the rest. */
type ReturnPlan = Pick<Return, 'storage_place_id' | 'refund_amount' | 'refund_tax_amount' | 'items' | 'charges'> & {
  readonly order: Order
}

/** Checks the body alone. Refuses `validation_failed`. */
export function refuseBody({ items, charges }: NewReturn): Refusal | null {
  if (items.length === 0 && charges.length === 0) return invalid('items', 'may be empty only where charges are given')
  const judged = decideEach(items, (item, index) => refuseEntry(`items[${index}]`, item))
  return isRefusal(judged) ? judged : null
}

/**
 * The new return's lines and charges with their defaults and refunds. An entry has a line for each batch into which goods come back.
 * Refuses `validation_failed` for an absent order, line, charge, place or batch, an archived place, a batch that did not leave for the
 * line, more pieces than left of the line or of the named batch less those of other returns, and more money than is left to refund.
 */
export function decideReturn(facts: ReturnFacts, body: NewReturn): ReturnPlan | Refusal {
  const { order, mainPlace, refunded, stock } = facts
  if (order === null) return noSuch('sales_order_id', 'sales order')
  const refused = refuseNamed(facts, 'storage_place_id', body.storage_place_id)
  if (refused) return refused
  const returned = returnedOf(order, facts)
  const decided = decideEach(body.items, (item, index) =>
    decideLine(facts, { order, at: `items[${index}]`, item, returned, givenPlace: body.storage_place_id }),
  )
  if (isRefusal(decided)) return decided
  const earlier = new Set<string>()
  const charges = decideEach(body.charges, (charge, index) =>
    refundCharge({ order, refunded, earlier }, `charges[${index}]`, { ...charge, id: stock.takeId() }),
  )
  if (isRefusal(charges)) return charges
  const items = decided.flat()
  const totals = refundTotals({ order, refunded }, { items, charges, entries: body.items.length })
  if (isRefusal(totals)) return totals
  const storagePlaceId = body.storage_place_id === undefined ? (mainPlace?.id ?? null) : body.storage_place_id
  return { order, storage_place_id: storagePlaceId, items, charges, ...totals }
}

const returnedOf = (
  order: Order,
  { refunded, returnable, returnableParts }: ReturnFacts,
): ReadonlyMap<string, Returned> =>
  new Map(
    order.items.map(line => {
      const parts = returnable.get(line.id) ?? []
      const held = heldOf(refunded, line)
      const components = returnableParts.get(line.id) ?? []
      return [
        line.id,
        {
          line,
          held,
          parts: parts.map(part => ({ part, left: part.rest })),
          components: components.map(part => ({ part, left: part.rest })),
        },
      ]
    }),
  )

/** The first place that is given. Null is stock without a place; undefined is not given. */
const firstGiven = (...places: readonly (string | null | undefined)[]): string | null =>
  places.find(place => place !== undefined) ?? null

const refuseNamed = ({ places }: ReturnFacts, field: string, id: string | null | undefined) =>
  id == null ? null : refusePlace(field, places.get(id))

type LineTask = {
  readonly order: Order
  readonly at: string
  readonly item: NewReturnItem
  /** What is returned of each order line after the earlier entries. */
  readonly returned: ReadonlyMap<string, Returned>
  /** The place in the body of the return, if any. */
  readonly givenPlace: NewReturn['storage_place_id']
}

/** The lines of one entry. */
function decideLine(
  facts: ReturnFacts,
  { order, at, item, returned: byLine, givenPlace }: LineTask,
): readonly ReturnLine[] | Refusal {
  const { stock } = facts
  const returned = byLine.get(item.sales_order_item_id)
  if (returned === undefined) return noSuch(`${at}.sales_order_item_id`, 'line of this order')
  const { line } = returned
  const refused = refuseNamed(facts, `${at}.storage_place_id`, item.storage_place_id)
  if (refused) return refused
  const batch = item.batch_id === null ? null : stock.batches.get(item.batch_id)
  if (batch !== null && batch?.itemVariantId !== line.item_variant_id)
    return noSuch(`${at}.batch_id`, `batch of ${nameOf(line)}`)
  const pieces = takePieces(returned, { at, item, batch })
  if (isRefusal(pieces)) return pieces
  const components = returnedParts({ at, line, item, held: returned.held.quantity }, returned.components)
  if (isRefusal(components)) return components
  const quantities = pieces.map(({ quantity }) => quantity)
  const refunds = refundPieces(returned, { order, at, item }, quantities)
  if (isRefusal(refunds)) return refunds
  return refunds.map((refund, index) => {
    const { part, quantity } = pieces[index] as Piece
    return {
      ...item,
      id: stock.takeId(),
      item_variant_id: line.item_variant_id,
      batch_id: part?.batchId ?? null,
      storage_place_id: part === null ? null : placeInto(part),
      sku: line.sku,
      title: line.title,
      components,
      quantity,
      unit_price: item.unit_price ?? usualPrice(line),
      ...refundFields(line, refund, order.currency),
      order_id: order.id,
      value: null,
    }
  })

  function placeInto(part: Part): string | null {
    const leftFrom = takesStock(line) ? part.storagePlaceId : line.storage_place_id
    return firstGiven(item.storage_place_id, givenPlace, leftFrom)
  }
}

/**
 * Brings the goods back at the average cost at which the order line left. Goods of a batch-tracked variant that left without a batch go
 * into a batch with the return's number. Returns the lines after that. Refuses `conflict` for an archived place that would get goods, and
 * `validation_failed` for a stock beyond the limit.
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
    const where = placeOf(item)
    if (!takesStock(line) || where === null) {
      received.push(item)
      continue
    }
    const refused = item.storage_place_id && refuseArchived(goods.places.get(item.storage_place_id), 'goods back')
    if (refused) return refused
    if (line.components.length > 0) {
      const kit = receiveKit(stock, goods, { line, item, field: `items[${index}].quantity` })
      if (isRefusal(kit)) return kit
      received.push(kit)
      continue
    }
    const batch = batchOf(stock, { item, itemVariantId: where.itemVariantId, number: goods.stored.number })
    const value = divideRounded(item.quantity * line.shipped_value, line.shipped_quantity)
    const { quantity, quarantine } = item
    const position = positionOf(stock, where)
    const level = receive(stock, goods.cause, { position, batch, quantity, value, quarantine })
    if ('fault' in level) return overflow(`items[${index}].quantity`)
    received.push({ ...item, batch_id: batch?.id ?? null, value })
  }
  return received
}

/** Receives the components of a kit's line. Refuses as `receiveItems` does. */
function receiveKit(
  stock: Stock,
  { cause, stored }: { readonly cause: Cause; readonly stored: Return },
  { line, item, field }: { readonly line: Line; readonly item: ReturnLine; readonly field: string },
): ReturnLine | Refusal {
  const isStock = new Set(line.components.flatMap(part => (part.holds_stock ? [part.item_variant_id] : [])))
  const components = decideEach(item.components, (part): MovedPart | Refusal => {
    const { item_variant_id: itemVariantId, quantity } = part
    if (!isStock.has(itemVariantId)) return part
    const batch = batchOf(stock, { item: part, itemVariantId, number: stored.number })
    const position = positionOf(stock, { itemVariantId, storagePlaceId: item.storage_place_id })
    const value = valueBack(line, part)
    const level = receive(stock, cause, { position, batch, quantity, value, quarantine: item.quarantine })
    if ('fault' in level) return overflow(field)
    return { ...part, batch_id: batch?.id ?? null, batch_number: batch?.number ?? null, value }
  })
  if (isRefusal(components)) return components
  return { ...item, components, value: components.reduce((sum, { value }) => sum + (value ?? 0n), 0n) }
}

/** The positions to which the goods of a line come back: of its variant, and of the components of its kit. */
export const placesOf = (item: ReturnLine): Where[] => {
  const own = placeOf(item)
  if (own === null) return []
  const parts = new Set(item.components.map(part => part.item_variant_id))
  return [own, ...[...parts].map(itemVariantId => ({ ...own, itemVariantId }))]
}

/** The position to which the goods of a line come back; null: the line has no variant, or no goods come in. */
export const placeOf = (item: ReturnLine): Where | null =>
  item.item_variant_id === null || !comesIn(item)
    ? null
    : { itemVariantId: item.item_variant_id, storagePlaceId: item.storage_place_id }

function batchOf(
  stock: Stock,
  {
    item,
    itemVariantId,
    number,
  }: { readonly item: Pick<ReturnLine, 'batch_id'>; readonly itemVariantId: string; readonly number: string },
): Batch | null {
  if (item.batch_id !== null) {
    const batch = stock.batches.get(item.batch_id)
    if (batch === undefined) throw new Error(`the batch ${item.batch_id} was not asked for`)
    return batch
  }
  const variant = stock.variants.get(itemVariantId)
  if (!variant?.batchTracked) return null
  const batch = openBatch(stock, variant, { number, dates: { manufactureDate: null, expiryDate: null } })
  if ('reason' in batch) throw new Error('a batch without dates cannot contradict any')
  return batch
}
