/** How manufacturing orders are made (docs/rules/manufacturing.md). */

import { isRefusal } from '../../../kit/api/errors.ts'
import { made } from '../../../kit/documents/command.ts'
import { creates } from '../../../kit/documents/creates.ts'
import { type Need, theRecord } from '../../../kit/documents/needs.ts'
import { askRecord } from '../../../kit/documents/records.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { Unit } from '../../catalogue/units/document.ts'
import { manufacturingPlace } from '../../places/manufacturing-place.ts'
import { StoragePlace } from '../../places/noun.ts'
import { SalesOrder } from '../../sales/orders/noun.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { Operation } from '../operations/noun.ts'
import { products } from '../products.ts'
import { newestRecipe } from '../recipes/newest.ts'
import { Recipe } from '../recipes/noun.ts'
import { decideOrder, type StepOperation } from './creation-rules.ts'
import { ManufacturingOrder, transitionNotAllowed } from './noun.ts'

/** A usual recipe has this many materials and operations. */
const [MATERIALS, TASKS] = [20, 4]

/** Its events: the stock of the output and the materials, then `manufacturing_order.created`. */
export const createManufacturingOrder = creates(ManufacturingOrder, {
  description:
    "Takes the variant's newest recipe, else its item's; `recipe_id` names another. `items` (total need, may be empty) replace " +
    "the recipe's materials, not its operations; without a recipe and without `items` the order has no materials. Needs " +
    '(with scrap) and durations are those of the recipe times `quantity / output_quantity`, computed exactly and rounded once, half up ' +
    'to 6 decimals; a need that comes to 0 is no line. Materials are reserved and the output is expected at `manufacturing_location_id`: by default the main place if it allows manufacturing, else the one with the ' +
    'lowest id that does. `type` defaults to MAKE_TO_ORDER with a `sales_order_id`, else to MAKE_TO_STOCK; it chooses the ' +
    "recipe's operations. An archived, non-producible or SERVICE variant, a finished sales order, or a tenant without a place " +
    'that allows manufacturing is 422 `manufacturing_order_transition_not_allowed`.',
  example: {
    item_variant_id: '1042',
    quantity: 8,
    priority: 5,
    planned_start_date: '2026-11-23T07:00:00Z',
    notes: 'For the winter fair',
  },
  counts: true,
  refusals: [transitionNotAllowed, 'unprocessable'],
  ids: body => 1 + (body.items?.length ?? MATERIALS) + TASKS,
  needs: body => ({
    products: products([body.item_variant_id]),
    place:
      body.manufacturing_location_id === undefined
        ? manufacturingPlace
        : theRecord(StoragePlace, body.manufacturing_location_id),
    recipe: body.recipe_id === undefined ? newestRecipe(body.item_variant_id) : theRecord(Recipe, body.recipe_id),
    salesOrder: theRecord(SalesOrder, body.sales_order_id),
  }),
  more: (body, { place, recipe, number, products: found }) => {
    const materials = body.items ?? recipe?.materials ?? []
    const isTracked = found.get(body.item_variant_id)?.item.batch_tracked ?? false
    const batchNumber = body.output_batch_number ?? number.expected
    return {
      operationOf: operationsOf(recipe?.operations.map(line => line.operation_id) ?? []),
      stock: stockOf({
        positions: [body.item_variant_id, ...materials.map(line => line.item_variant_id)].map(itemVariantId => ({
          itemVariantId,
          storagePlaceId: place?.id ?? null,
        })),
        batches: isTracked ? [{ itemVariantId: body.item_variant_id, number: batchNumber }] : [],
      }),
    }
  },
  decide: (body, facts, { now, tenant, work }) => {
    const taken = facts.refuseTaken()
    if (taken) return taken
    const item = facts.products.get(body.item_variant_id)?.item ?? null
    const takeId = () => work.newId()
    const head = { id: takeId(), number: facts.number.take(), currency: tenant.currency, created_at: now }
    const order = decideOrder({ ...facts, item, takeId }, { ...head, body })
    if (isRefusal(order)) return order
    const refused = refuseDocumentDate({ field: 'created_date', date: now, now, tenant })
    return refused ?? made(work, ManufacturingOrder, work.make(ManufacturingOrder, order))
  },
})

/** The values that tasks copy from these operations. Throws `NextUnit` for an operation that was not loaded. */
const operationsOf = (ids: readonly string[]): Need<(id: string) => StepOperation> => ({
  ask: (load, tenantId) => {
    for (const id of ids) askRecord(load, Operation, tenantId, id)
  },
  see: work => id => {
    const operation = work.find(Operation, id)
    if (operation === null) throw new Error(`the operation ${id} of a recipe is gone`)
    const unit = operation.unit_id === null ? null : work.find(Unit, operation.unit_id)
    return { title: operation.title, unit_id: operation.unit_id, unit_name: unit?.name ?? null }
  },
})
