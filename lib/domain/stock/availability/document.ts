/** What is shown of a variant at a place, over all its batches. */

import { view } from '../../../kit/documents/view.ts'
import { cost, instant, quantity, reference, text } from '../../../kit/fields/kinds.ts'
import { Variant } from '../../catalogue/variant.ts'
import { StoragePlace } from '../../places/noun.ts'

/** Of the balance `b` with its variant `v`, its level `l` without a batch, `x.expired` and `x.updated_at`; also the `data` of `stock.changed` events. */
export const Availability = view('Availability', {
  item_variant_id: reference(Variant).from('b.item_variant_id'),
  sku: text().orNull().from('v.sku'),
  storage_place_id: reference(StoragePlace).orNull().from('nullif(b.place_key, 0)'),
  quantity: quantity().words('physical stock over all batches, quarantined or not').from('b.quantity'),
  quarantine_quantity: quantity().words('of the quantity').from('b.quarantine_quantity'),
  expired_quantity: quantity().words('of the quantity: expired and not quarantined').from('x.expired'),
  reserved_quantity: quantity()
    .words('what open sales orders and planned manufacturing orders need')
    .from('coalesce(l.reserved, 0)'),
  expected_quantity: quantity()
    .words('what open purchase orders and manufacturing orders will bring')
    .from('coalesce(l.expected, 0)'),
  available_quantity: quantity()
    .words('quantity - quarantine - expired - reserved; may be negative')
    .from('b.quantity - b.quarantine_quantity - x.expired - coalesce(l.reserved, 0)'),
  average_cost: cost().words('null without stock').orNull().from('cost_ratio(b.value, b.quantity)'),
  updated_at: instant().words('when the row changed, or the sales_allowed of its place').from('x.updated_at'),
})
