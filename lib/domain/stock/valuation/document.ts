/** The document of the stock's value at a time. */
import { shape } from '../../../kit/api/fields.ts'
import * as reply from '../../../kit/api/reply-fields.ts'

import { view } from '../../../kit/documents/view.ts'
import { cost, day, instant, quantity, text } from '../../../kit/fields/kinds.ts'
import { variantAtPlace } from '../variant-places.ts'

/** The fields come from the totals `p` of a variant `v` of an item `i` at a place, as of `asked`. */
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

export const ValuationTotals = reply.named(
  'StockValuationTotals',
  shape({
    as_of: reply.orNull(reply.explained(reply.instant(), 'as asked')),
    through: reply.orNull(reply.explained(reply.day(), 'as asked')),
    rows: reply.explained(reply.wholeNumber(), 'how many the list has'),
    stock_value: reply.explained(reply.decimal(4), "of all rows, in the tenant's currency"),
  }),
)
