/**
 * Decides what a PATCH makes of a manufacturing order: its fields, then its quantity with what follows from it, then its materials, and what
 * it claims of the stock. Pure: no I/O and no clock (docs/rules/manufacturing.md).
 */
import { invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { isSame } from '../../../kit/documents/command.ts'
import { lineChanges, merged } from '../../../kit/documents/merging.ts'
import { NextUnit } from '../../../kit/documents/next-unit.ts'
import { costOf, timesMicro } from '../../../platform/decimal.ts'
import type { Place } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import { nameOf, overflow, variantOf } from '../../stock/line-rules.ts'
import { positionOf, type Stock } from '../../stock/stock.ts'
import { claim } from './claim-rules.ts'
import { needsTooMuch, newItem, QUANTITY_LIMIT, refuseOutputBatch } from './creation-rules.ts'
import { LINES_MAX, ManufacturingOrder, type Order, type OrderChange, OrderItem, type OrderTask } from './noun.ts'

type ChangeFacts = {
  readonly stock: Stock
  /** The place that the body names; null: there is none such. */
  readonly place: Place | null
}

/** Whether the body names what materials, hours and claims follow from. */
export const replans = (body: OrderChange): boolean =>
  body.quantity !== undefined || body.manufacturing_location_id !== undefined || body.items !== undefined

/** Whether the body names what the batch of the output is to be. */
export const namesBatch = (body: OrderChange): boolean =>
  body.output_batch_number !== undefined ||
  body.output_manufacture_date !== undefined ||
  body.output_expiry_date !== undefined

/** The batch that the output is to go into, where the variant is tracked: see `outputBatchNumber`. */
export const plannedBatch = (order: Order, body: OrderChange = {}): string =>
  (body.output_batch_number === undefined ? order.output_batch_number : body.output_batch_number) ?? order.number

/**
 * The order after the PATCH, or the same one where nothing changes. Its status must allow the change (`refuseChange`). Its materials and output
 * are claimed in the stock.
 * Refuses `validation_failed` for a place that is absent, archived or does not manufacture, a line that is not the order's, a variant that is
 * absent or a service, too many lines, quantities beyond all bounds, and words on a batch that do not fit.
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
  const planned = changedItems(stock, fields.quantity === order.quantity ? fields : scaled(fields), body)
  if (isRefusal(planned)) return planned
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

/** The order with the materials and hours of the recipe for its quantity. */
function scaled(order: Order): Order {
  return {
    ...order,
    items: order.items.map(line => {
      const quantity = line.quantity_per_unit === null ? null : timesMicro(line.quantity_per_unit, order.quantity)
      return quantity === null || quantity === line.quantity ? line : { ...line, quantity }
    }),
    tasks: order.tasks.map(task => scaledTask(order, task)),
  }
}

function scaledTask({ quantity }: Order, task: OrderTask): OrderTask {
  if (task.duration_per_unit === null) return task
  const duration = timesMicro(task.duration_per_unit, quantity)
  if (duration === task.planned_duration) return task
  return { ...task, planned_duration: duration, planned_cost: costOf(duration, task.cost_per_hour) }
}

/** The order with the entries of the body. A line whose quantity a caller changes is no line of the recipe any more. */
function changedItems(stock: Stock, order: Order, body: OrderChange): Order | Refusal {
  if (body.items === undefined) return order
  const change = { list: 'items', noun: `line of ${order.number}`, before: order.items, entries: body.items }
  const items = lineChanges(OrderItem, change, {
    added: ({ item_variant_id: itemVariantId, quantity }, at) => {
      // Before the variant is looked for, which would seem absent when it was not asked for.
      positionOf(stock, { itemVariantId, storagePlaceId: order.manufacturing_location_id })
      const variant = variantOf(stock, { at, itemVariantId })
      return isRefusal(variant) ? variant : newItem(variant, { id: stock.takeId(), quantity, perUnit: null })
    },
    changed: (line, change) => {
      const next = merged(OrderItem, line, change)
      return next === line ? line : { ...next, quantity_per_unit: null }
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
