/** Availability: the stock of a variant at a place, over all its batches. */

import { view } from '../../../kit/documents/view.ts'
import { cost, flag, instant, quantity, reference, text } from '../../../kit/fields/kinds.ts'
import { Variant } from '../../catalogue/variant.ts'
import { StoragePlace } from '../../places/noun.ts'

/**
 * The fields come from the balance `b` with its variant `v`, its entry `l` without a batch, `x.expired` and `x.updated_at`. For a kit,
 * `kit.available` is what is available. `stock.changed` and `kit.changed` events have the same fields.
 */
export const Availability = view('Availability', {
  item_variant_id: reference(Variant).from('b.item_variant_id'),
  sku: text().orNull().from('v.sku'),
  storage_place_id: reference(StoragePlace).orNull().from('nullif(b.place_key, 0)'),
  is_kit: flag()
    .words('whether it is a kit, of which `available_quantity` counts whole ones; then the other quantities are null')
    .from('b.is_kit'),
  quantity: quantity().words('physical stock over all batches, quarantined or not').orNull().from('b.quantity'),
  quarantine_quantity: quantity().words('of the quantity').orNull().from('b.quarantine_quantity'),
  expired_quantity: quantity().words('of the quantity: expired and not quarantined').orNull().from('x.expired'),
  reserved_quantity: quantity()
    .words('what open sales orders and planned manufacturing orders need')
    .orNull()
    .from('case when not b.is_kit then coalesce(l.reserved, 0) end'),
  expected_quantity: quantity()
    .words('what open purchase orders and manufacturing orders will bring')
    .orNull()
    .from('case when not b.is_kit then coalesce(l.expected, 0) end'),
  available_quantity: quantity()
    .words(
      'quantity - quarantine - expired - reserved; may be negative. Of a kit: how many its scarcest component allows; null where none holds stock',
    )
    .orNull()
    .from(
      'case when b.is_kit then kit.available else b.quantity - b.quarantine_quantity - x.expired - coalesce(l.reserved, 0) end',
    ),
  average_cost: cost().words('null without stock').orNull().from('cost_ratio(b.value, b.quantity)'),
  updated_at: instant().words('when the row changed, or the sales_allowed of its place').orNull().from('x.updated_at'),
})
