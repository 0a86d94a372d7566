/** The SQL of what a stock entry is worth. */
import type { Sql } from '../../../kit/documents/sql.ts'

/**
 * The share of a stock entry in the value of its balance `b`: by quantity, rounded, and the residue for the row with stock
 * and the highest id, so that the rows of a variant and place add up to V exactly. It looks at all rows of the variant and
 * place, whatever the page or filter shows of them; with one row in stock it looks at none.
 */
export const stockValue = (entry: Sql): Sql => `(
  case
    when ${entry}.quantity = 0 then 0
    when ${entry}.quantity = b.quantity then b.value
    when (
      select true from stock_levels o
      where o.tenant_id = ${entry}.tenant_id and o.item_variant_id = ${entry}.item_variant_id and o.place_key = ${entry}.place_key
        and o.quantity > 0 and o.id > ${entry}.id
      limit 1
    ) then cost_ratio(b.value * ${entry}.quantity, b.quantity)
    else b.value - (
      select sum(cost_ratio(b.value * o.quantity, b.quantity)) from stock_levels o
      where o.tenant_id = ${entry}.tenant_id and o.item_variant_id = ${entry}.item_variant_id and o.place_key = ${entry}.place_key
        and o.quantity > 0 and o.id <> ${entry}.id
    )
  end
)`
