/**
 * What a purchase order's document holds (interface "Purchase order", contract 2), for OpenAPI and for tests of real
 * answers. The SQL that renders it is in `document.ts`; the two must name the same fields.
 */
import * as v from 'valibot'
import { shape } from '../../api/fields.ts'
import { choice, day, decimal, explained, idText, instant, orNull, plainText } from '../../api/reply-fields.ts'
import { PartnerSummary } from '../../partners/schemas.ts'
import { deliveryStatuses, orderStatuses } from './schemas.ts'

const OrderItem = shape({
  id: idText(),
  item_id: idText(),
  item_variant_id: idText(),
  sku: orNull(plainText()),
  title: plainText(),
  batch_number: orNull(plainText()),
  expiry_date: orNull(day()),
  quantity: decimal(),
  received_quantity: decimal(),
  price: decimal(),
  tax_rate: decimal(4),
  line_amount: decimal(4),
  line_tax_amount: decimal(4),
  line_amount_with_tax: decimal(4),
})

export const PurchaseOrder = shape({
  id: idText(),
  number: plainText(),
  status: choice(orderStatuses),
  delivery_status: choice(deliveryStatuses),
  currency: plainText(),
  exchange_rate: explained(decimal(10), "the tenant's currency per unit of the order's"),
  date: instant(),
  expected_date: orNull(instant()),
  completed_at: orNull(instant()),
  notes: orNull(plainText()),
  external_ref: orNull(plainText()),
  close_reason: orNull(explained(plainText(), 'why the order was closed short')),
  created_at: instant(),
  updated_at: instant(),
  supplier: PartnerSummary,
  total_amount: explained(decimal(4), 'sum of the line amounts'),
  tax_amount: explained(decimal(4), 'sum of the line tax amounts'),
  total_amount_with_tax: decimal(4),
  items: explained(v.array(OrderItem), 'in the order sent; sku and title as of the order'),
})
