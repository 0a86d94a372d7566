/**
 * The SQL of the quantities of a variant at a place that open documents still need or will bring. Each part finds its lines by an index of
 * open lines, so finished documents cost nothing (docs/rules/planning.md).
 */
import { type Fragment, fixedFragment, sql } from '../../../platform/postgres/postgres.ts'

/** Orders that were never started: their materials are still reserved. */
const notStarted = sql.fragment`(o.status = 'NOT_STARTED' or o.status_before_block = 'NOT_STARTED')`

/** Open lines of kits `k` that have the variant of `p` as a component. */
const kitLines = (kind: 'ORDER' | 'HOLD'): Fragment => sql.fragment`(
      select tenant_id, item_variant_id, document_id, line_id from kit_lines
      where tenant_id = p.tenant_id and item_variant_id = p.item_variant_id and kind = ${fixedFragment(`'${kind}'`)}
    ) k`

/** The component `c` of the line `i` of a kit, if it holds stock and some of it is still needed. */
const componentOf = sql.fragment`(
      select (e.part ->> 'quantity')::numeric as quantity, (e.part ->> 'shipped_quantity')::numeric as shipped_quantity
      from jsonb_array_elements(i.components) e (part)
      where (e.part ->> 'item_variant_id')::bigint = k.item_variant_id and (e.part ->> 'holds_stock')::boolean
        and (e.part ->> 'quantity')::numeric > coalesce((e.part ->> 'shipped_quantity')::numeric, 0)
    ) c`

/**
 * The documents that reserve the variant of `p` (`tenant_id, item_variant_id, place_key`) at its place, one row each: `source_type,
 * source_id, number, quantity, due`.
 */
export const demand: Fragment = sql.fragment`
  select 'SALES_ORDER' as source_type, o.id as source_id, o.number, sum(l.quantity) as quantity, o.delivery_date as due
  from (
    select tenant_id, sales_order_id, storage_place_id, quantity - shipped_quantity as quantity from sales_order_items
    where tenant_id = p.tenant_id and item_variant_id = p.item_variant_id
      and is_open and holds_stock and quantity > shipped_quantity
    union all
    select k.tenant_id, k.document_id, i.storage_place_id, c.quantity - c.shipped_quantity
    from ${kitLines('ORDER')}
    cross join lateral (
      select * from sales_order_items
      where tenant_id = k.tenant_id and sales_order_id = k.document_id and id = k.line_id and is_open and quantity > shipped_quantity
      limit 1
    ) i
    cross join lateral ${componentOf}
    offset 0
  ) l
  cross join lateral (
    select id, number, delivery_date from sales_orders
    where tenant_id = l.tenant_id and id = l.sales_order_id and status = 'OPEN'
    limit 1
  ) o
  where coalesce(l.storage_place_id, 0) = p.place_key
  group by o.id, o.number, o.delivery_date
  union all
  select 'RESERVATION', h.id, h.number, sum(l.quantity), null::timestamptz
  from (
    select tenant_id, reservation_id, storage_place_id, quantity from reservation_items
    where tenant_id = p.tenant_id and item_variant_id = p.item_variant_id and is_open and components = '[]'
    union all
    select k.tenant_id, k.document_id, i.storage_place_id, c.quantity
    from ${kitLines('HOLD')}
    cross join lateral (
      select * from reservation_items
      where tenant_id = k.tenant_id and reservation_id = k.document_id and id = k.line_id and is_open
      limit 1
    ) i
    cross join lateral ${componentOf}
    offset 0
  ) l
  cross join lateral (
    select id, number from reservations
    where tenant_id = l.tenant_id and id = l.reservation_id and status = 'HELD'
    limit 1
  ) h
  where coalesce(l.storage_place_id, 0) = p.place_key
  group by h.id, h.number
  union all
  select 'MANUFACTURING_ORDER', o.id, o.number, sum(l.quantity), o.planned_start_date
  from (
    select * from manufacturing_order_items
    where tenant_id = p.tenant_id and item_variant_id = p.item_variant_id and is_open and quantity > 0
    offset 0
  ) l
  cross join lateral (
    select id, number, planned_start_date from manufacturing_orders o
    where tenant_id = l.tenant_id and id = l.manufacturing_order_id and manufacturing_location_id = p.place_key and ${notStarted}
    limit 1
  ) o
  group by o.id, o.number, o.planned_start_date`

/** Lines of a purchase order have dates of their own. */
const lineDate = sql.fragment`coalesce(l.expected_date, o.expected_date)`

/** The documents that will bring the variant of `p` to its place, in the same columns, each with its earliest date. */
export const supply: Fragment = supplyOf({ due: sql.fragment`min(${lineDate})`, group: sql.fragment`o.id, o.number` })

/** As `supply`, with one row for each document and date. */
export const supplyByDate: Fragment = supplyOf({ due: lineDate, group: sql.fragment`o.id, o.number, ${lineDate}` })

function supplyOf({ due, group }: { readonly due: Fragment; readonly group: Fragment }): Fragment {
  return sql.fragment`
  select 'PURCHASE_ORDER' as source_type, o.id as source_id, o.number, sum(l.quantity - l.received_quantity) as quantity,
    ${due} as due
  from (
    select * from purchase_order_items
    where tenant_id = p.tenant_id and item_variant_id = p.item_variant_id
      and is_open and holds_stock and quantity > received_quantity
    offset 0
  ) l
  cross join lateral (
    select id, number, expected_date from purchase_orders
    where tenant_id = l.tenant_id and id = l.purchase_order_id and status = 'OPEN'
      and coalesce(expected_place_id, 0) = p.place_key
    limit 1
  ) o
  group by ${group}
  union all
  select 'MANUFACTURING_ORDER', o.id, o.number, o.quantity - o.released_quantity, o.production_date
  from (
    select * from manufacturing_orders
    where tenant_id = p.tenant_id and item_variant_id = p.item_variant_id
      and completed_at is null and quantity > released_quantity
    offset 0
  ) o
  where o.manufacturing_location_id = p.place_key`
}
