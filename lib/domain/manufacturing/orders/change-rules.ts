/**
 * Decides how a PATCH changes a manufacturing order: its fields, then its quantity with all that follows, then its materials, and what it
 * reserves and expects. Pure: no I/O and no clock (docs/rules/manufacturing.md).
 */
import { invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { isSame } from '../../../kit/documents/command.ts'
import { lineChanges, merged } from '../../../kit/documents/merging.ts'
import { NextUnit } from '../../../kit/documents/next-unit.ts'
import { costOf, type Micro, parseMicro } from '../../../platform/decimal.ts'
import { parsePercent } from '../../accounting/money.ts'
import type { Place } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import { nameOf, overflow, variantOf } from '../../stock/line-rules.ts'
import { positionOf, type Stock } from '../../stock/stock.ts'
import { needOf, type Share } from '../recipes/need-rules.ts'
import { claim } from './claim-rules.ts'
import { needsTooMuch, newItem, QUANTITY_LIMIT, refuseOutputBatch, unneeded } from './creation-rules.ts'
import { LINES_MAX, ManufacturingOrder, type Order, type OrderChange, OrderItem, type OrderTask } from './noun.ts'

type ChangeFacts = {
  readonly stock: Stock
  /** The place that the body names. Null: there is no such place. */
  readonly place: Place | null
}

/** Whether the body changes a field that materials, hours and reservations follow from. */
export const replans = (body: OrderChange): boolean =>
  body.quantity !== undefined || body.manufacturing_location_id !== undefined || body.items !== undefined

/** Whether the body has a field of the output's batch. */
export const namesBatch = (body: OrderChange): boolean =>
  body.output_batch_number !== undefined ||
  body.output_manufacture_date !== undefined ||
  body.output_expiry_date !== undefined

/** The number of the batch that a tracked output goes into (`outputBatchNumber`). */
export const plannedBatch = (order: Order, body: OrderChange = {}): string =>
  (body.output_batch_number === undefined ? order.output_batch_number : body.output_batch_number) ?? order.number

/**
 * The order after the PATCH, or the same order if nothing changes. Call `refuseChange` first. The materials are reserved and the output is
 * expected in the stock. Refuses `validation_failed` for a place that is absent, archived or not for manufacturing, a line of another
 * order, a variant that is absent or a service, too many lines, quantities beyond the limit, and batch fields that do not fit.
 */
export function decideChange(facts: ChangeFacts, order: Order, body: OrderChange): Order | Refusal {
  const { stock, place } = facts
  const fields = merged(ManufacturingOrder, order, body)
  if (fields.manufacturing_location_id !== order.manufacturing_location_id) {
    const refused = refusePlace('manufacturing_location_id', place, 'manufacturing')
    if (refused !== null) return refused
  }
  const refusedBatch = namesBatch(body) ? refuseBatch(stock, fields) : null
  if (refusedBatch !== null) return refusedBatch
  if (!replans(body)) return fields
  const isRescaled = fields.quantity !== order.quantity
  const rescaled = isRescaled ? scaled(stock, fields) : fields
  if (isRefusal(rescaled)) return rescaled
  const lined = changedItems(stock, rescaled, body)
  if (isRefusal(lined)) return lined
  const planned = isRescaled ? withoutUnneeded(lined) : lined
  const refused = refuseBounds(planned)
  if (refused !== null) return refused
  if (isSame(order, planned)) return order
  if (!claim(stock, { before: order, after: planned })) return overflow(causeIn(body))
  return planned
}

const causeIn = (body: OrderChange): string =>
  body.items !== undefined ? 'items' : body.quantity !== undefined ? 'quantity' : 'manufacturing_location_id'

function refuseBatch(stock: Stock, order: Order): Refusal | null {
  const number = plannedBatch(order)
  if (!stock.isKnownNumber(order.item_variant_id, number)) throw new NextUnit(`the batch ${number} was not asked for`)
  const variant = stock.variants.get(order.item_variant_id)
  if (variant === undefined) throw new Error(`the variant of ${order.number} is gone`)
  return refuseOutputBatch(stock, { body: order, variant, number: order.number })
}

/**
 * The order with the materials and hours of its recipe for its quantity. A line that needs nothing stays until the body's entries are
 * applied.
 */
function scaled(stock: Stock, order: Order): Order | Refusal {
  const { recipe_output_quantity: output, quantity: units } = order
  const items = order.items.map(line => {
    const share = shareOf(line, output)
    const quantity = share === null ? line.quantity : needOf(share, units)
    return quantity === line.quantity ? line : { ...line, quantity }
  })
  const unneeded_materials: Order['unneeded_materials'][number][] = []
  for (const material of order.unneeded_materials) {
    const scrap = parsePercent(material.scrap_percent)
    const share = { quantity: parseMicro(material.quantity), scrap, output }
    const quantity = needOf(share, units)
    if (quantity === 0n) {
      unneeded_materials.push(material)
      continue
    }
    const variant = materialOf(stock, order, { at: 'quantity', itemVariantId: material.item_variant_id })
    if (isRefusal(variant)) return variant
    items.push(newItem(variant, { id: stock.takeId(), quantity, share }))
  }
  return { ...order, items, unneeded_materials, tasks: order.tasks.map(task => scaledTask(order, task)) }
}

/** The order without the recipe lines that need nothing. They are kept aside, because a greater quantity needs them again. */
function withoutUnneeded(order: Order): Order {
  const unneeded_materials = [...order.unneeded_materials]
  const items = order.items.filter(line => {
    const share = line.quantity === 0n ? shareOf(line, order.recipe_output_quantity) : null
    if (share !== null) unneeded_materials.push(unneeded(line.item_variant_id, share))
    return share === null
  })
  return { ...order, items, unneeded_materials }
}

/** What the recipe says of the line. Null: the caller set the quantity. */
function shareOf(line: OrderItem, output: Micro): Share | null {
  if (line.recipe_quantity === null) return null
  return { quantity: line.recipe_quantity, scrap: line.scrap_percent, output }
}

function materialOf(stock: Stock, order: Order, line: { readonly at: string; readonly itemVariantId: string }) {
  // The position comes first: without it, a variant that was not loaded would look like an absent one.
  positionOf(stock, { itemVariantId: line.itemVariantId, storagePlaceId: order.manufacturing_location_id })
  return variantOf(stock, line)
}

function scaledTask({ quantity, recipe_output_quantity: output }: Order, task: OrderTask): OrderTask {
  const duration = needOf({ quantity: task.recipe_duration, scrap: 0n, output }, quantity)
  if (duration === task.planned_duration) return task
  return { ...task, planned_duration: duration, planned_cost: costOf(duration, task.cost_per_hour) }
}

/** The order with the entries of the body. A line whose quantity a caller changes no longer follows the recipe. */
function changedItems(stock: Stock, order: Order, body: OrderChange): Order | Refusal {
  if (body.items === undefined) return order
  const change = { list: 'items', noun: `line of ${order.number}`, before: order.items, entries: body.items }
  const items = lineChanges(OrderItem, change, {
    added: ({ item_variant_id: itemVariantId, quantity }, at) => {
      const variant = materialOf(stock, order, { at, itemVariantId })
      return isRefusal(variant) ? variant : newItem(variant, { id: stock.takeId(), quantity, share: null })
    },
    changed: (line, change) => {
      const next = merged(OrderItem, line, change)
      return next === line ? line : { ...next, quantity_per_unit: null, recipe_quantity: null }
    },
    removed: () => null,
  })
  return isRefusal(items) ? items : { ...order, items }
}

function refuseBounds({ items, tasks }: Order): Refusal | null {
  if (items.length > LINES_MAX) return invalid('items', `an order has at most ${LINES_MAX} lines`)
  const item = items.find(line => line.quantity >= QUANTITY_LIMIT)
  if (item !== undefined) return needsTooMuch(`of ${nameOf(item)}`)
  const task = tasks.find(each => each.planned_duration >= QUANTITY_LIMIT)
  return task === undefined ? null : needsTooMuch(`hours of ${task.operation_title}`)
}
