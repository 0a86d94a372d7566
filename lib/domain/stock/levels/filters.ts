/** The filters of stock entries. */
import { code } from '../../../kit/api/fields.ts'
import { amongThe, fewIds, filtersOf, manyIds } from '../../../kit/api/list-filters.ts'
import { sql } from '../../../platform/postgres/postgres.ts'
import { changedAfter } from './changed-since.ts'

/** The narrowest first. */
export const levelFilters = filtersOf({
  batch_id: fewIds(),
  item_variant_id: fewIds(),
  // Archived variants too: their stock stays listed.
  sku: amongThe(
    code(),
    (sku, { tenantId }) => sql.fragment`
      select l.id
      from (select id from item_variants where tenant_id = ${tenantId}::bigint and sku = ${sku} offset 0) v
      cross join lateral (
        select id from stock_levels where tenant_id = ${tenantId}::bigint and item_variant_id = v.id offset 0
      ) l`,
  ),
  batch_number: amongThe(
    code(),
    (number, { tenantId }) => sql.fragment`
      select l.id
      from (select id from batches where tenant_id = ${tenantId}::bigint and number = ${number} offset 0) t
      cross join lateral (
        select id from stock_levels where tenant_id = ${tenantId}::bigint and batch_id = t.id offset 0
      ) l`,
  ),
  storage_place_id: manyIds(),
  updated_after: changedAfter,
})
