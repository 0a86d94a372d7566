/** The kits in which a tenant's variants stand, as far as a unit of work knows them. */
import type { Micro } from '../../../platform/decimal.ts'

/** A kit that is not archived, with its components that hold stock. */
export type Kit = {
  readonly id: string
  readonly sku: string | null
  readonly parts: readonly { readonly itemVariantId: string; readonly each: Micro }[]
}

/** What a unit of work knows of a tenant's kits. */
export class Kits {
  /** By component. */
  readonly byPart = new Map<string, Set<Kit>>()
  /** What is available as it was told last, by `positionKey`, of balances that are stored. */
  readonly levels = new Map<string, Micro>()
  mainPlaceId: string | null = null
  /** Positions of which kits were asked for, by `positionKey`. */
  readonly asked = new Set<string>()
  readonly #all = new Map<string, Kit>()

  /** A kit is the same in each load. */
  add(kit: Kit): void {
    if (this.#all.has(kit.id)) return
    this.#all.set(kit.id, kit)
    for (const { itemVariantId } of kit.parts) {
      const kits = this.byPart.get(itemVariantId) ?? new Set()
      this.byPart.set(itemVariantId, kits.add(kit))
    }
  }
}
