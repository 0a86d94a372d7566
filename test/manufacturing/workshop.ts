/**
 * The fixtures of the manufacturing tests: a tenant with operations and recipes, and short functions to order, start, complete and read.
 */

import { createOperation } from '../../lib/domain/manufacturing/operations/commands.ts'
import { changeManufacturingOrder } from '../../lib/domain/manufacturing/orders/change-command.ts'
import {
  blockOrder,
  completeOrder,
  deleteOrder,
  startOrder,
  unblockOrder,
} from '../../lib/domain/manufacturing/orders/commands.ts'
import { createManufacturingOrder } from '../../lib/domain/manufacturing/orders/creation-command.ts'
import {
  getManufacturingOrder,
  listManufacturingOrders,
  listProductionTasks,
} from '../../lib/domain/manufacturing/orders/endpoints.ts'
import { moveMaterials } from '../../lib/domain/manufacturing/orders/materials-command.ts'
import { createRecipe } from '../../lib/domain/manufacturing/recipes/commands.ts'
import type { Endpoint } from '../../lib/kit/api/endpoint.ts'
import { type Body, stockroom } from '../stock/stockroom.ts'
import type { Bench, Loose, Outcome } from '../support/command-context.ts'

/** One command on an order: its answer, its outcome with events, or its refusal as `code message`. */
type Move = {
  (order: Loose, body?: Body): Promise<Loose>
  run(order: Loose, body?: Body): Promise<Outcome>
  refused(order: Loose, body?: Body): Promise<string>
}

export type Workshop = Awaited<ReturnType<typeof workshop>>

/** A workshop of a new tenant, without places. */
export async function workshop(bench: Bench, options: Parameters<typeof stockroom>[1] = {}) {
  const room = await stockroom(bench, options)
  const { tenant } = room
  const of = (order: Loose) => ({ id: String(order.id) })
  const move = (endpoint: Endpoint): Move =>
    Object.assign((order: Loose, body: Body = {}) => tenant.done(endpoint, body, of(order)), {
      run: (order: Loose, body: Body = {}) => tenant.run(endpoint, body, of(order)),
      refused: (order: Loose, body: Body = {}) => tenant.refusal(endpoint, body, of(order)),
    })
  return {
    ...room,
    operation: async (title: string, costPerHour: number, extra: Body = {}): Promise<string> =>
      (await tenant.done(createOperation, { title, cost_per_hour: costPerHour, ...extra })).id,
    /** A recipe of a variant: materials as `[variant, quantity]`, operations as `[operation, hours]`. */
    recipe: (variant: string, materials: [string, number][], operations: [string, number][] = []) =>
      tenant.done(createRecipe, {
        item_variant_id: variant,
        materials: materials.map(([id, quantity]) => ({ item_variant_id: id, quantity })),
        operations: operations.map(([id, duration]) => ({ operation_id: id, duration })),
      }),
    /** An order of so many of the variant. */
    order: (variant: string, quantity: number, extra: Body = {}) =>
      tenant.done(createManufacturingOrder, { item_variant_id: variant, quantity, ...extra }),
    tryOrder: (variant: string, quantity: number, extra: Body = {}) =>
      tenant.run(createManufacturingOrder, { item_variant_id: variant, quantity, ...extra }),
    refusedOrder: (variant: string, quantity: number, extra: Body = {}) =>
      tenant.refusal(createManufacturingOrder, { item_variant_id: variant, quantity, ...extra }),
    start: move(startOrder),
    materials: move(moveMaterials),
    complete: move(completeOrder),
    block: move(blockOrder),
    unblock: move(unblockOrder),
    remove: move(deleteOrder),
    change: move(changeManufacturingOrder),
    read: (order: Loose) => tenant.read(getManufacturingOrder, of(order)),
    orders: (filters: Record<string, string> = {}): Promise<Loose[]> =>
      tenant.page(listManufacturingOrders, { filters, limit: 200 }),
    tasks: (order: Loose): Promise<Loose[]> => tenant.page(listProductionTasks, { params: of(order) }),
    /** `sku: on hand (reserved, expected) = value` per variant and place with stock or claims, batches added up. */
    shelf: async () => shelfOf(await room.stock()),
  }
}

function shelfOf(rows: Loose[]): string[] {
  const shelves = Map.groupBy(rows, row => `${row.sku}@${row.storage_place_id}`)
  return [...shelves.values()]
    .map(batches => {
      const sum = (field: string) => batches.reduce((total, row) => total + row[field] * 10_000, 0) / 10_000
      const [reserved, expected] = [sum('reserved_quantity'), sum('expected_quantity')]
      const claims = reserved === 0 && expected === 0 ? '' : ` (${reserved} reserved, ${expected} expected)`
      return `${batches[0].sku}: ${sum('quantity')}${claims} = ${sum('stock_value')}`
    })
    .sort()
}

/** `materials + operations = total, posted, wip, unit cost` of an order. */
export function costs({ actual_cost: cost }: Loose): string {
  const { materials_cost, operations_cost, total_cost, posted_cost, wip_cost, unit_cost, is_final } = cost
  return `${materials_cost} + ${operations_cost} = ${total_cost}, posted ${posted_cost}, wip ${wip_cost}, each ${unit_cost}${is_final ? ', final' : ''}`
}
