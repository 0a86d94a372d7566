/** How many of a kit could be sold after its components changed. Pure (docs/rules/kits.md). */
import type { DomainEvent } from '../../../kit/api/endpoint.ts'
import type { Product, Variant } from '../noun.ts'
import { kitChange, kitRow } from './available-rules.ts'
import type { Wanted } from './fields.ts'
import type { FindLevels } from './parts.ts'

/** The `kit.changed` events of a product whose variants got other components. A kit that is or was archived has no events. */
export function componentChanges(before: Product, after: Product, find: FindLevels): DomainEvent[] {
  const old = new Map(before.variants.map(variant => [variant.id, variant]))
  return after.variants.flatMap(variant => {
    const stored = old.get(variant.id)
    if (stored === undefined || stored.components === variant.components) return []
    return stored.active && variant.active ? changesOf(stored, variant, find) : []
  })
}

function changesOf(before: Variant, after: Variant, find: FindLevels): DomainEvent[] {
  const all = [...before.components, ...after.components].map(({ item_variant_id: id }) => find(id))
  const mainPlaceId = all[0]?.mainPlaceId ?? ''
  const places = new Set([mainPlaceId, ...all.flatMap(({ available }) => [...available.keys()])])
  const rowAt = ({ components }: Variant, place: string) =>
    kitRow(levelsAt(components, place, find), place === mainPlaceId)
  return [...places].flatMap(place =>
    kitChange(
      { id: after.id, sku: after.sku, storagePlaceId: place === '' ? null : place },
      rowAt(before, place),
      rowAt(after, place),
    ),
  )
}

/** Only components that hold stock count. */
const levelsAt = (components: readonly Wanted[], place: string, find: FindLevels) =>
  components.flatMap(({ item_variant_id: id, quantity: each }) => {
    const { holdsStock, available } = find(id)
    return holdsStock ? [{ each, available: available.get(place) ?? null }] : []
  })
