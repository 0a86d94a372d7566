/** Checks purchasing: orders, receipts and stock agree. It reads only the tables and takes nothing from the rules. */

import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'
import { orderChecks } from './order-checks.ts'

/** What open orders still expect, by place: a source of the expected quantities. */
export const expectedByOrders: Fragment = sql.fragment`
  select l.tenant_id, l.item_variant_id, coalesce(o.expected_place_id, 0) as place_key,
    l.quantity - l.received_quantity as quantity
  from purchase_orders o
  join purchase_order_items l on l.tenant_id = o.tenant_id and l.purchase_order_id = o.id
  where o.status = 'OPEN' and l.holds_stock`

/** Quantities and values of receipts, to compare with their movements. */
export const receiptLines: Fragment = sql.fragment`
  select tenant_id, purchase_receipt_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key,
    sum(quantity) as quantity, sum(stock_value) as value
  from purchase_receipt_items where stock_value is not null group by 1, 2, 3, 4`

export const purchasingChecks: readonly Check[] = [
  {
    name: 'received_quantity = sum of the receipts',
    faultRows: sql.fragment`
      select l.tenant_id, format('line %s of purchase order %s', l.id, l.purchase_order_id) as subject,
        coalesce(r.total, 0) as expected, l.received_quantity as found
      from purchase_order_items l
      left join (
        select i.tenant_id, i.purchase_order_id, i.purchase_order_item_id as id, sum(i.quantity) as total
        from purchase_receipt_items i
        join purchase_receipts d on d.tenant_id = i.tenant_id and d.id = i.purchase_receipt_id
        where not d.reversed group by 1, 2, 3
      ) r using (tenant_id, purchase_order_id, id)
      where l.received_quantity <> coalesce(r.total, 0)`,
  },
  {
    name: 'quantity = purchase_quantity * conversion_rate, rounded',
    faultRows: sql.fragment`
      select tenant_id, subject, expected, found
      from (
        select tenant_id, format('line %s of purchase order %s', id, purchase_order_id) as subject,
          round(purchase_quantity * conversion_rate, 6) as expected, quantity as found
        from purchase_order_items where purchase_quantity is not null
        union all
        select tenant_id, format('line %s of purchase receipt %s', id, purchase_receipt_id),
          purchase_quantity * conversion_rate, coalesce(exact_quantity, quantity)
        from purchase_receipt_items where purchase_quantity is not null
      ) lines
      where expected <> found`,
  },
  {
    name: 'received purchase units = sum of the receipts, before rounding',
    faultRows: sql.fragment`
      select l.tenant_id, format('line %s of purchase order %s', l.id, l.purchase_order_id) as subject,
        trim_scale(coalesce(r.total, 0))::text as expected, trim_scale(l.received_quantity + l.received_rest)::text as found
      from purchase_order_items l
      left join (
        select i.tenant_id, i.purchase_order_id, i.purchase_order_item_id as id, sum(coalesce(i.exact_quantity, i.quantity)) as total
        from purchase_receipt_items i
        join purchase_receipts d on d.tenant_id = i.tenant_id and d.id = i.purchase_receipt_id
        where not d.reversed group by 1, 2, 3
      ) r using (tenant_id, purchase_order_id, id)
      where l.received_quantity + l.received_rest <> coalesce(r.total, 0)`,
  },
  {
    name: 'amounts of a receipt = sum of its lines',
    faultRows: sql.fragment`
      select d.tenant_id, format('purchase receipt %s', d.number) as subject,
        format('%s, tax %s', trim_scale(l.total), trim_scale(l.tax)) as expected,
        format('%s, tax %s', trim_scale(d.total_amount), trim_scale(d.tax_amount)) as found
      from purchase_receipts d
      cross join lateral (
        select coalesce(sum(line_amount), 0) as total, coalesce(sum(line_tax_amount), 0) as tax
        from purchase_receipt_items where tenant_id = d.tenant_id and purchase_receipt_id = d.id
      ) l
      where (d.total_amount, d.tax_amount) <> (l.total, l.tax)`,
  },
  ...orderChecks({
    area: 'purchase',
    deliveryStatus: sql.fragment`
      case
        when bool_and(received_quantity = quantity) then 'RECEIVED'
        when bool_or(received_quantity > 0) then 'PARTIALLY_RECEIVED'
        else 'NOT_RECEIVED'
      end`,
  }),
]
