/**
 * Checks manufacturing: orders, tasks, movements and claims agree. It reads only the tables and takes nothing from the rules
 * (docs/rules/manufacturing.md).
 */

import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

/** Never started: NOT_STARTED, or blocked before the start. */
const notStarted = sql.fragment`(o.status = 'NOT_STARTED' or o.status_before_block = 'NOT_STARTED')`

/** What orders that never started reserve, by place: a source of the reserved quantities. */
export const reservedForManufacturing: Fragment = sql.fragment`
  select l.tenant_id, l.item_variant_id, o.manufacturing_location_id as place_key, l.quantity
  from manufacturing_orders o
  join manufacturing_order_items l on l.tenant_id = o.tenant_id and l.manufacturing_order_id = o.id
  where ${notStarted}`

/** What open orders still have to make, by place: a source of the expected quantities. */
export const expectedFromManufacturing: Fragment = sql.fragment`
  select tenant_id, item_variant_id, manufacturing_location_id as place_key,
    greatest(quantity - released_quantity, 0) as quantity
  from manufacturing_orders where status <> 'DONE'`

const orderWords = sql.fragment`format('manufacturing order %s', o.number)`

export const manufacturingChecks: readonly Check[] = [
  {
    name: 'manufacturing write-offs less what came back = their movements',
    faultRows: sql.fragment`
      select tenant_id, format('variant %s in manufacturing order %s', item_variant_id, order_id) as subject,
        format('quantity %s, cost %s', trim_scale(m.quantity), trim_scale(m.cost)) as expected,
        format('quantity %s, cost %s', trim_scale(l.quantity), trim_scale(l.cost)) as found
      from (
        select tenant_id, manufacturing_order_id as order_id, item_variant_id, sum(actual_quantity) as quantity,
          sum(cost) as cost
        from manufacturing_order_items where actual_quantity > 0 or cost > 0 group by 1, 2, 3
      ) l
      full join (
        select tenant_id, source_id as order_id, item_variant_id, -sum(quantity) as quantity, -sum(value) as cost
        from stock_movements where kind in ('MANUFACTURING_WRITE_OFF', 'MANUFACTURING_RETURN') group by 1, 2, 3
        having sum(quantity) <> 0 or sum(value) <> 0
      ) m using (tenant_id, order_id, item_variant_id)
      where (l.quantity, l.cost) is distinct from (m.quantity, m.cost)`,
  },
  {
    name: 'no more material comes back from an order than went into it, of any batch',
    faultRows: sql.fragment`
      select tenant_id,
        format('variant %s, batch %s in manufacturing order %s', item_variant_id, coalesce(batch_id::text, 'none'), source_id) as subject,
        '0 or more written off' as expected, trim_scale(-sum(quantity))::text as found
      from stock_movements where kind in ('MANUFACTURING_WRITE_OFF', 'MANUFACTURING_RETURN')
      group by tenant_id, source_id, item_variant_id, batch_id
      having sum(quantity) > 0`,
  },
  {
    name: 'manufacturing output = its movements',
    faultRows: sql.fragment`
      select tenant_id, format('manufacturing order %s', id) as subject,
        format('released %s, good %s, worth %s', trim_scale(m.released), trim_scale(m.good), trim_scale(m.value)) as expected,
        format('released %s, good %s, worth %s', trim_scale(o.released), trim_scale(o.good), trim_scale(o.value)) as found
      from (
        select tenant_id, id, released_quantity as released, actual_quantity as good, posted_cost - expensed_cost as value
        from manufacturing_orders where released_quantity > 0 or posted_cost > expensed_cost
      ) o
      full join (
        select tenant_id, source_id as id, sum(quantity) as released, sum(quantity - quarantine_quantity) as good,
          sum(value) as value
        from stock_movements where kind = 'MANUFACTURING_OUTPUT' group by 1, 2
      ) m using (tenant_id, id)
      where (o.released, o.good, o.value) is distinct from (m.released, m.good, m.value)`,
  },
  {
    name: 'manufacturing cost = its materials and tasks, once started',
    faultRows: sql.fragment`
      select o.tenant_id, ${orderWords} as subject,
        format('%s + %s', trim_scale(c.materials), trim_scale(c.operations)) as expected,
        format('%s + %s', trim_scale(o.materials_cost), trim_scale(o.operations_cost)) as found
      from manufacturing_orders o
      left join (
        select tenant_id, manufacturing_order_id as id, sum(cost) as cost from manufacturing_order_items group by 1, 2
      ) l using (tenant_id, id)
      left join (
        select tenant_id, manufacturing_order_id as id, sum(coalesce(actual_cost, planned_cost)) as cost
        from manufacturing_order_tasks group by 1, 2
      ) k using (tenant_id, id)
      cross join lateral (
        select coalesce(l.cost, 0) as materials, case when ${notStarted} then 0 else coalesce(k.cost, 0) end as operations
      ) c
      where (o.materials_cost, o.operations_cost) <> (c.materials, c.operations)`,
  },
  {
    name: 'materials and durations of a recipe = its numbers for the quantity of the order',
    // div() is exact: a quotient of numerics may be rounded before it is rounded to 6 decimals.
    faultRows: sql.fragment`
      select tenant_id, subject, trim_scale(expected)::text as expected, trim_scale(found)::text as found
      from (
        select o.tenant_id, format('line %s of manufacturing order %s', l.id, o.number) as subject, l.quantity as found,
          div(2000000 * l.recipe_quantity * (100 + l.scrap_percent) * o.quantity + 100 * o.recipe_output_quantity, 200 * o.recipe_output_quantity) / 1000000 as expected
        from manufacturing_orders o
        join manufacturing_order_items l on l.tenant_id = o.tenant_id and l.manufacturing_order_id = o.id
        where l.recipe_quantity is not null
        union all
        select o.tenant_id, format('task %s of manufacturing order %s', k.id, o.number), k.planned_duration,
          div(2000000 * k.recipe_duration * o.quantity + o.recipe_output_quantity, 2 * o.recipe_output_quantity) / 1000000
        from manufacturing_orders o
        join manufacturing_order_tasks k on k.tenant_id = o.tenant_id and k.manufacturing_order_id = o.id
      ) planned
      where expected <> found`,
  },
  {
    name: 'posted + work in progress = total, and nothing is left when done',
    faultRows: sql.fragment`
      select o.tenant_id, ${orderWords} as subject,
        case when o.status = 'DONE' then 'no work in progress' else 'work in progress of 0 or more' end as expected,
        trim_scale(o.materials_cost + o.operations_cost - o.posted_cost)::text as found
      from manufacturing_orders o
      where o.posted_cost > o.materials_cost + o.operations_cost
        or (o.status = 'DONE' and o.posted_cost <> o.materials_cost + o.operations_cost)`,
  },
]
