/** What is shown of a variant at a place, over all its batches. */
import { cost, explained, key, nullable, quantity, text } from '../../../kit/documents/field.ts'
import { shows, view } from '../../../kit/documents/view.ts'

/** Of the balance `b` with its variant `v` and its level `l` without a batch; also the `data` of `stock.changed` events. */
export const Availability = view('Availability', {
  item_variant_id: shows(key(), 'b.item_variant_id'),
  sku: shows(nullable(text()), 'v.sku'),
  storage_place_id: shows(nullable(key()), 'nullif(b.place_key, 0)'),
  quantity: shows(explained(quantity(), 'physical stock over all batches, quarantined or not'), 'b.quantity'),
  quarantine_quantity: shows(explained(quantity(), 'of the quantity'), 'b.quarantine_quantity'),
  reserved_quantity: shows(quantity(), 'coalesce(l.reserved, 0)'),
  expected_quantity: shows(quantity(), 'coalesce(l.expected, 0)'),
  available_quantity: shows(
    explained(quantity(), 'quantity - quarantine - reserved; may be negative'),
    'b.quantity - b.quarantine_quantity - coalesce(l.reserved, 0)',
  ),
  average_cost: shows(nullable(explained(cost(), 'null without stock')), 'cost_ratio(b.value, b.quantity)'),
})
