/**
 * The SQL of stock transfers: their document, reading them, and the rows that the command writes beside the stock. It must
 * not decide anything.
 */
import { type DocumentPage, type Documents, findDocument, listDocuments } from '../../api/document-queries.ts'
import type { Json, Row } from '../../api/endpoint.ts'
import { sameKey, sameMany } from '../../api/list-page.ts'
import { formatCost, formatMicro } from '../../decimal.ts'
import { type Connection, jsonParameter, object, objects, sql } from '../../store/postgres.ts'
import type { DocumentSource } from '../document-task.ts'
import type { TransferLine } from './rules.ts'
import type { NewTransfer, TransferFilters } from './schemas.ts'

/** JSON of the transfer `t`: GET, the list, the command's answer and the event show it so. `items` names its lines' rows. */
const transferDocument = (items: 'stock_transfer_items' | 'new_transfer_items') =>
  object(sql.fragment`select
  t.id::text as id,
  t.number,
  t.from_storage_place_id::text as from_storage_place_id,
  t.to_storage_place_id::text as to_storage_place_id,
  iso(t.date) as date,
  t.notes,
  t.external_ref,
  iso(t.created_at) as created_at,
  ${objects(sql.fragment`
    select
      l.id::text as id,
      l.item_variant_id::text as item_variant_id,
      l.sku,
      l.title,
      l.batch_id::text as batch_id,
      l.batch_number,
      trim_scale(l.quantity) as quantity,
      trim_scale(l.value) as value
    from ${sql.identifier([items])} l
    where l.tenant_id = t.tenant_id and l.stock_transfer_id = t.id
    order by l.id`)} as items
`)

const transfers: Documents = {
  table: 'stock_transfers',
  alias: 't',
  document: transferDocument('stock_transfer_items'),
}

/** The transfer's document, or null when the tenant has no such transfer. */
export const findTransfer = (
  connection: Connection,
  wanted: { readonly tenantId: string; readonly id: string },
): Promise<Json | null> => findDocument(connection, transfers, wanted)

/** A page of transfers in id order. */
export const listTransfers = (
  connection: Connection,
  { filters, ...of }: DocumentPage<TransferFilters>,
): Promise<readonly Row[]> =>
  listDocuments(connection, transfers, {
    ...of,
    same: [
      ...sameKey('number', filters.number),
      ...sameKey('external_ref', filters.external_ref),
      ...sameMany('from_storage_place_id', filters.from_storage_place_id),
      ...sameMany('to_storage_place_id', filters.to_storage_place_id),
    ],
    created: { from: filters.created_after, until: filters.created_before },
  })

/** A new transfer, decided. */
export type TransferRow = {
  readonly id: string
  readonly number: string
  readonly date: string
  readonly body: NewTransfer
  readonly lines: readonly TransferLine[]
}

/** New transfers and their lines. Lines keep their order: their ids ascend in it. */
export const transferSource: DocumentSource<TransferRow> = {
  kind: 'stock_transfer',
  table: 'stock_transfers',
  write: ({ tenantId, now }, transfers) => ({
    inserts: sql.fragment`
      new_transfers as (
        insert into stock_transfers (
          tenant_id, id, number, from_storage_place_id, to_storage_place_id, date, notes, external_ref, created_at
        )
        select
          ${tenantId}::bigint, t.id, t.number, t.from_storage_place_id, t.to_storage_place_id, t.date, t.notes,
          t.external_ref, ${now}::timestamptz
        from jsonb_to_recordset(${headRows(transfers)}::jsonb) as t (
          id bigint, number text, from_storage_place_id bigint, to_storage_place_id bigint, date timestamptz, notes text,
          external_ref text
        )
        returning *
      ), new_transfer_items as (
        insert into stock_transfer_items (
          tenant_id, stock_transfer_id, item_variant_id, sku, title, batch_id, batch_number,
          from_quarantine, to_quarantine, quantity, value
        )
        select
          ${tenantId}::bigint, l.stock_transfer_id, l.item_variant_id, l.sku, l.title, l.batch_id, l.batch_number,
          l.from_quarantine, l.to_quarantine, l.quantity, l.value
        from rows from (jsonb_to_recordset(${lineRows(transfers)}::jsonb) as (
          stock_transfer_id bigint, item_variant_id bigint, sku text, title text, batch_id bigint, batch_number text,
          from_quarantine boolean, to_quarantine boolean, quantity numeric, value numeric
        )) with ordinality as l (
          stock_transfer_id, item_variant_id, sku, title, batch_id, batch_number,
          from_quarantine, to_quarantine, quantity, value, position
        )
        order by l.position
        returning *
      )`,
    renderings: sql.fragment`select t.id, ${transferDocument('new_transfer_items')} as document from new_transfers t`,
  }),
}

const headRows = (transfers: readonly TransferRow[]) =>
  jsonParameter(
    transfers.map(({ id, number, date, body }) => ({
      id,
      number,
      from_storage_place_id: body.from_storage_place_id,
      to_storage_place_id: body.to_storage_place_id,
      date,
      notes: body.notes,
      external_ref: body.external_ref,
    })),
  )

const lineRows = (transfers: readonly TransferRow[]) =>
  jsonParameter(
    transfers.flatMap(({ id, lines }) =>
      lines.map(({ variant, batch, item, quantity, value }) => ({
        stock_transfer_id: id,
        item_variant_id: variant.id,
        sku: variant.sku,
        title: variant.title,
        batch_id: batch?.id ?? null,
        batch_number: batch?.number ?? null,
        from_quarantine: item.from_quarantine,
        to_quarantine: item.to_quarantine,
        quantity: formatMicro(quantity),
        value: formatCost(value),
      })),
    ),
  )
