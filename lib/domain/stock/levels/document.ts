/** What a stock entry shows, and its share of the stock value. */

import { shows, view } from '../../../kit/documents/view.ts'
import { cost, day, instant, key, quantity, text } from '../../../kit/fields/kinds.ts'
import { sql } from '../../../platform/postgres/postgres.ts'
import { shownUpdatedAt } from './changed-since.ts'

/**
 * The share of the level `l` in the value of its balance `b`: by quantity, rounded, and the residue for the row with stock
 * and the highest id, so that the rows of a variant and place add up to V exactly. It looks at all rows of the variant and
 * place, whatever the page or filter shows of them; with one row in stock it looks at none.
 */
export const stockValue = sql.fragment`(
  case
    when l.quantity = 0 then 0
    when l.quantity = b.quantity then b.value
    when (
      select true from stock_levels o
      where o.tenant_id = l.tenant_id and o.item_variant_id = l.item_variant_id and o.place_key = l.place_key
        and o.quantity > 0 and o.id > l.id
      limit 1
    ) then cost_ratio(b.value * l.quantity, b.quantity)
    else b.value - (
      select sum(cost_ratio(b.value * o.quantity, b.quantity)) from stock_levels o
      where o.tenant_id = l.tenant_id and o.item_variant_id = l.item_variant_id and o.place_key = l.place_key
        and o.quantity > 0 and o.id <> l.id
    )
  end
)`

/** What belongs to the level `l` is looked up by its key: joined plainly, it may be read for all of the tenant. */
const beside = `(
    select * from stock_balances
    where tenant_id = l.tenant_id and item_variant_id = l.item_variant_id and place_key = l.place_key limit 1
  ) b
  cross join lateral (select * from item_variants where tenant_id = l.tenant_id and id = l.item_variant_id limit 1) v
  cross join lateral (select unit_id from items where tenant_id = l.tenant_id and id = v.item_id limit 1) i
  cross join lateral (select name from units where tenant_id = l.tenant_id and id = i.unit_id limit 1) u
  left join lateral (select * from batches where tenant_id = l.tenant_id and id = l.batch_id limit 1) t on true`

/** Of the level `l`. */
export const StockEntry = view(
  'StockEntry',
  {
    id: shows(key(), 'l.id'),
    item_id: shows(key(), 'v.item_id'),
    item_variant_id: shows(key(), 'l.item_variant_id'),
    sku: shows(text().orNull(), 'v.sku'),
    title: shows(text(), 'v.title'),
    storage_place_id: shows(key().orNull(), 'l.storage_place_id'),
    batch_id: shows(key().orNull(), 'l.batch_id'),
    batch_number: shows(text().orNull(), 't.number'),
    manufacture_date: shows(day().orNull(), 't.manufacture_date'),
    expiry_date: shows(day().orNull(), 't.expiry_date'),
    unit_name: shows(text(), 'u.name'),
    quantity: shows(quantity().words('physical stock, quarantined or not'), 'l.quantity'),
    quarantine_quantity: shows(quantity().words('of the quantity'), 'l.quarantine_quantity'),
    reserved_quantity: shows(quantity().words('on the row without a batch, for all batches'), 'l.reserved_quantity'),
    expected_quantity: shows(quantity().words('on the row without a batch, for all batches'), 'l.expected_quantity'),
    available_quantity: shows(
      quantity().words('quantity - quarantine - reserved of this row; may be negative'),
      'l.quantity - l.quarantine_quantity - l.reserved_quantity',
    ),
    average_cost: shows(
      cost().words('of the variant at the place, over all its batches; null without stock').orNull(),
      'cost_ratio(b.value, b.quantity)',
    ),
    stock_value: shows(cost().words("this row's share of the stock value of the variant at the place"), stockValue),
    updated_at: shows(
      instant().words("when this row's quantities, average cost or share of the value last changed"),
      shownUpdatedAt,
    ),
  },
  beside,
)
