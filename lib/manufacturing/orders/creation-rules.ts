/**
 * Decides on new manufacturing orders: what they need, what it takes, what they reserve and expect. Pure: no I/O and no clock
 * (contract 2, "Manufacturing order").
 */
import { invalid, isRefusal, type Refusal, refuse } from '../../api/errors.ts'
import { type Cost, costOf, divideRounded, MICRO_PLACES, type Micro, parseMicro, powerOfTen } from '../../decimal.ts'
import { dateFault } from '../../stock/batch-rules.ts'
import { type Book, batchByNumber, positionOf, type Variant } from '../../stock/book.ts'
import { nameOf, overflow, variantOf } from '../../stock/line-rules.ts'
import { claim } from '../../stock/posting-rules.ts'
import type { OrderType } from './order.ts'
import type { NewOrder } from './schemas.ts'

/** Below this, as every quantity of the interface. */
const QUANTITY_LIMIT = parseMicro('1000000000')

type FoundStep = {
  readonly operation_id: string
  readonly operation_title: string
  readonly operation_type: string | null
  readonly position: number
  /** Hours per unit of output. */
  readonly duration: string
  readonly cost_per_hour: string
  readonly unit_id: string | null
  readonly unit_name: string | null
  readonly notes: string | null
}

export type OrderSurroundings = {
  readonly itemTitle: string
  /** The named place, else the tenant's default one; null when there is none such. */
  readonly place: { readonly id: string; readonly manufacturing_allowed: boolean } | null
  /** The named recipe, else the newest; null when there is none such. */
  readonly recipe: { readonly id: string; readonly item_id: string; readonly item_variant_id: string | null } | null
  /** The body's items, or the recipe's materials per unit of output. */
  readonly needs: readonly { readonly item_variant_id: string; readonly quantity: string }[]
  /** The recipe's operations in technology order. */
  readonly steps: readonly FoundStep[]
  /** Null without a sales order, or when there is none such. */
  readonly salesOrderStatus: string | null
}

/** A material line; the quantity is the total need, and `field` what of the body it comes from. */
export type PlannedItem = { readonly variant: Variant; readonly quantity: Micro; readonly field: string }
export type PlannedTask = { readonly step: FoundStep; readonly plannedDuration: Micro; readonly plannedCost: Cost }

export type OrderPlan = {
  readonly variant: Variant
  readonly type: OrderType
  readonly quantity: Micro
  readonly placeId: string
  readonly recipeId: string | null
  readonly items: readonly PlannedItem[]
  readonly tasks: readonly PlannedTask[]
}

/**
 * The order's plan; its materials are reserved and its output expected in the book.
 * Refuses `validation_failed` for absent references, places that don't manufacture, other products' recipes, services as
 * materials, batches where there are none, and quantities beyond all bounds; `manufacturing_order_transition_not_allowed`
 * for what cannot be made at all.
 */
export function decideOrder(
  book: Book,
  { body, number }: { readonly body: NewOrder; readonly number: string },
  found: OrderSurroundings,
): OrderPlan | Refusal {
  const variant = book.variants.get(body.item_variant_id)
  if (variant === undefined) return invalid('item_variant_id', 'no such variant')
  const quantity = parseMicro(body.quantity)
  const type = body.type ?? (body.sales_order_id === null ? 'MAKE_TO_STOCK' : 'MAKE_TO_ORDER')
  const items = planItems(book, { body, quantity }, found)
  if (isRefusal(items)) return items
  const tasks = planTasks(found.steps, { type, quantity })
  if (isRefusal(tasks)) return tasks
  const refused =
    refuseReferences(body, variant, found) ??
    refuseOutputBatch(book, { body, variant, number }) ??
    refuseMaking(variant, found)
  if (refused !== null) return refused
  const { place } = found
  if (place === null) return notAllowed('the tenant has no storage place that allows manufacturing')
  const claimed = claimStock(book, { variant, quantity, items, placeId: place.id })
  return claimed ?? { variant, type, quantity, placeId: place.id, recipeId: found.recipe?.id ?? null, items, tasks }
}

function refuseReferences(body: NewOrder, variant: Variant, found: OrderSurroundings): Refusal | null {
  const { place, recipe } = found
  if (body.manufacturing_location_id !== undefined) {
    if (place === null) return invalid('manufacturing_location_id', 'no such storage place')
    if (!place.manufacturing_allowed)
      return invalid('manufacturing_location_id', 'the storage place does not allow manufacturing')
  }
  if (body.recipe_id !== undefined) {
    if (recipe === null) return invalid('recipe_id', 'no such recipe')
    const isOfIt =
      recipe.item_variant_id === null ? recipe.item_id === variant.itemId : recipe.item_variant_id === variant.id
    if (!isOfIt) return invalid('recipe_id', `is not a recipe of ${nameOf(variant)}`)
  }
  if (body.sales_order_id !== null && found.salesOrderStatus === null)
    return invalid('sales_order_id', 'no such sales order')
  return null
}

/** What an order says of its output's batch must fit the item, and a batch that is there already. */
function refuseOutputBatch(
  book: Book,
  { body, variant, number }: { readonly body: NewOrder; readonly variant: Variant; readonly number: string },
): Refusal | null {
  if (!variant.batchTracked) return refuseBatchFields(body, variant)
  const known = batchByNumber(book, variant.id, body.output_batch_number ?? number)
  const dates = { manufactureDate: body.output_manufacture_date, expiryDate: body.output_expiry_date }
  const fault = known === undefined ? null : dateFault(known, dates)
  return fault === null ? null : invalid(`output_${fault.field}`, fault.reason)
}

type BatchFields = Pick<NewOrder, 'output_batch_number' | 'output_manufacture_date' | 'output_expiry_date'>

/** Refuses `validation_failed` for every word on a batch where there is none. */
export function refuseBatchFields(body: BatchFields, variant: Variant): Refusal | null {
  if (body.output_batch_number !== null)
    return invalid('output_batch_number', `${nameOf(variant)} is not batch-tracked`)
  if (body.output_manufacture_date !== null) return invalid('output_manufacture_date', 'is only for a batch')
  if (body.output_expiry_date !== null) return invalid('output_expiry_date', 'is only for a batch')
  return null
}

const notAllowed = (why: string) => refuse('manufacturing_order_transition_not_allowed', why)

function refuseMaking(variant: Variant, { salesOrderStatus }: OrderSurroundings): Refusal | null {
  const name = nameOf(variant)
  if (variant.itemType === 'SERVICE') return notAllowed(`item_variant_id: ${name} is a service and cannot be made`)
  if (variant.archived) return notAllowed(`item_variant_id: ${name} is archived`)
  if (!variant.isProducible) return notAllowed(`item_variant_id: ${name} is not producible`)
  if (salesOrderStatus !== null && salesOrderStatus !== 'OPEN')
    return notAllowed(`sales_order_id: the sales order is ${salesOrderStatus}`)
  return null
}

/** Per unit, times units: to 6 decimals, half up. */
const timesUnits = (perUnit: Micro, units: Micro): Micro => divideRounded(perUnit * units, powerOfTen(MICRO_PLACES))

/** The body's items as they are, else the recipe's materials for the whole quantity. */
function planItems(
  book: Book,
  { body, quantity }: { readonly body: NewOrder; readonly quantity: Micro },
  { needs }: OrderSurroundings,
): readonly PlannedItem[] | Refusal {
  const items: PlannedItem[] = []
  for (const [index, need] of needs.entries()) {
    const variant = variantOf(book, { at: `items[${index}]`, itemVariantId: need.item_variant_id })
    if (isRefusal(variant)) return variant
    const given = parseMicro(need.quantity)
    const total = body.items === undefined ? timesUnits(given, quantity) : given
    if (total >= QUANTITY_LIMIT) return invalid('quantity', `needs 1000000000 of ${nameOf(variant)} or more`)
    const field = body.items === undefined ? 'quantity' : `items[${index}].quantity`
    items.push({ variant, quantity: total, field })
  }
  return items
}

/** One task per operation that serves this type of order. */
function planTasks(
  steps: readonly FoundStep[],
  { type, quantity }: { readonly type: OrderType; readonly quantity: Micro },
): readonly PlannedTask[] | Refusal {
  const tasks: PlannedTask[] = []
  for (const step of steps) {
    if (step.operation_type !== null && step.operation_type !== type) continue
    const plannedDuration = timesUnits(parseMicro(step.duration), quantity)
    if (plannedDuration >= QUANTITY_LIMIT)
      return invalid('quantity', `needs 1000000000 hours of ${step.operation_title} or more`)
    tasks.push({ step, plannedDuration, plannedCost: costOf(plannedDuration, parseMicro(step.cost_per_hour)) })
  }
  return tasks
}

function claimStock(
  book: Book,
  plan: Pick<OrderPlan, 'variant' | 'quantity' | 'items'> & { readonly placeId: string },
): Refusal | null {
  const at = (variant: Variant) => positionOf(book, { itemVariantId: variant.id, storagePlaceId: plan.placeId })
  for (const { variant, quantity, field } of plan.items) {
    if (claim(book, { position: at(variant), reserved: quantity }) !== null) return overflow(field)
  }
  return claim(book, { position: at(plan.variant), expected: plan.quantity }) === null ? null : overflow('quantity')
}
