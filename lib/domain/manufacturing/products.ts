/** Loads variants together with their items. */
import type { Need } from '../../kit/documents/needs.ts'
import { askRecord } from '../../kit/documents/records.ts'
import { Item, Variant } from '../catalogue/variant.ts'

export type Product = { readonly variant: Variant; readonly item: Item }

/** The variants of these ids with their items, by id. An id without a variant has no entry. */
export const products = (variantIds: readonly string[]): Need<ReadonlyMap<string, Product>> => ({
  ask: (load, tenantId) => {
    for (const id of variantIds) askRecord(load, Variant, tenantId, id)
  },
  see: work =>
    new Map(
      variantIds.flatMap(id => {
        const variant = work.find(Variant, id)
        const item = variant && work.find(Item, variant.item_id)
        return variant && item ? [[id, { variant, item }]] : []
      }),
    ),
})
