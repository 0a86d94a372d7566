/** What the value of the stock at a time shows. */
import { cost, explained, instant, nullable, quantity } from '../../../kit/documents/field.ts'
import { shows, view } from '../../../kit/documents/view.ts'
import { variantAtPlace } from '../variant-places.ts'

/** Of the totals `p` of a variant `v` at a place, at the time `asked.as_of`. */
export const Valuation = view('StockValuation', {
  ...variantAtPlace,
  quantity: shows(explained(quantity(), 'physical stock over all batches, quarantined or not'), 'p.quantity'),
  average_cost: shows(
    nullable(explained(cost(), 'stock_value / quantity, rounded; null without stock')),
    'cost_ratio(p.value, p.quantity)',
  ),
  stock_value: shows(explained(cost(), "in the tenant's currency"), 'p.value'),
  as_of: shows(instant(), 'asked.as_of'),
})
