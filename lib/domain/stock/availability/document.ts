/** What is shown of a variant at a place, over all its batches. */

import { shows, view } from '../../../kit/documents/view.ts'
import { cost, key, quantity, text } from '../../../kit/fields/kinds.ts'

/** Of the balance `b` with its variant `v` and its level `l` without a batch; also the `data` of `stock.changed` events. */
export const Availability = view('Availability', {
  item_variant_id: shows(key(), 'b.item_variant_id'),
  sku: shows(text().orNull(), 'v.sku'),
  storage_place_id: shows(key().orNull(), 'nullif(b.place_key, 0)'),
  quantity: shows(quantity().words('physical stock over all batches, quarantined or not'), 'b.quantity'),
  quarantine_quantity: shows(quantity().words('of the quantity'), 'b.quarantine_quantity'),
  reserved_quantity: shows(quantity(), 'coalesce(l.reserved, 0)'),
  expected_quantity: shows(quantity(), 'coalesce(l.expected, 0)'),
  available_quantity: shows(
    quantity().words('quantity - quarantine - reserved; may be negative'),
    'b.quantity - b.quarantine_quantity - coalesce(l.reserved, 0)',
  ),
  average_cost: shows(cost().words('null without stock').orNull(), 'cost_ratio(b.value, b.quantity)'),
})
