/**
 * The rows that the commands of purchase orders write, beside the stock, in the ledger's one statement. It must not decide
 * anything.
 */
import { formatAmount, formatTaxRate, type Totals } from '../../accounting/money.ts'
import { formatExchangeRate, formatMicro } from '../../decimal.ts'
import { type ChosenPartner, partnerWrite } from '../../partners/inline.ts'
import { supplierKind } from '../../partners/kinds.ts'
import { partnerSummary } from '../../partners/queries.ts'
import type { DocumentWrite } from '../../stock/ledger.ts'
import { type Fragment, jsonParameter, sql } from '../../store/postgres.ts'
import { orderDocument } from './document.ts'
import { holdsStock, type OrderLine, type OrderMoney } from './rules.ts'
import type { NewOrder } from './schemas.ts'

/** Whose, and when. */
type Stamp = { readonly tenantId: string; readonly now: string }

const newSupplier = sql.fragment`(select ${partnerSummary} from p)`

/** The rows of a new order, and of its supplier when that is new. Lines keep their order: their ids ascend in it. */
export function newOrderWrite(
  { tenantId, now }: Stamp,
  order: {
    readonly id: string
    readonly number: string
    readonly supplier: ChosenPartner
    readonly money: OrderMoney
    readonly date: string
    readonly expectedPlaceId: string | null
    readonly body: NewOrder
    readonly lines: readonly OrderLine[]
    readonly totals: Totals
  },
): DocumentWrite {
  const { id, body, money, totals } = order
  return {
    inserts: sql.fragment`
      ${partnerWrite(supplierKind, { tenantId, now, partner: order.supplier })},
      new_order as (
        insert into purchase_orders (
          tenant_id, id, number, supplier_id, status, delivery_status, currency, exchange_rate, date, expected_date,
          expected_place_id, notes, external_ref, total_amount, tax_amount, created_at, updated_at
        )
        select
          ${tenantId}::bigint, ${id}::bigint, ${order.number}, p.id, 'OPEN', 'NOT_RECEIVED', ${money.currency},
          ${formatExchangeRate(money.exchangeRate)}::numeric, ${order.date}::timestamptz,
          ${body.expected_date}::timestamptz, ${order.expectedPlaceId}::bigint, ${body.notes}, ${body.external_ref},
          ${formatAmount(totals.amount)}::numeric, ${formatAmount(totals.taxAmount)}::numeric,
          ${now}::timestamptz, ${now}::timestamptz
        from p
        returning *
      ), new_items as (
        insert into purchase_order_items (
          tenant_id, purchase_order_id, item_id, item_variant_id, sku, title, batch_number, expiry_date, holds_stock,
          quantity, price, tax_rate, line_amount, line_tax_amount
        )
        select
          ${tenantId}::bigint, ${id}::bigint, l.item_id, l.item_variant_id, l.sku, l.title, l.batch_number, l.expiry_date,
          l.holds_stock, l.quantity, l.price, l.tax_rate, l.line_amount, l.line_tax_amount
        from rows from (jsonb_to_recordset(${lineRows(order.lines)}::jsonb) as (
          item_id bigint, item_variant_id bigint, sku text, title text, batch_number text, expiry_date date,
          holds_stock boolean, quantity numeric, price numeric, tax_rate numeric, line_amount numeric,
          line_tax_amount numeric
        )) with ordinality as l (
          item_id, item_variant_id, sku, title, batch_number, expiry_date,
          holds_stock, quantity, price, tax_rate, line_amount, line_tax_amount, position
        )
        order by l.position
        returning *
      )`,
    rendering: sql.fragment`select ${orderDocument({ items: sql.fragment`new_items`, supplier: newSupplier })} from new_order o`,
  }
}

const lineRows = (lines: readonly OrderLine[]) =>
  jsonParameter(
    lines.map(({ variant, amounts, ...line }) => ({
      item_id: variant.itemId,
      item_variant_id: variant.id,
      sku: variant.sku,
      title: variant.title,
      batch_number: line.batchNumber,
      expiry_date: line.expiryDate,
      holds_stock: holdsStock(variant),
      quantity: formatMicro(line.quantity),
      price: formatMicro(line.price),
      tax_rate: formatTaxRate(line.taxRate),
      line_amount: formatAmount(amounts.amount),
      line_tax_amount: formatAmount(amounts.taxAmount),
    })),
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
