/** The kits that contain a tenant's variants, as far as a unit of work has loaded them. */
import type { Micro } from '../../../platform/decimal.ts'

/** An unarchived kit with its components that hold stock. */
export type Kit = {
  readonly id: string
  readonly sku: string | null
  readonly parts: readonly { readonly itemVariantId: string; readonly each: Micro }[]
}

export class Kits {
  /** The kits that contain a component, by component. */
  readonly byPart = new Map<string, Set<Kit>>()
  /** The available quantity in the last event of each stored balance, by `positionKey`. */
  readonly levels = new Map<string, Micro>()
  mainPlaceId: string | null = null
  /** Positions whose kits were loaded, by `positionKey`. */
  readonly asked = new Set<string>()
  readonly #all = new Map<string, Kit>()

  /** Each load brings the same kit. */
  add(kit: Kit): void {
    if (this.#all.has(kit.id)) return
    this.#all.set(kit.id, kit)
    for (const { itemVariantId } of kit.parts) {
      const kits = this.byPart.get(itemVariantId) ?? new Set()
      this.byPart.set(itemVariantId, kits.add(kit))
    }
  }
}
