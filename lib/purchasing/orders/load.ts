/**
 * What the commands on an existing purchase order read before they decide. It must not write or decide. It runs under the
 * tenant's row lock, so what it finds still holds when the command writes.
 */
import * as v from 'valibot'
import { parseExchangeRate, parseMicro } from '../../decimal.ts'
import { type Connection, type Fragment, rows, sql } from '../../store/postgres.ts'
import type { StoredLine, StoredOrder } from './rules.ts'

const Text = v.string()
const TextOrNull = v.nullable(Text)
const LineRows = v.array(
  v.object({
    id: Text,
    item_variant_id: Text,
    sku: TextOrNull,
    title: Text,
    batch_number: TextOrNull,
    expiry_date: TextOrNull,
    holds_stock: v.boolean(),
    quantity: Text,
    received_quantity: Text,
    price: Text,
  }),
)
const OrderRow = v.object({
  number: Text,
  status: v.picklist(['OPEN', 'DONE']),
  currency: Text,
  exchange_rate: Text,
  expected_place_id: TextOrNull,
  lines: Text,
  also: TextOrNull,
})

/** The order, and the text of one more scalar of the same query; null when the tenant has no such order. */
export async function loadOrder(
  connection: Connection,
  { tenantId, id, also }: { readonly tenantId: string; readonly id: string; readonly also?: Fragment },
): Promise<{ readonly order: StoredOrder; readonly also: string | null } | null> {
  const row = await connection.maybeOne(rows(OrderRow)`
    select
      o.number, o.status, o.currency, o.exchange_rate::text, o.expected_place_id::text,
      (
        select json_agg(json_build_object(
          'id', l.id::text, 'item_variant_id', l.item_variant_id::text, 'sku', l.sku, 'title', l.title,
          'batch_number', l.batch_number, 'expiry_date', l.expiry_date::text, 'holds_stock', l.holds_stock,
          'quantity', l.quantity::text, 'received_quantity', l.received_quantity::text, 'price', l.price::text
        ) order by l.id)::text
        from purchase_order_items l where l.tenant_id = o.tenant_id and l.purchase_order_id = o.id
      ) as lines,
      ${also ?? sql.fragment`null`}::text as also
    from purchase_orders o
    where o.tenant_id = ${tenantId}::bigint and o.id = ${id}::bigint
  `)
  if (row === null) return null
  const order = {
    id,
    number: row.number,
    status: row.status,
    currency: row.currency,
    exchangeRate: parseExchangeRate(row.exchange_rate),
    expectedPlaceId: row.expected_place_id,
    lines: v.parse(LineRows, JSON.parse(row.lines)).map(lineFrom),
  }
  return { order, also: row.also }
}

const lineFrom = (row: v.InferOutput<typeof LineRows>[number]): StoredLine => ({
  id: row.id,
  itemVariantId: row.item_variant_id,
  sku: row.sku,
  title: row.title,
  batchNumber: row.batch_number,
  expiryDate: row.expiry_date,
  holdsStock: row.holds_stock,
  quantity: parseMicro(row.quantity),
  received: parseMicro(row.received_quantity),
  price: parseMicro(row.price),
})
