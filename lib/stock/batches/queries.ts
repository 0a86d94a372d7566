/** The SQL of batches: their document, one by its id, and pages of the list. */
import { type Documents, findDocument, listDocuments } from '../../api/document-queries.ts'
import type { Json, Row } from '../../api/endpoint.ts'
import { sameFew, sameFewText } from '../../api/list-page.ts'
import { type Connection, object, sql } from '../../postgres/postgres.ts'
import type { BatchFilters } from './schemas.ts'

const batches: Documents = {
  table: 'batches',
  alias: 'b',
  isThere: sql.fragment``,
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

type OfBatch = { readonly tenantId: string; readonly id: string }

/** The batch, or null when the tenant has none with this id. */
export const findBatch = (connection: Connection, of: OfBatch): Promise<Json | null> =>
  findDocument(connection, batches, of)

/** A page of batches in id order. */
export function listBatches(
  connection: Connection,
  page: {
    readonly tenantId: string
    readonly filters: BatchFilters
    readonly after: string | null
    readonly limit: number
  },
): Promise<readonly Row[]> {
  const { filters, ...of } = page
  const { expires_before } = filters
  return listDocuments(connection, batches, {
    ...of,
    same: [...sameFewText('number', filters.number), ...sameFew('item_variant_id', filters.item_variant_id)],
    time: {
      column: 'expiry_date',
      from: undefined,
      until: expires_before === undefined ? undefined : firstDayFrom(expires_before),
    },
  })
}

const DAY_MS = 86_400_000

/** The first day that begins at the time or after it: a day begins at midnight UTC. */
const firstDayFrom = (timestamp: string): string =>
  new Date(Math.ceil(Date.parse(timestamp) / DAY_MS) * DAY_MS).toISOString().slice(0, 10)
