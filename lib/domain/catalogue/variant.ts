/** Products and variants as other areas read them. The catalogue writes these rows (noun.ts). */
import { document, fieldOf, type RecordOf } from '../../kit/documents/document.ts'
import { choice, flag, key, reference, text } from '../../kit/fields/kinds.ts'

export const Item = document({
  kind: 'item',
  noun: 'product',
  table: 'items',
  fields: {
    id: key(),
    title: text(),
    type: choice({ PRODUCT: 'made or bought', MATERIAL: 'goes in', SERVICE: 'holds no stock', KIT: 'of parts' }),
    batch_tracked: flag(),
  },
})

export const Variant = document({
  kind: 'variant',
  noun: 'variant',
  table: 'item_variants',
  fields: {
    id: key(),
    item_id: reference(Item),
    // The item's title makes a unit of work load the item together with its variant.
    item_title: fieldOf('item_id', Item, 'title'),
    sku: text().orNull(),
    title: text(),
  },
})

export type Item = RecordOf<typeof Item>
export type Variant = RecordOf<typeof Variant>
