/**
 * Owns the fixtures of the manufacturing tests: a stockroom with operations and recipes, and short ways to order, start,
 * complete and look. It must not assert anything.
 */
import { createOperationEndpoint } from '../../lib/manufacturing/operations/endpoints.ts'
import { createRecipeEndpoint } from '../../lib/manufacturing/recipes/endpoints.ts'
import { type Stockroom, stockroom } from '../stock/stockroom.ts'
import type { Bench, Loose } from '../support/command-context.ts'

export type Workshop = Stockroom & {
  operation(title: string, costPerHour: number, extra?: Record<string, unknown>): Promise<string>
  /** A recipe of a variant: materials as `[variant, quantity]`, operations as `[operation, hours]`. */
  recipe(variant: string, materials: [string, number][], operations?: [string, number][]): Promise<Loose>
}

/** A workshop of a new tenant, without places. */
export async function workshop(
  bench: Bench,
  options: { plan?: 'free' | 'pro'; closedThrough?: string } = {},
): Promise<Workshop> {
  const room = await stockroom(bench, options)
  const { tenant } = room
  return {
    ...room,
    operation: async (title, costPerHour, extra = {}) =>
      (await tenant.done(createOperationEndpoint, { title, cost_per_hour: costPerHour, ...extra })).id,
    recipe: (variant, materials, operations = []) =>
      tenant.done(createRecipeEndpoint, {
        item_variant_id: variant,
        materials: materials.map(([id, quantity]) => ({ item_variant_id: id, quantity })),
        operations: operations.map(([id, duration]) => ({ operation_id: id, duration })),
      }),
  }
}
