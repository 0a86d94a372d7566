/**
 * What a sales order's document holds (interface "Sales order", contract 2), for OpenAPI and for tests of real answers. The
 * SQL that renders it is in `order-document.ts`; the two must name the same fields.
 */
import * as v from 'valibot'
import { shape } from '../../api/fields.ts'
import {
  choice,
  decimal,
  explained,
  idText,
  instant,
  orNull,
  plainText,
  truth,
  wholeNumber,
} from '../../api/reply-fields.ts'
import { PartnerSummary } from '../../partners/schemas.ts'
import { deliveryStatuses, orderStatuses } from './schemas.ts'

const OrderItem = shape({
  id: idText(),
  item_id: idText(),
  item_variant_id: idText(),
  sku: orNull(plainText()),
  title: plainText(),
  storage_place_id: orNull(explained(idText(), 'where the line reserves and ships; null is stock without a place')),
  quantity: decimal(),
  price: decimal(),
  tax_rate: explained(decimal(4), 'percent'),
  line_amount: explained(decimal(4), "quantity * price, rounded half up to the currency's minor unit"),
  line_tax_amount: explained(decimal(4), 'from the rounded line_amount'),
  line_amount_with_tax: decimal(4),
  packed_quantity: decimal(),
  shipped_quantity: decimal(),
})

export const SalesOrder = shape({
  id: idText(),
  number: plainText(),
  status: choice(orderStatuses),
  delivery_status: choice(deliveryStatuses),
  currency: plainText(),
  priority: wholeNumber(),
  notes: orNull(plainText()),
  external_ref: orNull(plainText()),
  allow_backorder: truth(),
  created_date: instant(),
  delivery_date: orNull(instant()),
  shipped_at: orNull(explained(instant(), 'the date of the shipment that left nothing unshipped')),
  cancelled_at: orNull(instant()),
  cancelled_by_user_id: orNull(idText()),
  cancelled_by_user_name: orNull(explained(plainText(), 'the user whom the API key names')),
  cancel_reason: orNull(plainText()),
  customer: PartnerSummary,
  total_amount: explained(decimal(4), 'sum of the line amounts, as are the other totals'),
  tax_amount: decimal(4),
  total_amount_with_tax: decimal(4),
  items: explained(v.array(OrderItem), 'in the order sent, added ones last'),
})
