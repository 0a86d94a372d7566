/**
 * What the commands of sales returns write after they decided: one statement each, which also renders the return. It must
 * not decide anything.
 */
import * as v from 'valibot'
import { formatAmount } from '../../accounting/money.ts'
import type { CommandContext, Json } from '../../api/endpoint.ts'
import { formatCost, formatMicro } from '../../decimal.ts'
import type { Ledger } from '../../stock/ledger.ts'
import { type Fragment, jsonParameter, object, rows, sql } from '../../store/postgres.ts'
import { returnDocument } from './return-document.ts'
import type { ReceivedItem, ReturnPlan } from './rules.ts'
import type { NewReturn } from './schemas.ts'

/** Writes a new return and renders it. Lines keep their order: their ids ascend in it. */
export async function insertReturn(
  context: CommandContext,
  { number, body, plan }: { readonly number: string; readonly body: NewReturn; readonly plan: ReturnPlan },
): Promise<Json> {
  const tenantId = context.tenant.id
  const { order } = plan
  const { document } = await context.connection.one(rows(v.object({ document: v.string() }))`
    with r as (
      insert into sales_returns (
        tenant_id, id, number, status, source_type, sales_order_id, customer_id, storage_place_id, external_return_ref,
        tracking_info, notes, external_ref, refund_amount, created_at
      ) values (
        ${tenantId}::bigint, nextval('ids'), ${number}, 'NOT_RETURNED', 'SALES_ORDER', ${order.id}::bigint,
        ${order.customerId}::bigint, ${plan.storagePlaceId}::bigint, ${body.external_return_ref}, ${body.tracking_info},
        ${body.notes}, ${body.external_ref}, ${formatAmount(plan.refundAmount)}::numeric, ${context.now}::timestamptz
      )
      returning *
    ), new_items as (
      insert into sales_return_items (
        tenant_id, sales_return_id, sales_order_id, sales_order_item_id, item_variant_id, batch_id, storage_place_id, sku,
        title, reason_id, reason, reason_note, quantity, unit_price, quarantine
      )
      select
        r.tenant_id, r.id, r.sales_order_id, l.sales_order_item_id, l.item_variant_id, l.batch_id, l.storage_place_id, l.sku,
        l.title, l.reason_id, l.reason, l.reason_note, l.quantity, l.unit_price, l.quarantine
      from r, rows from (jsonb_to_recordset(${lineRows(plan)}::jsonb) as (
        sales_order_item_id bigint, item_variant_id bigint, batch_id bigint, storage_place_id bigint, sku text, title text,
        reason_id integer, reason text, reason_note text, quantity numeric, unit_price numeric, quarantine boolean
      )) with ordinality as l (
        sales_order_item_id, item_variant_id, batch_id, storage_place_id, sku, title,
        reason_id, reason, reason_note, quantity, unit_price, quarantine, position
      )
      order by l.position
      returning *
    )
    select ${returnDocument(sql.fragment`new_items`)}::text as document
    from r
  `)
  return document
}

const lineRows = ({ lines }: ReturnPlan) =>
  jsonParameter(
    lines.map(({ line, item, storagePlaceId, batchId, unitPrice }) => ({
      sales_order_item_id: line.id,
      item_variant_id: line.itemVariantId,
      batch_id: batchId,
      storage_place_id: storagePlaceId,
      sku: line.sku,
      title: line.title,
      reason_id: item.reason_id,
      reason: item.reason,
      reason_note: item.reason_note,
      quantity: item.quantity,
      unit_price: formatMicro(unitPrice),
      quarantine: item.quarantine,
    })),
  )

const Changed = v.object({ document: v.string(), previous: v.string() })
export type ChangedReturn = v.InferOutput<typeof Changed>

/** `return_after` and `return_before` hold the documents; `change` sets columns, `items` are all its lines afterwards. */
const documents = (key: { readonly tenantId: string; readonly id: string }, items: Fragment): Fragment => sql.fragment`
  return_after as (
    select ${returnDocument(items)} as document
    from r
  ), return_before as (
    -- The tables, which a statement sees as they were.
    select ${returnDocument()} as document
    from sales_returns r
    where r.tenant_id = ${key.tenantId}::bigint and r.id = ${key.id}::bigint
  )`

const changedHead = sql.fragment`changed_fields(b.document -> 'sales_return', a.document -> 'sales_return')`

/** As texts in JSON, since parsing the documents would round their decimals. Old values by field, one level down. */
const rendering = sql.fragment`
  select json_build_object(
    'document', a.document::text,
    'previous', (
      case when (b.document -> 'items')::jsonb = (a.document -> 'items')::jsonb
        then ${object(sql.fragment`select ${changedHead} as sales_return`)}
        else ${object(sql.fragment`select ${changedHead} as sales_return, b.document -> 'items' as items`)}
      end
    )::text
  )
  from return_after a, return_before b`

const readChanged = (rendered: Json): ChangedReturn => v.parse(Changed, JSON.parse(rendered))

/** Writes a return as received, with the stock that came back. */
export async function storeReceived(
  context: CommandContext,
  ledger: Ledger,
  received: { readonly id: string; readonly date: string; readonly items: readonly ReceivedItem[] },
): Promise<ChangedReturn> {
  const key = { tenantId: context.tenant.id, id: received.id }
  const itemRows = received.items.map(({ id, batchId, value }) => ({
    id,
    batch_id: batchId,
    value: value === null ? null : formatCost(value),
  }))
  const inserts = sql.fragment`
    r as (
      update sales_returns set status = 'RETURNED', return_date = ${received.date}::timestamptz
      where tenant_id = ${key.tenantId}::bigint and id = ${key.id}::bigint
      returning *
    ), received_items as (
      update sales_return_items i set batch_id = l.batch_id, value = l.value
      from jsonb_to_recordset(${jsonParameter(itemRows)}::jsonb) as l (id bigint, batch_id bigint, value numeric)
      where i.tenant_id = ${key.tenantId}::bigint and i.sales_return_id = ${key.id}::bigint and i.id = l.id
      returning i.*
    ), ${documents(key, sql.fragment`received_items`)}`
  return readChanged(await ledger.store({ inserts, rendering }))
}

/** Writes a return as cancelled. */
export async function storeCancelled(
  context: CommandContext,
  { id, reason }: { readonly id: string; readonly reason: string | null },
): Promise<ChangedReturn> {
  const key = { tenantId: context.tenant.id, id }
  const { rendered } = await context.connection.one(rows(v.object({ rendered: v.string() }))`
    with r as (
      update sales_returns set status = 'CANCELLED', cancellation_reason = ${reason}
      where tenant_id = ${key.tenantId}::bigint and id = ${key.id}::bigint
      returning *
    ), ${documents(key, sql.fragment`sales_return_items`)}
    select (${rendering})::text as rendered
  `)
  return readChanged(rendered)
}
