/**
 * Decides on new manufacturing orders: the recipe, the materials and tasks, what is reserved and expected. Pure: no I/O and no clock
 * (docs/rules/manufacturing.md).
 */

import { decideEach, invalid, isRefusal, noSuch, type Refusal, refuse } from '../../../kit/api/errors.ts'
import {
  costOf,
  formatMicro,
  formatPercent,
  MICRO_PLACES,
  type Micro,
  parseMicro,
  powerOfTen,
} from '../../../platform/decimal.ts'
import { noSuchVariant } from '../../catalogue/no-such-variant.ts'
import type { Item } from '../../catalogue/variant.ts'
import type { Place } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import type { Order as SalesOrder } from '../../sales/orders/noun.ts'
import { dateFault } from '../../stock/batch-rules.ts'
import { nameOf, overflow, variantOf } from '../../stock/line-rules.ts'
import { holdsStock } from '../../stock/order-line.ts'
import { adjustPlanned } from '../../stock/posting-rules.ts'
import { batchByNumber, type Position, positionOf, type Stock, type Variant } from '../../stock/stock.ts'
import { needOf, perUnit, type Share } from '../recipes/need-rules.ts'
import type { Material, OrderType, Recipe } from '../recipes/noun.ts'
import { type NewOrder, type Order, type OrderItem, type OrderTask, transitionNotAllowed } from './noun.ts'

/** Quantities are less than this. */
export const QUANTITY_LIMIT = parseMicro('1000000000')

/** The values that a task copies from its operation. */
export type StepOperation = Pick<OrderTask, 'unit_id' | 'unit_name'> & { readonly title: string }

type OrderFacts = {
  readonly stock: Stock
  /** Null: there is no such variant. */
  readonly item: Item | null
  /** The place that the body names, else the default place for orders. Null: there is no such place. */
  readonly place: Place | null
  /** The recipe that the body names, else the current recipe of the variant. Null: there is no such recipe. */
  readonly recipe: Recipe | null
  readonly salesOrder: Pick<SalesOrder, 'status'> | null
  readonly operationOf: (id: string) => StepOperation
  readonly takeId: () => string
}

type Plan = {
  readonly body: NewOrder
  readonly quantity: Micro
  /** Where a variant is reserved or expected. @throws NextUnit for a variant that was not loaded. */
  readonly positionFor: (itemVariantId: string) => Position
}

/**
 * The new order. Its materials are reserved and its output is expected in the stock. Refuses `validation_failed` for absent references,
 * places without manufacturing, recipes of other products, services as materials, batches of an untracked variant, and quantities beyond
 * the limit; `manufacturing_order_transition_not_allowed` for a variant that cannot be made.
 */
export function decideOrder(
  facts: OrderFacts,
  { body, ...head }: Pick<Order, 'id' | 'number' | 'currency' | 'created_at'> & { readonly body: NewOrder },
): Order | Refusal {
  const { stock, item, place } = facts
  const variant = stock.variants.get(body.item_variant_id)
  if (variant === undefined || item === null) return noSuchVariant('item_variant_id', body.item_variant_id)
  const { quantity } = body
  const type = body.type ?? (body.sales_order_id === null ? 'MAKE_TO_STOCK' : 'MAKE_TO_ORDER')
  const positionFor = (itemVariantId: string) => positionOf(stock, { itemVariantId, storagePlaceId: place?.id ?? null })
  const needs = planItems(facts, { body, quantity, positionFor })
  if (isRefusal(needs)) return needs
  const tasks = planTasks(facts, { type, quantity })
  if (isRefusal(tasks)) return tasks
  const refused =
    refuseReferences(body, variant, facts) ??
    refuseOutputBatch(stock, { body, variant, number: head.number }) ??
    refuseMaking(variant, facts)
  if (refused !== null) return refused
  if (place === null) return notAllowed('the tenant has no storage place that allows manufacturing')
  const overflown = planStock(stock, needs, { body, quantity, positionFor })
  if (overflown !== null) return overflown
  return {
    ...head,
    type,
    status: 'NOT_STARTED',
    status_before_block: null,
    block_reason: null,
    priority: body.priority,
    quantity,
    actual_quantity: 0n,
    released_quantity: 0n,
    planned_start_date: body.planned_start_date,
    started_at: null,
    completed_at: null,
    production_date: body.production_date,
    shipping_date: body.shipping_date,
    output_batch_number: body.output_batch_number,
    output_manufacture_date: body.output_manufacture_date,
    output_expiry_date: body.output_expiry_date,
    last_output_place_id: null,
    last_output_batch_id: null,
    manufacturing_location_id: place.id,
    sales_order_id: body.sales_order_id,
    recipe_id: facts.recipe?.id ?? null,
    recipe_output_quantity: facts.recipe?.output_quantity ?? powerOfTen(MICRO_PLACES),
    unneeded_materials: body.items === undefined ? unneededOf(facts.recipe, quantity) : [],
    notes: body.notes,
    external_ref: body.external_ref,
    metadata: body.metadata,
    updated_at: head.created_at,
    materials_cost: 0n,
    operations_cost: 0n,
    posted_cost: 0n,
    expensed_cost: 0n,
    item_variant_id: variant.id,
    item_id: variant.itemId,
    item_title: item.title,
    sku: variant.sku,
    title: variant.title,
    items: needs.map(need => need.item),
    tasks,
  }
}

function refuseReferences(body: NewOrder, variant: Variant, facts: OrderFacts): Refusal | null {
  const { place, recipe } = facts
  if (body.manufacturing_location_id !== undefined) {
    const refused = refusePlace('manufacturing_location_id', place, 'manufacturing')
    if (refused !== null) return refused
  }
  if (body.recipe_id !== undefined) {
    if (recipe === null) return noSuch('recipe_id', 'recipe')
    const isOfIt =
      recipe.item_variant_id === null ? recipe.item_id === variant.itemId : recipe.item_variant_id === variant.id
    if (!isOfIt) return invalid('recipe_id', `is not a recipe of ${nameOf(variant)}`)
  }
  if (body.sales_order_id !== null && facts.salesOrder === null) return noSuch('sales_order_id', 'sales order')
  return null
}

/** Refuses batch fields of an order that do not fit the item, or do not fit an existing batch of that number. */
export function refuseOutputBatch(
  stock: Stock,
  { body, variant, number }: { readonly body: BatchFields; readonly variant: Variant; readonly number: string },
): Refusal | null {
  if (!variant.batchTracked) return refuseBatchFields(body, variant)
  const known = batchByNumber(stock, variant.id, body.output_batch_number ?? number)
  const dates = { manufactureDate: body.output_manufacture_date, expiryDate: body.output_expiry_date }
  const fault = known === undefined ? null : dateFault(known, dates)
  return fault === null ? null : invalid(`output_${fault.field}`, fault.reason)
}

type BatchFields = Pick<NewOrder, 'output_batch_number' | 'output_manufacture_date' | 'output_expiry_date'>

/** Refuses `validation_failed` for every batch field of a variant that has no batches. */
export function refuseBatchFields(body: BatchFields, variant: Variant): Refusal | null {
  if (body.output_batch_number !== null)
    return invalid('output_batch_number', `${nameOf(variant)} is not batch-tracked`)
  if (body.output_manufacture_date !== null) return invalid('output_manufacture_date', 'is only for a batch')
  if (body.output_expiry_date !== null) return invalid('output_expiry_date', 'is only for a batch')
  return null
}

const notAllowed = (why: string) => refuse(transitionNotAllowed, why)

function refuseMaking(variant: Variant, { salesOrder }: OrderFacts): Refusal | null {
  const name = nameOf(variant)
  if (!holdsStock(variant))
    return notAllowed(`item_variant_id: ${name} is a ${variant.itemType.toLowerCase()} and cannot be made`)
  if (variant.archived) return notAllowed(`item_variant_id: ${name} is archived`)
  if (!variant.isProducible) return notAllowed(`item_variant_id: ${name} is not producible`)
  if (salesOrder !== null && salesOrder.status !== 'OPEN')
    return notAllowed(`sales_order_id: the sales order is ${salesOrder.status}`)
  return null
}

type Need = Pick<OrderItem, 'item_variant_id' | 'quantity'> & { readonly share: Share | null }

/** A material line, and the field of the body that its quantity comes from. */
type PlannedItem = { readonly item: OrderItem; readonly field: string }

/** The lines of the body, else the recipe's materials for the whole quantity. */
function planItems(
  { stock, recipe, takeId }: OrderFacts,
  { body, quantity, positionFor }: Plan,
): readonly PlannedItem[] | Refusal {
  const needs: readonly Need[] =
    body.items === undefined
      ? sharesOf(recipe)
          .map(({ line, share }) => ({
            item_variant_id: line.item_variant_id,
            quantity: needOf(share, quantity),
            share,
          }))
          .filter(isNeeded)
      : body.items.map(line => ({ ...line, share: null }))
  return decideEach(needs, ({ item_variant_id: itemVariantId, quantity: need, share }, index) => {
    // The position comes first: without it, a variant that was not loaded would look like an absent one.
    positionFor(itemVariantId)
    const variant = variantOf(stock, { at: `items[${index}]`, itemVariantId })
    if (isRefusal(variant)) return variant
    if (need >= QUANTITY_LIMIT) return needsTooMuch(`of ${nameOf(variant)}`)
    return {
      item: newItem(variant, { id: takeId(), quantity: need, share }),
      field: body.items === undefined ? 'quantity' : `items[${index}].quantity`,
    }
  })
}

const sharesOf = (recipe: Recipe | null): readonly { readonly line: Material; readonly share: Share }[] =>
  (recipe?.materials ?? []).map(line => ({
    line,
    share: { quantity: line.quantity, scrap: line.scrap_percent, output: recipe?.output_quantity ?? 0n },
  }))

const isNeeded = (need: { readonly quantity: Micro }): boolean => need.quantity > 0n

/** The materials of the recipe whose need rounds to 0 for this quantity. */
const unneededOf = (recipe: Recipe | null, quantity: Micro): Order['unneeded_materials'] =>
  sharesOf(recipe)
    .filter(({ share }) => needOf(share, quantity) === 0n)
    .map(({ line, share }) => unneeded(line.item_variant_id, share))

/** A material whose need rounds to 0. */
export const unneeded = (itemVariantId: string, { quantity, scrap }: Share): Order['unneeded_materials'][number] => ({
  item_variant_id: itemVariantId,
  quantity: formatMicro(quantity),
  scrap_percent: formatPercent(scrap),
})

/** A material line before the start. `share` null: the caller set the quantity. */
export const newItem = (
  variant: Variant,
  { id, quantity, share }: { readonly id: string; readonly quantity: Micro; readonly share: Share | null },
): OrderItem => ({
  id,
  item_id: variant.itemId,
  item_variant_id: variant.id,
  sku: variant.sku,
  title: variant.title,
  quantity,
  quantity_per_unit: share && perUnit(share),
  recipe_quantity: share?.quantity ?? null,
  scrap_percent: share?.scrap ?? 0n,
  actual_quantity: 0n,
  cost: 0n,
  is_open: true,
})

/** @param of what there is too much of: a material, or hours */
export const needsTooMuch = (of: string): Refusal => invalid('quantity', `needs 1000000000 ${of} or more`)

/** One task for each operation of this type of order, in technology order: by position, then in the order of the recipe. */
function planTasks(
  { recipe, operationOf, takeId }: OrderFacts,
  { type, quantity }: { readonly type: OrderType; readonly quantity: Micro },
): readonly OrderTask[] | Refusal {
  const tasks: OrderTask[] = []
  for (const step of (recipe?.operations ?? []).toSorted((a, b) => a.position - b.position)) {
    if (step.operation_type !== null && step.operation_type !== type) continue
    const { title, ...unit } = operationOf(step.operation_id)
    const share: Share = { quantity: step.duration, scrap: 0n, output: recipe?.output_quantity ?? 0n }
    const duration = needOf(share, quantity)
    if (duration >= QUANTITY_LIMIT) return needsTooMuch(`hours of ${title}`)
    tasks.push({
      id: takeId(),
      operation_id: step.operation_id,
      operation_title: title,
      position: step.position,
      planned_duration: duration,
      recipe_duration: step.duration,
      actual_duration: null,
      cost_per_hour: step.cost_per_hour,
      planned_cost: costOf(duration, step.cost_per_hour),
      actual_cost: null,
      ...unit,
      notes: step.notes,
    })
  }
  return tasks
}

function planStock(stock: Stock, needs: readonly PlannedItem[], { body, quantity, positionFor }: Plan): Refusal | null {
  // The output is first, so its event is first.
  const output = adjustPlanned(stock, { position: positionFor(body.item_variant_id), expected: quantity })
  for (const { item, field } of needs) {
    const reserved = adjustPlanned(stock, { position: positionFor(item.item_variant_id), reserved: item.quantity })
    if (reserved !== null) return overflow(field)
  }
  return output === null ? null : overflow('quantity')
}
