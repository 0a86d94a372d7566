/** What manufacturing sees of products: rows that the catalogue writes. */
import { document, fieldOf, type RecordOf } from '../../kit/documents/document.ts'
import type { Need } from '../../kit/documents/needs.ts'
import { askRecord } from '../../kit/documents/records.ts'
import { choice, flag, key, reference, text } from '../../kit/fields/kinds.ts'

export const Item = document({
  kind: 'made_item',
  noun: 'item',
  table: 'items',
  fields: {
    id: key(),
    title: text(),
    type: choice({ PRODUCT: 'made or bought', MATERIAL: 'goes in', SERVICE: 'holds no stock' }),
    batch_tracked: flag(),
  },
})

export const Variant = document({
  kind: 'made_variant',
  noun: 'variant',
  table: 'item_variants',
  fields: {
    id: key(),
    item_id: reference(Item),
    // So that its item is loaded with it.
    item_title: fieldOf('item_id', Item, 'title'),
    sku: text().orNull(),
    title: text(),
  },
})

export type Item = RecordOf<typeof Item>
export type Product = { readonly variant: RecordOf<typeof Variant>; readonly item: Item }

/** The variants of these ids with their items, by id; those that are not there are missing. */
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
