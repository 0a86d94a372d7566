/** Pages of the lines of one stock count. */
import * as v from 'valibot'
import type { Row } from '../../../kit/api/endpoint.ts'
import { optional, shape, someIds } from '../../../kit/api/fields.ts'
import { isOwn } from '../../../kit/api/list-filters.ts'
import { type Beginning, behind, rowOrder } from '../../../kit/api/page-order.ts'
import { same } from '../../../kit/api/same.ts'
import { documentJson } from '../../../kit/documents/render.ts'
import { type Connection, fixedFragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import { StockCountItem } from './noun.ts'

export const ItemFilters = shape({ id: optional(someIds()), item_variant_id: optional(someIds()) })

type Page = Beginning & {
  readonly tenantId: string
  readonly countId: string
  readonly filters: v.InferOutput<typeof ItemFilters>
  readonly limit: number
}

/** A page of a count's lines; null when the tenant has no such count. */
export async function itemsOf(connection: Connection, page: Page): Promise<readonly Row[] | null> {
  const { tenantId, countId, filters } = page
  const ofVariant = same({ leaves: 'many', type: 'int8' }, 'item_variant_id', filters.item_variant_id, { alias: 'l' })
  const found = await connection.any(rows(v.object({ id: v.nullable(v.string()), document: v.nullable(v.string()) }))`
    select l.id::text as id, case when l.id is not null then ${fixedFragment(documentJson(StockCountItem, 'l'))} end as document
    from stock_counts c
    left join stock_count_items l on l.tenant_id = c.tenant_id and l.stock_count_id = c.id
      and ${behind(sql.fragment`l.id`, page)} and ${isOwn('l', filters)} and ${ofVariant.conditionIfGiven}
    where c.tenant_id = ${tenantId}::bigint and c.id = ${countId}::bigint
    order by ${rowOrder('l', page)}
    limit ${page.limit}
  `)
  if (found.length === 0) return null
  return found.flatMap(({ id, document }) => (id === null || document === null ? [] : [{ id, document }]))
}
