/** Owns the SQL of what lines of a manufacturing order took from the recipe for one unit of output (docs/rules/manufacturing.md). */
import type { Sql } from '../../../kit/documents/sql.ts'

/**
 * What a line of the order's recipe says for one unit of output. An order of an earlier version does not keep it: then the line of the present
 * recipe counts that gives the order's line as it is. `total` is the column of the order's line.
 */
export const perUnit =
  (kept: Sql, line: { readonly table: Sql; readonly names: Sql; readonly perUnit: Sql; readonly total: Sql }) =>
  (row: Sql): Sql =>
    `coalesce(${row}.${kept}, (
    select m.${line.perUnit}
    from (select * from manufacturing_orders where tenant_id = ${row}.tenant_id and id = ${row}.manufacturing_order_id limit 1) mo
    cross join lateral (
      select * from ${line.table} where tenant_id = mo.tenant_id and recipe_id = mo.recipe_id offset 0
    ) m
    where mo.keeps_per_unit is null and m.${line.names} = ${row}.${line.names}
      and round(m.${line.perUnit} * mo.quantity, 6) = ${row}.${line.total}
    order by m.id
    limit 1
  ))`
