/** What the value of the stock at a time shows. */
import { cost, explained, instant, key, nullable, quantity, text } from '../../documents/field.ts'
import { shows, view } from '../../documents/view.ts'

/** Of the totals `p` of a variant `v` at a place, at the time `asked.as_of`. */
export const Valuation = view('StockValuation', {
  item_id: shows(key(), 'v.item_id'),
  item_variant_id: shows(key(), 'p.item_variant_id'),
  sku: shows(nullable(text()), 'v.sku'),
  title: shows(text(), 'v.title'),
  storage_place_id: shows(nullable(key()), 'nullif(p.place_key, 0)'),
  quantity: shows(explained(quantity(), 'physical stock over all batches, quarantined or not'), 'p.quantity'),
  average_cost: shows(
    nullable(explained(cost(), 'stock_value / quantity, rounded; null without stock')),
    'cost_ratio(p.value, p.quantity)',
  ),
  stock_value: shows(explained(cost(), "in the tenant's currency"), 'p.value'),
  as_of: shows(instant(), 'asked.as_of'),
})
