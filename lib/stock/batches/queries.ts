/** The SQL of batches: their document, and how one is found by its id. */
import type { Documents } from '../../api/document-queries.ts'
import { lookUpText } from '../../api/look-up.ts'
import { object, sql } from '../../postgres/postgres.ts'

export const batches: Documents = {
  table: 'batches',
  alias: 'b',
  document: object(sql.fragment`select
    b.id::text as id,
    v.item_id::text as item_id,
    b.item_variant_id::text as item_variant_id,
    v.sku,
    v.title,
    b.number,
    b.manufacture_date::text as manufacture_date,
    b.expiry_date::text as expiry_date,
    trim_scale(l.quantity) as quantity,
    trim_scale(l.quarantine_quantity) as quarantine_quantity,
    iso(b.created_at) as created_at
    from (
      select coalesce(sum(quantity), 0) as quantity, coalesce(sum(quarantine_quantity), 0) as quarantine_quantity
      from stock_levels where tenant_id = b.tenant_id and batch_id = b.id
    ) l
    cross join lateral (
      select item_id, sku, title from item_variants where tenant_id = b.tenant_id and id = b.item_variant_id limit 1
    ) v`),
}

/** Finds batches by their ids. */
export const batchText = lookUpText(
  `select (${batches.document.sql})::text from batches b where b.tenant_id = q.tenant_id and b.id = q.id`,
)
