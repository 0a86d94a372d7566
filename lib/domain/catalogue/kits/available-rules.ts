/** How many of a kit could be sold, and the `kit.changed` events. Pure (docs/rules/kits.md). */
import type { DomainEvent } from '../../../kit/api/endpoint.ts'
import { type Refusal, refuse } from '../../../kit/api/errors.ts'
import type { Micro } from '../../../platform/decimal.ts'

/** The most pairs of kit and place in one command's events. */
export const KIT_CHANGES_MAX = 5_000

/** A component that holds stock: how many are in one kit, and how many are available. Null: the component has no row at the place. */
export type PartLevel = { readonly each: Micro; readonly available: Micro | null }

/** The row of a kit at a place: how many whole kits could be sold. Null: its components hold no stock. */
export type KitRow = { readonly available: bigint | null }

/** The row of a kit. Null: the kit has no row, because no component has a row and the place is not the main place. */
export function kitRow(parts: readonly PartLevel[], isMain: boolean): KitRow | null {
  if (!isMain && parts.every(({ available }) => available === null)) return null
  return { available: parts.map(wholeKits).reduce<bigint | null>(least, null) }
}

const wholeKits = ({ each, available }: PartLevel): bigint => {
  const left = available ?? 0n
  return left >= 0n ? left / each : -((each - 1n - left) / each)
}
const least = (a: bigint | null, b: bigint): bigint => (a === null || b < a ? b : a)

export type KitAt = { readonly id: string; readonly sku: string | null; readonly storagePlaceId: string | null }

/** The event of a kit whose row changed. A removed row counts as 0 kits. */
export function kitChange(kit: KitAt, before: KitRow | null, after: KitRow | null): DomainEvent[] {
  const now = after ?? { available: 0n }
  if ((before ?? after ?? now).available === now.available && (before !== null || after === null)) return []
  const head = { item_variant_id: kit.id, sku: kit.sku, storage_place_id: kit.storagePlaceId, is_kit: true }
  const data =
    `${JSON.stringify(head).slice(0, -1)},"quantity":null,"quarantine_quantity":null,"expired_quantity":null,"reserved_quantity":null,` +
    `"expected_quantity":null,"available_quantity":${now.available},"average_cost":null,"updated_at":null}`
  return [{ type: 'kit.changed', data, previous: before && `{"available_quantity":${before.available}}` }]
}

/** Refuses `unprocessable` for a command with more events of kits than KIT_CHANGES_MAX. */
export const refuseKitChanges = (count: number): Refusal | null =>
  count > KIT_CHANGES_MAX
    ? refuse(
        'unprocessable',
        `This would change how many of a kit can be sold for ${count} kits and places; at most ${KIT_CHANGES_MAX} change at once`,
      )
    : null
