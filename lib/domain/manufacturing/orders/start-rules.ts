/**
 * Decides on the start of a manufacturing order: materials leave stock, all or nothing, and their cost enters work in
 * progress. Pure: no I/O and no clock (docs/rules/manufacturing.md).
 */

import { decideEach, invalid, isRefusal, noSuch, type Refusal } from '../../../kit/api/errors.ts'
import { dayIn } from '../../../kit/days.ts'
import type { Cost, Micro } from '../../../platform/decimal.ts'
import { pick } from '../../stock/picking-rules.ts'
import { adjustPlanned, issue } from '../../stock/posting-rules.ts'
import { Demands, notEnough } from '../../stock/shortage-rules.ts'
import { type Cause, type Position, positionOf, type Stock, type Variant } from '../../stock/stock.ts'
import { bookCosts, operationsCost } from './cost-rules.ts'
import type { Order, OrderItem, Start } from './noun.ts'
import { statusAfter } from './status-rules.ts'

/** The quantity to write off for a material line: its need, or the quantity that the caller sends (0: the material is not used). */
type WriteOffPlan = { readonly item: OrderItem; readonly quantity: Micro }

/** Refuses `validation_failed` for a line of another order, and for a line that the body has twice. */
export function planWriteOffs(order: Order, given: Start['items']): readonly WriteOffPlan[] | Refusal {
  const quantities = new Map<string, Micro>()
  const named = decideEach(given, ({ id, quantity }, index) => {
    const field = `items[${index}].id`
    if (!order.items.some(item => item.id === id)) return noSuch(field, `line of ${order.number}`)
    return quantities.has(id) ? invalid(field, 'is named twice') : quantities.set(id, quantity)
  })
  if (isRefusal(named)) return named
  return order.items.map(item => ({ item, quantity: quantities.get(item.id) ?? item.quantity }))
}

/**
 * The started order. Posts the write-offs in the order of the lines, and releases all reservations of the order. Refuses `unprocessable`
 * when the stock is too low, naming each variant that is short.
 */
export function decideStart(
  stock: Stock,
  order: Order,
  { plans, cause }: { readonly plans: readonly WriteOffPlan[]; readonly cause: Cause },
): Order | Refusal {
  const positionFor = (item: OrderItem) =>
    positionOf(stock, { itemVariantId: item.item_variant_id, storagePlaceId: order.manufacturing_location_id })
  const shortage = refuseShortages(stock, cause, needsByPosition(plans, positionFor))
  if (shortage !== null) return shortage
  const items = plans.map(({ item, quantity }): OrderItem => {
    const position = positionFor(item)
    adjustPlanned(stock, { position, reserved: -item.quantity })
    return { ...item, actual_quantity: quantity, cost: takeOut(stock, cause, { position, quantity }), is_open: false }
  })
  const operations = operationsCost(order.tasks)
  bookCosts(stock, cause, { before: order, after: { ...order, operations_cost: operations } })
  return {
    ...order,
    status: statusAfter(order, 'start'),
    started_at: cause.documentDate,
    materials_cost: items.reduce((sum, { cost }) => sum + cost, 0n),
    operations_cost: operations,
    items,
  }
}

/** Several lines may name one variant. */
function needsByPosition(
  plans: readonly WriteOffPlan[],
  positionFor: (item: OrderItem) => Position,
): ReadonlyMap<Position, Micro> {
  const needs = new Map<Position, Micro>()
  for (const { item, quantity } of plans) {
    const position = positionFor(item)
    needs.set(position, (needs.get(position) ?? 0n) + quantity)
  }
  return needs
}

function refuseShortages(stock: Stock, cause: Cause, needs: ReadonlyMap<Position, Micro>): Refusal | null {
  const demands = new Demands()
  const day = dayIn(stock.timeZone, cause.documentDate)
  for (const [position, quantity] of needs) {
    if (quantity === 0n) continue
    const demand = demands.of(variantAt(stock, position), { position, named: null, condition: 'sellable' })
    demand.needed = quantity
    demand.missing = pick(position, { quantity, batch: undefined, condition: 'sellable', day }).missing
  }
  const { short } = demands
  return short.length === 0 ? null : notEnough('unprocessable', short)
}

function variantAt(stock: Stock, { itemVariantId }: Position): Variant {
  const variant = stock.variants.get(itemVariantId)
  if (variant === undefined) throw new Error(`the variant ${itemVariantId} of a material line is gone`)
  return variant
}

function takeOut(
  stock: Stock,
  cause: Cause,
  { position, quantity }: { readonly position: Position; readonly quantity: Micro },
): Cost {
  if (quantity === 0n) return 0n
  const { takes, missing } = issue(stock, cause, { position, quantity, batch: undefined, condition: 'sellable' })
  if (missing > 0n) throw new Error('less can be taken than was found before')
  return takes.reduce((sum, { value }) => sum + value, 0n)
}
