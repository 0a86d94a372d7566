/**
 * What a change of a sales order reads before it decides: the order with its lines, in one query. It must not write or
 * decide. It runs under the tenant's row lock, so what it finds still holds when the command writes.
 */
import * as v from 'valibot'
import { parseAmount, parseTaxRate } from '../../accounting/money.ts'
import type { CommandContext } from '../../api/endpoint.ts'
import { parseCost, parseMicro } from '../../decimal.ts'
import { FoundPartner, partnerById } from '../../partners/inline.ts'
import { customerKind } from '../../partners/kinds.ts'
import { rows } from '../../store/postgres.ts'
import type { Line, Order } from './order.ts'
import { deliveryStatuses, orderStatuses } from './schemas.ts'

const Text = v.string()
const TextOrNull = v.nullable(Text)

const LoadedLine = v.object({
  id: Text,
  item_id: Text,
  item_variant_id: Text,
  sku: TextOrNull,
  title: Text,
  holds_stock: v.boolean(),
  storage_place_id: TextOrNull,
  quantity: Text,
  price: Text,
  tax_rate: Text,
  line_amount: Text,
  line_tax_amount: Text,
  packed_quantity: Text,
  shipped_quantity: Text,
  shipped_value: Text,
})
const LoadedOrder = v.object({
  id: Text,
  number: Text,
  status: v.picklist(orderStatuses),
  delivery_status: v.picklist(deliveryStatuses),
  customer_id: Text,
  currency: Text,
  priority: v.number(),
  notes: TextOrNull,
  external_ref: TextOrNull,
  allow_backorder: v.boolean(),
  delivery_date: TextOrNull,
  lines: v.array(LoadedLine),
  customer: FoundPartner,
  external_ref_taken_by: TextOrNull,
})

export type StoredOrder = {
  readonly order: Order
  readonly customerId: string
  /** The customer that the question names, or null. */
  readonly customer: FoundPartner
  /** The other order that has the question's external_ref, or null. */
  readonly externalRefTakenBy: string | null
}

/** The order as it is, with what its change meets; null when the tenant has no such order. */
export async function loadOrder(
  context: CommandContext,
  question: {
    readonly id: string
    readonly customerId?: string | undefined
    readonly externalRef?: string | null | undefined
  },
): Promise<StoredOrder | null> {
  const tenantId = context.tenant.id
  const found = await context.connection.maybeOne(rows(v.object({ found: v.string() }))`
    select json_build_object(
      'id', o.id::text, 'number', o.number, 'status', o.status, 'delivery_status', o.delivery_status,
      'customer_id', o.customer_id::text, 'currency', o.currency, 'priority', o.priority, 'notes', o.notes,
      'external_ref', o.external_ref, 'allow_backorder', o.allow_backorder, 'delivery_date', iso(o.delivery_date),
      'lines', (
        select json_agg(json_build_object(
          'id', l.id::text, 'item_id', l.item_id::text, 'item_variant_id', l.item_variant_id::text, 'sku', l.sku,
          'title', l.title, 'holds_stock', l.holds_stock, 'storage_place_id', l.storage_place_id::text,
          'quantity', l.quantity::text, 'price', l.price::text, 'tax_rate', l.tax_rate::text,
          'line_amount', l.line_amount::text, 'line_tax_amount', l.line_tax_amount::text,
          'packed_quantity', l.packed_quantity::text, 'shipped_quantity', l.shipped_quantity::text,
          'shipped_value', l.shipped_value::text
        ) order by l.id)
        from sales_order_items l where l.tenant_id = o.tenant_id and l.sales_order_id = o.id
      ),
      'customer', ${partnerById(customerKind, tenantId, question.customerId ?? null)},
      'external_ref_taken_by', (
        select other.id::text from sales_orders other
        where other.tenant_id = o.tenant_id and other.external_ref = ${question.externalRef ?? null} and other.id <> o.id
      )
    )::text as found
    from sales_orders o
    where o.tenant_id = ${tenantId}::bigint and o.id = ${question.id}::bigint
  `)
  if (found === null) return null
  const row = v.parse(LoadedOrder, JSON.parse(found.found))
  return {
    order: orderOf(row),
    customerId: row.customer_id,
    customer: row.customer,
    externalRefTakenBy: row.external_ref_taken_by,
  }
}

function orderOf(row: v.InferOutput<typeof LoadedOrder>): Order {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    deliveryStatus: row.delivery_status,
    currency: row.currency,
    priority: row.priority,
    notes: row.notes,
    externalRef: row.external_ref,
    allowBackorder: row.allow_backorder,
    deliveryDate: row.delivery_date,
    // Only an open order is changed, and no open one has any of these.
    shippedAt: null,
    cancelledAt: null,
    cancelReason: null,
    lines: row.lines.map(lineOf),
  }
}

function lineOf(row: v.InferOutput<typeof LoadedLine>): Line {
  const [amount, taxAmount] = [parseAmount(row.line_amount), parseAmount(row.line_tax_amount)]
  return {
    id: row.id,
    itemId: row.item_id,
    itemVariantId: row.item_variant_id,
    sku: row.sku,
    title: row.title,
    holdsStock: row.holds_stock,
    storagePlaceId: row.storage_place_id,
    quantity: parseMicro(row.quantity),
    price: parseMicro(row.price),
    taxRate: parseTaxRate(row.tax_rate),
    amounts: { amount, taxAmount, amountWithTax: amount + taxAmount },
    packed: parseMicro(row.packed_quantity),
    shipped: parseMicro(row.shipped_quantity),
    shippedValue: parseCost(row.shipped_value),
  }
}
