/** Checks sales: orders, shipments, returns and stock agree. It reads only the tables and takes nothing from the rules. */

import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'
import { orderChecks } from './order-checks.ts'
import { refundChecks } from './refunds.ts'
import { salesAmountChecks } from './sales-amounts.ts'

/** What open orders still have to ship, by place: a source of the reserved quantities. */
export const reservedByOrders: Fragment = sql.fragment`
  select l.tenant_id, l.item_variant_id, coalesce(l.storage_place_id, 0) as place_key,
    l.quantity - l.shipped_quantity as quantity
  from sales_orders o
  join sales_order_items l on l.tenant_id = o.tenant_id and l.sales_order_id = o.id
  where o.status = 'OPEN' and l.holds_stock
  union all
  select l.tenant_id, (e.part ->> 'item_variant_id')::bigint, coalesce(l.storage_place_id, 0),
    (e.part ->> 'quantity')::numeric - (e.part ->> 'shipped_quantity')::numeric
  from sales_orders o
  join sales_order_items l on l.tenant_id = o.tenant_id and l.sales_order_id = o.id
  cross join lateral jsonb_array_elements(l.components) e (part)
  where o.status = 'OPEN' and l.quantity > l.shipped_quantity and (e.part ->> 'holds_stock')::boolean`

/** What holds keep, by place: a source of the reserved quantities. */
export const reservedByHolds: Fragment = sql.fragment`
  select l.tenant_id, l.item_variant_id, coalesce(l.storage_place_id, 0) as place_key, l.quantity
  from reservations h
  join reservation_items l on l.tenant_id = h.tenant_id and l.reservation_id = h.id
  where h.status = 'HELD' and l.components = '[]'
  union all
  select l.tenant_id, (e.part ->> 'item_variant_id')::bigint, coalesce(l.storage_place_id, 0), (e.part ->> 'quantity')::numeric
  from reservations h
  join reservation_items l on l.tenant_id = h.tenant_id and l.reservation_id = h.id
  cross join lateral jsonb_array_elements(l.components) e (part)
  where h.status = 'HELD' and (e.part ->> 'holds_stock')::boolean`

/** Lines with goods, of kits their components. */
const goodsOf = (table: string, parent: string): Fragment => {
  const [lines, document] = [sql.identifier([table]), sql.identifier([parent])]
  return sql.fragment`(
    select tenant_id, ${document}, item_variant_id, batch_id, quantity, value
    from ${lines} l
    -- A line of a kit has no movements of its own, also where none of its components moved.
    where value is not null and components = '[]' and not exists (
      select from item_variants v join items i on i.tenant_id = v.tenant_id and i.id = v.item_id
      where v.tenant_id = l.tenant_id and v.id = l.item_variant_id and i.type = 'KIT'
    )
    union all
    select i.tenant_id, i.${document}, (e.part ->> 'item_variant_id')::bigint, (e.part ->> 'batch_id')::bigint,
      (e.part ->> 'quantity')::numeric, (e.part ->> 'value')::numeric
    from ${lines} i cross join lateral jsonb_array_elements(i.components) e (part)
    where e.part ->> 'value' is not null
  ) goods`
}

/** Quantities and values of shipments, with the sign of their movements. */
export const shipmentLines: Fragment = sql.fragment`
  select tenant_id, sales_shipment_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key,
    -sum(quantity) as quantity, -sum(value) as value
  from ${goodsOf('sales_shipment_items', 'sales_shipment_id')} group by 1, 2, 3, 4`

/** Quantities and values of received returns, to compare with their movements. */
export const returnLines: Fragment = sql.fragment`
  select tenant_id, sales_return_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key,
    sum(quantity) as quantity, sum(value) as value
  from ${goodsOf('sales_return_items', 'sales_return_id')} group by 1, 2, 3, 4`

export const salesChecks: readonly Check[] = [
  {
    name: 'shipped quantity and value = sums of the shipments',
    faultRows: sql.fragment`
      select l.tenant_id, format('line %s of sales order %s', l.id, l.sales_order_id) as subject,
        format('%s worth %s', trim_scale(coalesce(s.quantity, 0)), trim_scale(coalesce(s.value, 0))) as expected,
        format('%s worth %s', trim_scale(l.shipped_quantity), trim_scale(l.shipped_value)) as found
      from sales_order_items l
      left join (
        select i.tenant_id, i.sales_order_id, i.sales_order_item_id as id, sum(i.quantity) as quantity, sum(i.value) as value
        from sales_shipment_items i
        join sales_shipments d on d.tenant_id = i.tenant_id and d.id = i.sales_shipment_id
        where not d.reversed group by 1, 2, 3
      ) s using (tenant_id, sales_order_id, id)
      where (l.shipped_quantity, l.shipped_value) <> (coalesce(s.quantity, 0), coalesce(s.value, 0))`,
  },
  {
    name: 'open lines of reservations = lines of held reservations',
    faultRows: sql.fragment`
      select l.tenant_id, format('line %s of reservation %s', l.id, l.reservation_id) as subject,
        h.status as expected, case when l.is_open then 'open' else 'closed' end as found
      from reservation_items l
      left join reservations h on h.tenant_id = l.tenant_id and h.id = l.reservation_id
      where l.is_open is distinct from (h.status = 'HELD')`,
  },
  ...salesAmountChecks,
  ...orderChecks({
    area: 'sales',
    charges: sql.fragment`select tenant_id, sales_order_id, amount, tax_amount from sales_order_charges`,
    deliveryStatus: sql.fragment`
      case
        when bool_and(shipped_quantity = quantity) then 'SHIPPED'
        when bool_or(shipped_quantity > 0) then 'PARTIALLY_SHIPPED'
        when bool_and(packed_quantity = quantity) then 'PACKED'
        when bool_or(packed_quantity > 0) then 'PARTIALLY_PACKED'
        else 'NOT_SHIPPED'
      end`,
  }),
  {
    name: 'shipped sales orders are done, cancelled ones are not shipped',
    faultRows: sql.fragment`
      select tenant_id, format('sales order %s', number) as subject, status as expected, delivery_status as found
      from sales_orders
      where (delivery_status = 'SHIPPED') <> (shipped_at is not null)
        or (delivery_status = 'SHIPPED' and status <> 'DONE')
        or (delivery_status = 'PARTIALLY_SHIPPED' and status = 'CANCELLED')`,
  },
  ...refundChecks,
]
