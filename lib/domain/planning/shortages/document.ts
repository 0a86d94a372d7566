/** What a shortage is (docs/rules/planning.md). */

import { arrayOf, view } from '../../../kit/documents/view.ts'
import { choice, instant, key, quantity, text } from '../../../kit/fields/kinds.ts'
import { variantAtPlace } from '../../stock/variant-places.ts'
import { demand, supply } from './open-documents.ts'

const PROJECTED = 'p.quantity - p.quarantine_quantity - p.expired_quantity - p.reserved_quantity + p.expected_quantity'

/** The fields come from the page's row `p` and its variant `v`. */
export const Shortage = view('Shortage', {
  ...variantAtPlace,
  quantity: quantity().words('physical stock over all batches, quarantined or not').from('p.quantity'),
  quarantine_quantity: quantity().words('of the quantity').from('p.quarantine_quantity'),
  expired_quantity: quantity().words('of the quantity: expired and not quarantined').from('p.expired_quantity'),
  reserved_quantity: quantity().words('the sum of `demand`').from('p.reserved_quantity'),
  expected_quantity: quantity().words('the sum of `supply`').from('p.expected_quantity'),
  available_quantity: quantity()
    .words('quantity - quarantine - expired - reserved; may be negative')
    .from('p.quantity - p.quarantine_quantity - p.expired_quantity - p.reserved_quantity'),
  projected_quantity: quantity().words('available + expected').from(PROJECTED),
  minimum_stock: quantity().words("the variant's, wherever the row stands").orNull().from('v.minimum_stock'),
  short_quantity: quantity().words('what is missing to 0, or to the minimum').from(`p.bound - (${PROJECTED})`),
  demand: arrayOf(
    {
      source_type: choice({
        SALES_ORDER: 'a sales order reserves it',
        RESERVATION: 'it is held for somebody who is about to order',
        MANUFACTURING_ORDER: 'a manufacturing order needs it',
      }).from('e.source_type'),
      source_id: key().from('e.source_id'),
      number: text().from('e.number'),
      quantity: quantity().words('what the document still reserves, over its lines').from('e.quantity'),
      needed_by: instant()
        .words("the sales order's delivery date, or the manufacturing order's planned start; null for a reservation")
        .orNull()
        .from('e.due'),
    },
    {
      from: `(${demand.sql}) e`,
      order: 'e.due, e.source_id',
      words: 'open reservations, one entry per document: the earliest first, those without a date last',
    },
  ),
  supply: arrayOf(
    {
      source_type: choice({
        PURCHASE_ORDER: 'a purchase order brings it',
        MANUFACTURING_ORDER: 'a manufacturing order makes it',
      }).from('e.source_type'),
      source_id: key().from('e.source_id'),
      number: text().from('e.number'),
      quantity: quantity().words('what is still to come, over its lines').from('e.quantity'),
      expected_by: instant()
        .words(
          "the earliest expected date of the purchase order's open lines, where a line without one has the order's; or the " +
            "manufacturing order's production date",
        )
        .orNull()
        .from('e.due'),
    },
    {
      from: `(${supply.sql}) e`,
      order: 'e.due, e.source_id',
      words: 'what is expected, one entry per document: the earliest first, those without a date last',
    },
  ),
})
