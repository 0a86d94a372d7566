/**
 * The SQL of stock movements: their document and pages of the list. It must not write.
 */
import * as v from 'valibot'
import { createdBetween } from '../../api/created-range.ts'
import type { Row } from '../../api/endpoint.ts'
import { pageStart } from '../../api/list-page.ts'
import { type Connection, type Fragment, rows, sql } from '../../store/postgres.ts'
import type { MovementFilters } from './schemas.ts'

/** JSON of the movement `m`. */
const movementDocument = sql.fragment`json_build_object(
  'id', m.id::text,
  'item_variant_id', m.item_variant_id::text,
  'storage_place_id', m.storage_place_id::text,
  'batch_id', m.batch_id::text,
  'kind', m.kind,
  'quantity', trim_scale(m.quantity),
  'value', trim_scale(m.value),
  'quantity_after', trim_scale(m.quantity_after),
  'source_type', m.source_type,
  'source_id', m.source_id::text,
  'document_date', iso(m.document_date),
  'created_at', iso(m.created_at)
)`

/** A page of movements in id order, which is posting order. */
export async function listMovements(
  connection: Connection,
  page: {
    readonly tenantId: string
    readonly filters: MovementFilters
    readonly after: string | null
    readonly limit: number
  },
): Promise<readonly Row[]> {
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select m.id::text as id, ${movementDocument}::text as document
    from stock_movements m
    where m.tenant_id = ${page.tenantId}::bigint and m.id > ${pageStart(page.after)}::bigint
      ${conditions(page.tenantId, page.filters)}
    order by m.id
    limit ${page.limit}
  `)
}

function conditions(tenantId: string, filters: MovementFilters): Fragment {
  const { created_after: after, created_before: before } = filters
  const none = sql.fragment``
  const same = (column: string, id: string | undefined) =>
    id === undefined ? none : sql.fragment`and ${sql.identifier(['m', column])} = ${id}::bigint`
  return sql.fragment`
    ${same('item_variant_id', filters.item_variant_id)}
    ${same('storage_place_id', filters.storage_place_id)}
    ${same('batch_id', filters.batch_id)}
    ${same('source_id', filters.source_id)}
    ${filters.source_type === undefined ? none : sql.fragment`and m.source_type = ${filters.source_type}`}
    ${createdBetween({ table: 'stock_movements', alias: 'm', tenantId, after, before })}
  `
}
