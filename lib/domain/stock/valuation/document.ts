/** What the value of the stock at a time shows. */

import { view } from '../../../kit/documents/view.ts'
import { cost, instant, quantity } from '../../../kit/fields/kinds.ts'
import { variantAtPlace } from '../variant-places.ts'

/** Of the totals `p` of a variant `v` at a place, at the time `asked.as_of`. */
export const Valuation = view('StockValuation', {
  ...variantAtPlace,
  quantity: quantity().words('physical stock over all batches, quarantined or not').from('p.quantity'),
  average_cost: cost()
    .words('stock_value / quantity, rounded; null without stock')
    .orNull()
    .from('cost_ratio(p.value, p.quantity)'),
  stock_value: cost().words("in the tenant's currency").from('p.value'),
  as_of: instant().words('the moment that is shown').from('asked.as_of'),
})
