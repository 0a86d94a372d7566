/** The SQL of stock movements: their document and pages of the list. */
import * as v from 'valibot'
import type { Row } from '../../api/endpoint.ts'
import { type Asked, pageRows } from '../../api/list-page.ts'
import { type Beginning, rowOrder } from '../../api/page-order.ts'
import { type Connection, object, rows, sql } from '../../postgres/postgres.ts'

/** JSON of the movement `m`. */
const movementDocument = object(sql.fragment`select
  m.id::text as id,
  m.item_variant_id::text as item_variant_id,
  m.storage_place_id::text as storage_place_id,
  m.batch_id::text as batch_id,
  m.kind,
  trim_scale(m.quantity) as quantity,
  trim_scale(m.value) as value,
  trim_scale(m.quantity_after) as quantity_after,
  m.source_type,
  m.source_id::text as source_id,
  iso(m.document_date) as document_date,
  iso(m.created_at) as created_at
`)

/** A page of movements ; ascending ids are posting order. */
export async function listMovements(
  connection: Connection,
  page: Asked & Beginning & { readonly tenantId: string; readonly limit: number },
): Promise<readonly Row[]> {
  const found = pageRows({ table: 'stock_movements', ...page }, 'm')
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select m.id::text as id, ${movementDocument}::text as document
    from ${found}
    order by ${rowOrder('m', page)}
  `)
}
