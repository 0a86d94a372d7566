/** The stock value of a product. It moves with the product to another category of the books. */
import type { Need } from '../../kit/documents/needs.ts'
import { question } from '../../kit/documents/question.ts'
import { type Cost, parseCost } from '../../platform/decimal.ts'

type StockValue = { readonly itemVariantId: string; readonly storagePlaceId: string | null; readonly value: Cost }

/** Stock writes drop this answer for each product whose stock they change. */
export const productValues = question({
  name: 'stock values of products',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id, b.item_variant_id, b.storage_place_id, b.value
    from ${asked}
    cross join lateral (select id from item_variants where tenant_id = q.tenant_id and item_id = q.id order by id offset 0) v
    cross join lateral (
      select item_variant_id, storage_place_id, value from stock_balances
      where tenant_id = q.tenant_id and item_variant_id = v.id and value <> 0 order by place_key offset 0
    ) b`,
  read: rows =>
    rows.map(
      (row): StockValue => ({
        itemVariantId: String(row['item_variant_id']),
        storagePlaceId: row['storage_place_id'] == null ? null : String(row['storage_place_id']),
        value: parseCost(String(row['value'])),
      }),
    ),
})

/** Values by variant and place, without those that are 0. `id` null: there is no product to ask about. */
export const valuesOf = (id: string | null): Need<() => readonly StockValue[]> => ({
  ask: (load, tenantId) => id !== null && productValues.ask(load, tenantId, { id }),
  see: work => () => (id === null ? [] : work.answer(productValues, { id })),
})
