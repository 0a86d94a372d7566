/** What the value of the stock at a time shows. */

import { view } from '../../../kit/documents/view.ts'
import { cost, day, instant, quantity, text } from '../../../kit/fields/kinds.ts'
import { variantAtPlace } from '../variant-places.ts'

/** Of the totals `p` of a variant `v` of an item `i` at a place, as `asked`. */
export const Valuation = view('StockValuation', {
  ...variantAtPlace,
  quantity: quantity().words('physical stock over all batches, quarantined or not').from('p.quantity'),
  average_cost: cost()
    .words('stock_value / quantity, rounded; null without stock')
    .orNull()
    .from('cost_ratio(p.value, p.quantity)'),
  stock_value: cost().words("in the tenant's currency").from('p.value'),
  category: text().words('of the product, as it is now').orNull().from('i.category'),
  as_of: instant().words('the moment that is shown; null with `through`').orNull().from('asked.as_of'),
  through: day().words('the day that is shown; null with `as_of`').orNull().from('asked.through'),
})
