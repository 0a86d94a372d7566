/**
 * The rows that a receipt writes beside the stock, in the ledger's one statement: itself, and what it makes of its order. It
 * must not decide anything.
 */
import { formatAmount } from '../../accounting/money.ts'
import { formatCost, formatMicro } from '../../decimal.ts'
import type { DocumentWrite } from '../../stock/ledger.ts'
import { jsonParameter, sql } from '../../store/postgres.ts'
import { orderDocument } from '../orders/document.ts'
import { orderBefore } from '../orders/store.ts'
import { receiptDocument } from './document.ts'
import type { ReceiptPlan } from './plan-rules.ts'
import type { ReceivedLine } from './rules.ts'
import type { NewReceipt } from './schemas.ts'

/**
 * The rows of a new receipt, and its order's new state. Renders `{ receipt, order, previous }`, each as JSON text. Lines keep
 * their order: their ids ascend in it.
 */
export function receiptWrite(
  { tenantId, now }: { readonly tenantId: string; readonly now: string },
  receipt: {
    readonly id: string
    readonly number: string
    readonly orderId: string
    readonly receivedDate: string
    readonly body: NewReceipt
    readonly plan: ReceiptPlan
    readonly lines: readonly ReceivedLine[]
  },
): DocumentWrite {
  const { id, orderId, body, plan } = receipt
  const total = receipt.lines.reduce((sum, line) => sum + line.amount, 0n)
  const isComplete = plan.deliveryStatus === 'RECEIVED'
  return {
    inserts: sql.fragment`
      new_receipt as (
        insert into purchase_receipts (
          tenant_id, id, number, purchase_order_id, storage_place_id, received_date, notes, external_ref, total_amount,
          created_at
        ) values (
          ${tenantId}::bigint, ${id}::bigint, ${receipt.number}, ${orderId}::bigint, ${body.storage_place_id}::bigint,
          ${receipt.receivedDate}::timestamptz, ${body.notes}, ${body.external_ref}, ${formatAmount(total)}::numeric,
          ${now}::timestamptz
        )
        returning *
      ), new_receipt_items as (
        insert into purchase_receipt_items (
          tenant_id, purchase_receipt_id, purchase_order_id, purchase_order_item_id, item_id, item_variant_id, sku, title,
          batch_id, batch_number, manufacture_date, expiry_date, quarantine, quantity, price, line_amount, stock_value
        )
        select
          ${tenantId}::bigint, ${id}::bigint, ${orderId}::bigint, l.purchase_order_item_id, l.item_id, l.item_variant_id,
          l.sku, l.title, l.batch_id, l.batch_number, l.manufacture_date, l.expiry_date, l.quarantine, l.quantity, l.price,
          l.line_amount, l.stock_value
        from rows from (jsonb_to_recordset(${lineRows(receipt.lines)}::jsonb) as (
          purchase_order_item_id bigint, item_id bigint, item_variant_id bigint, sku text, title text, batch_id bigint,
          batch_number text, manufacture_date date, expiry_date date, quarantine boolean, quantity numeric, price numeric,
          line_amount numeric, stock_value numeric
        )) with ordinality as l (
          purchase_order_item_id, item_id, item_variant_id, sku, title, batch_id,
          batch_number, manufacture_date, expiry_date, quarantine, quantity, price,
          line_amount, stock_value, position
        )
        order by l.position
        returning *
      ), filled_items as (
        update purchase_order_items l set received_quantity = l.received_quantity + n.quantity
        from jsonb_to_recordset(${receivedRows(plan)}::jsonb) as n (id bigint, quantity numeric)
        where l.tenant_id = ${tenantId}::bigint and l.purchase_order_id = ${orderId}::bigint and l.id = n.id
        returning l.*
      ), order_items as (
        select * from filled_items
        union all
        select l.* from purchase_order_items l
        where l.tenant_id = ${tenantId}::bigint and l.purchase_order_id = ${orderId}::bigint
          and not exists (select from filled_items f where f.id = l.id)
      ), changed_order as (
        update purchase_orders set
          status = ${isComplete ? 'DONE' : 'OPEN'}, delivery_status = ${plan.deliveryStatus},
          completed_at = ${isComplete ? now : null}::timestamptz, updated_at = ${now}::timestamptz
        where tenant_id = ${tenantId}::bigint and id = ${orderId}::bigint
        returning *
      )`,
    rendering: sql.fragment`
      select json_build_object(
        'receipt', (select ${receiptDocument(sql.fragment`new_receipt_items`)}::text from new_receipt r),
        'order', after::text,
        'previous', changed_fields(before, after)::text
      )
      from (
        select ${orderDocument({ items: sql.fragment`order_items` })} as after, ${orderBefore({ tenantId, id: orderId })} as before
        from changed_order o
      ) rendered`,
  }
}

const lineRows = (lines: readonly ReceivedLine[]) =>
  jsonParameter(
    lines.map(({ planned: { orderLine, quantity, item }, itemId, batch, amount, stockValue }) => ({
      purchase_order_item_id: orderLine.id,
      item_id: itemId,
      item_variant_id: orderLine.itemVariantId,
      sku: orderLine.sku,
      title: orderLine.title,
      batch_id: batch?.id ?? null,
      batch_number: batch?.number ?? null,
      manufacture_date: batch?.manufactureDate ?? null,
      expiry_date: batch?.expiryDate ?? null,
      quarantine: item.quarantine,
      quantity: formatMicro(quantity),
      price: formatMicro(orderLine.price),
      line_amount: formatAmount(amount),
      stock_value: stockValue === null ? null : formatCost(stockValue),
    })),
  )

const receivedRows = ({ received }: ReceiptPlan) =>
  jsonParameter([...received].map(([id, quantity]) => ({ id, quantity: formatMicro(quantity) })))
