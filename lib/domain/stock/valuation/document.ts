/** What the value of the stock at a time shows. */

import { shows, view } from '../../../kit/documents/view.ts'
import { cost, instant, quantity } from '../../../kit/fields/kinds.ts'
import { variantAtPlace } from '../variant-places.ts'

/** Of the totals `p` of a variant `v` at a place, at the time `asked.as_of`. */
export const Valuation = view('StockValuation', {
  ...variantAtPlace,
  quantity: shows(quantity().words('physical stock over all batches, quarantined or not'), 'p.quantity'),
  average_cost: shows(
    cost().words('stock_value / quantity, rounded; null without stock').orNull(),
    'cost_ratio(p.value, p.quantity)',
  ),
  stock_value: shows(cost().words("in the tenant's currency"), 'p.value'),
  as_of: shows(instant(), 'asked.as_of'),
})
