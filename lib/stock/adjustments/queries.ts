/**
 * The SQL of stock adjustments: their document, reading them, and the rows that the command writes beside the stock. It must
 * not decide anything.
 */
import { type DocumentPage, type Documents, findDocument, listDocuments } from '../../api/document-queries.ts'
import type { Json, Row } from '../../api/endpoint.ts'
import { sameKey, sameMany } from '../../api/list-page.ts'
import { formatCost, formatMicro } from '../../decimal.ts'
import { type Connection, jsonParameter, object, objects, sql } from '../../store/postgres.ts'
import type { DocumentSource } from '../document-task.ts'
import type { AdjustmentLine } from './rules.ts'
import type { AdjustmentFilters, NewAdjustment } from './schemas.ts'

/** JSON of the adjustment `a`: GET, the list, the command's answer and the event show it so. `items` names its lines' rows. */
const adjustmentDocument = (items: 'stock_adjustment_items' | 'new_adjustment_items') =>
  object(sql.fragment`select
  a.id::text as id,
  a.number,
  a.storage_place_id::text as storage_place_id,
  iso(a.date) as date,
  a.reason,
  a.notes,
  a.external_ref,
  iso(a.created_at) as created_at,
  trim_scale(a.total_amount) as total_amount,
  ${objects(sql.fragment`
    select
      l.id::text as id,
      l.item_id::text as item_id,
      l.item_variant_id::text as item_variant_id,
      l.sku,
      l.title,
      l.batch_id::text as batch_id,
      l.batch_number,
      trim_scale(l.quantity) as quantity,
      trim_scale(l.quantity_before) as quantity_before,
      trim_scale(l.quantity_after) as quantity_after,
      trim_scale(l.unit_cost) as unit_cost,
      trim_scale(l.amount) as amount
    from ${sql.identifier([items])} l
    where l.tenant_id = a.tenant_id and l.stock_adjustment_id = a.id
    order by l.id`)} as items
`)

const adjustments: Documents = {
  table: 'stock_adjustments',
  alias: 'a',
  document: adjustmentDocument('stock_adjustment_items'),
}

/** The adjustment's document, or null when the tenant has no such adjustment. */
export const findAdjustment = (
  connection: Connection,
  wanted: { readonly tenantId: string; readonly id: string },
): Promise<Json | null> => findDocument(connection, adjustments, wanted)

/** A page of adjustments in id order. */
export const listAdjustments = (
  connection: Connection,
  { filters, ...of }: DocumentPage<AdjustmentFilters>,
): Promise<readonly Row[]> =>
  listDocuments(connection, adjustments, {
    ...of,
    same: [
      ...sameKey('number', filters.number),
      ...sameKey('external_ref', filters.external_ref),
      ...sameMany('storage_place_id', filters.storage_place_id),
    ],
    created: { from: filters.created_after, until: filters.created_before },
  })

/** A new adjustment, decided. */
export type AdjustmentRow = {
  readonly id: string
  readonly number: string
  readonly storagePlaceId: string | null
  readonly date: string
  readonly body: NewAdjustment
  readonly lines: readonly AdjustmentLine[]
}

/** New adjustments and their lines. Lines keep their order: their ids ascend in it. */
export const adjustmentSource: DocumentSource<AdjustmentRow> = {
  kind: 'stock_adjustment',
  table: 'stock_adjustments',
  write: ({ tenantId, now }, adjustments) => ({
    inserts: sql.fragment`
      new_adjustments as (
        insert into stock_adjustments (
          tenant_id, id, number, storage_place_id, date, reason, notes, external_ref, total_amount, created_at
        )
        select
          ${tenantId}::bigint, a.id, a.number, a.storage_place_id, a.date, a.reason, a.notes, a.external_ref,
          a.total_amount, ${now}::timestamptz
        from jsonb_to_recordset(${headRows(adjustments)}::jsonb) as a (
          id bigint, number text, storage_place_id bigint, date timestamptz, reason text, notes text, external_ref text,
          total_amount numeric
        )
        returning *
      ), new_adjustment_items as (
        insert into stock_adjustment_items (
          tenant_id, stock_adjustment_id, item_id, item_variant_id, sku, title, batch_id, batch_number,
          quantity, quantity_before, quantity_after, unit_cost, amount
        )
        select
          ${tenantId}::bigint, l.stock_adjustment_id, l.item_id, l.item_variant_id, l.sku, l.title, l.batch_id,
          l.batch_number, l.quantity, l.quantity_before, l.quantity_after, l.unit_cost, l.amount
        from rows from (jsonb_to_recordset(${lineRows(adjustments)}::jsonb) as (
          stock_adjustment_id bigint, item_id bigint, item_variant_id bigint, sku text, title text, batch_id bigint,
          batch_number text, quantity numeric, quantity_before numeric, quantity_after numeric, unit_cost numeric,
          amount numeric
        )) with ordinality as l (
          stock_adjustment_id, item_id, item_variant_id, sku, title, batch_id,
          batch_number, quantity, quantity_before, quantity_after, unit_cost, amount, position
        )
        order by l.position
        returning *
      )`,
    renderings: sql.fragment`select a.id, ${adjustmentDocument('new_adjustment_items')} as document from new_adjustments a`,
  }),
}

const headRows = (adjustments: readonly AdjustmentRow[]) =>
  jsonParameter(
    adjustments.map(({ id, number, storagePlaceId, date, body, lines }) => ({
      id,
      number,
      storage_place_id: storagePlaceId,
      date,
      reason: body.reason,
      notes: body.notes,
      external_ref: body.external_ref,
      total_amount: formatCost(lines.reduce((sum, line) => sum + line.amount, 0n)),
    })),
  )

const lineRows = (adjustments: readonly AdjustmentRow[]) =>
  jsonParameter(
    adjustments.flatMap(({ id, lines }) =>
      lines.map(line => ({
        stock_adjustment_id: id,
        item_id: line.variant.itemId,
        item_variant_id: line.variant.id,
        sku: line.variant.sku,
        title: line.variant.title,
        batch_id: line.batchId,
        batch_number: line.batchNumber,
        quantity: formatMicro(line.quantity),
        quantity_before: formatMicro(line.quantityBefore),
        quantity_after: formatMicro(line.quantityAfter),
        unit_cost: formatMicro(line.unitCost),
        amount: formatCost(line.amount),
      })),
    ),
  )
