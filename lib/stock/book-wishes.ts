/**
 * What a command wishes to see in its book before it decides. It must not say how that is found; load-book.ts does.
 */
import type { Fragment } from '../store/postgres.ts'

/** A position to open. */
export type PositionWish = {
  readonly itemVariantId: string
  /** Null: stock without a place. `main`: the tenant's main place, or none where it has no places. */
  readonly storagePlaceId: string | null | 'main'
  /** Whether stock may be taken without naming a batch: then every level with stock is loaded. */
  readonly pickable: boolean
}

/** A batch that the command names, by id or by its number among the variant's. */
export type BatchWish = { readonly itemVariantId: string; readonly id: string | null; readonly number: string | null }

/**
 * Wishes of which only the database knows what they are: the materials of an order that is named by its id. They are looked
 * up in the same query.
 */
export type WishLookup = {
  /** `name as materialized (...)`, separated by commas: what the two below, and `also`, select from. */
  readonly relations: Fragment
  /** Selects `item_variant_id, storage_place_id, pickable` and, to order by, `position integer`. */
  readonly positions: Fragment
  /** Selects `item_variant_id, id, number`: the id or the number is null. */
  readonly batches: Fragment
}

export type BookWishes = {
  readonly positions: readonly PositionWish[]
  readonly batches: readonly BatchWish[]
  readonly lookup?: WishLookup
  /** How many ids the command may need for what it makes (its document, new batches). */
  readonly freshIds: number
  /** One more scalar to load in the same query: what only this command needs, as JSON. */
  readonly also?: Fragment
}
