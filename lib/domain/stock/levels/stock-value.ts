/** The SQL of the value of a stock entry. */
import type { Sql } from '../../../kit/documents/sql.ts'

/**
 * The share of a stock entry in the value of its balance `b`. It is by quantity, rounded. The entry with stock and the highest id gets the
 * rest, so that the entries of a variant and place add up to V exactly. All entries of the variant and place count, also those that the
 * page does not show. If one entry has all the stock, no other entry is read.
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
