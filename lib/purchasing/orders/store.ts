/**
 * The rows that the commands of purchase orders write, beside the stock, in the ledger's one statement. It must not decide
 * anything.
 */
import { formatExchangeRate } from '../../decimal.ts'
import {
  type ChosenPartner,
  partnerColumns,
  partnerLookup,
  partnersWrite,
  writtenPartner,
} from '../../partners/inline.ts'
import { supplierKind } from '../../partners/kinds.ts'
import type { DocumentSource } from '../../stock/document-task.ts'
import type { DocumentWrite } from '../../stock/ledger.ts'
import { orderedColumns, totalColumns } from '../../stock/order-line.ts'
import { type Fragment, jsonParameter, sql } from '../../store/postgres.ts'
import { orderDocument } from './document.ts'
import type { OrderLine, OrderMoney } from './rules.ts'
import type { NewOrder } from './schemas.ts'

/** Whose, and when. */
type Stamp = { readonly tenantId: string; readonly now: string }

/** A new order, decided. */
export type OrderRow = {
  readonly id: string
  readonly number: string
  readonly supplier: ChosenPartner
  readonly money: OrderMoney
  readonly date: string
  readonly expectedPlaceId: string | null
  readonly body: NewOrder
  readonly lines: readonly OrderLine[]
}

/** New orders with their lines, and with their suppliers where those are new too. Lines keep their order: their ids ascend in it. */
export const orderSource: DocumentSource<OrderRow> = {
  kind: 'purchase_order',
  table: 'purchase_orders',
  questionColumns: partnerColumns,
  found: tenantId => sql.fragment`json_build_object('supplier', ${partnerLookup(supplierKind, tenantId)})`,
  write: ({ tenantId, now }, orders) => ({
    inserts: sql.fragment`
      ${partnersWrite(supplierKind, { tenantId, now, partners: orders.map(({ supplier }) => supplier) })},
      new_purchase_orders as (
        insert into purchase_orders (
          tenant_id, id, number, supplier_id, status, delivery_status, currency, exchange_rate, date, expected_date,
          expected_place_id, notes, external_ref, total_amount, tax_amount, created_at, updated_at
        )
        select
          ${tenantId}::bigint, o.id, o.number, o.supplier_id, 'OPEN', 'NOT_RECEIVED', o.currency, o.exchange_rate, o.date,
          o.expected_date, o.expected_place_id, o.notes, o.external_ref, o.total_amount, o.tax_amount, ${now}::timestamptz,
          ${now}::timestamptz
        from jsonb_to_recordset(${headRows(orders)}::jsonb) as o (
          id bigint, number text, supplier_id bigint, currency text, exchange_rate numeric, date timestamptz,
          expected_date timestamptz, expected_place_id bigint, notes text, external_ref text, total_amount numeric,
          tax_amount numeric
        )
        returning *
      ), new_purchase_order_items as (
        insert into purchase_order_items (
          tenant_id, purchase_order_id, item_id, item_variant_id, sku, title, batch_number, expiry_date, holds_stock,
          quantity, price, tax_rate, line_amount, line_tax_amount
        )
        select
          ${tenantId}::bigint, l.purchase_order_id, l.item_id, l.item_variant_id, l.sku, l.title, l.batch_number,
          l.expiry_date, l.holds_stock, l.quantity, l.price, l.tax_rate, l.line_amount, l.line_tax_amount
        from rows from (jsonb_to_recordset(${lineRows(orders)}::jsonb) as (
          purchase_order_id bigint, item_id bigint, item_variant_id bigint, sku text, title text, batch_number text,
          expiry_date date, holds_stock boolean, quantity numeric, price numeric, tax_rate numeric, line_amount numeric,
          line_tax_amount numeric
        )) with ordinality as l (
          purchase_order_id, item_id, item_variant_id, sku, title, batch_number,
          expiry_date, holds_stock, quantity, price, tax_rate, line_amount,
          line_tax_amount, position
        )
        order by l.position
        returning *
      )`,
    renderings: sql.fragment`
      select o.id, ${orderDocument({
        items: sql.fragment`new_purchase_order_items`,
        supplier: writtenPartner(supplierKind, tenantId),
      })} as document
      from new_purchase_orders o`,
  }),
}

const headRows = (orders: readonly OrderRow[]) =>
  jsonParameter(
    orders.map(({ id, number, supplier, money, date, expectedPlaceId, body, lines }) => ({
      id,
      number,
      supplier_id: supplier.id,
      currency: money.currency,
      exchange_rate: formatExchangeRate(money.exchangeRate),
      date,
      expected_date: body.expected_date,
      expected_place_id: expectedPlaceId,
      notes: body.notes,
      external_ref: body.external_ref,
      ...totalColumns(lines),
    })),
  )

const lineRows = (orders: readonly OrderRow[]) =>
  jsonParameter(
    orders.flatMap(({ id, lines }) =>
      lines.map(line => ({
        purchase_order_id: id,
        ...orderedColumns(line),
        batch_number: line.batchNumber,
        expiry_date: line.expiryDate,
      })),
    ),
  )

/**
 * The order with this id as it was: a statement sees the tables without its own writes. For `previous` of its event.
 */
export const orderBefore = ({ tenantId, id }: { readonly tenantId: string; readonly id: string }): Fragment =>
  sql.fragment`(
    select ${orderDocument()}
    from purchase_orders o
    where o.tenant_id = ${tenantId}::bigint and o.id = ${id}::bigint
  )`

/** The close of an order. Renders `{ order, previous }`, each as JSON text. */
export function closeWrite(
  { tenantId, now }: Stamp,
  order: { readonly id: string; readonly reason: string | null },
): DocumentWrite {
  return {
    inserts: sql.fragment`
      changed_order as (
        update purchase_orders set
          status = 'DONE', close_reason = ${order.reason}, completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
        where tenant_id = ${tenantId}::bigint and id = ${order.id}::bigint
        returning *
      )`,
    rendering: sql.fragment`
      select json_build_object('order', document::text, 'previous', changed_fields(before, document)::text)
      from (
        select ${orderDocument()} as document, ${orderBefore({ tenantId, id: order.id })} as before
        from changed_order o
      ) rendered`,
  }
}
