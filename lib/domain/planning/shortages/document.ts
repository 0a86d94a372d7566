/** What a shortage shows (docs/rules/planning.md). */

import { arrayOf, shows, view } from '../../../kit/documents/view.ts'
import { choice, instant, key, quantity, text } from '../../../kit/fields/kinds.ts'
import { variantAtPlace } from '../../stock/variant-places.ts'
import { demand, supply } from './open-documents.ts'

const PROJECTED = 'p.quantity - p.quarantine_quantity - p.reserved_quantity + p.expected_quantity'

/** Of the page's row `p` with its variant `v`. */
export const Shortage = view('Shortage', {
  ...variantAtPlace,
  quantity: shows(quantity().words('physical stock over all batches, quarantined or not'), 'p.quantity'),
  quarantine_quantity: shows(quantity().words('of the quantity'), 'p.quarantine_quantity'),
  reserved_quantity: shows(quantity().words('the sum of `demand`'), 'p.reserved_quantity'),
  expected_quantity: shows(quantity().words('the sum of `supply`'), 'p.expected_quantity'),
  available_quantity: shows(
    quantity().words('quantity - quarantine - reserved; may be negative'),
    'p.quantity - p.quarantine_quantity - p.reserved_quantity',
  ),
  projected_quantity: shows(quantity().words('available + expected'), PROJECTED),
  minimum_stock: shows(quantity().words("the variant's, wherever the row stands").orNull(), 'v.minimum_stock'),
  short_quantity: shows(quantity().words('what is missing to 0, or to the minimum'), `p.bound - (${PROJECTED})`),
  demand: arrayOf(
    {
      source_type: shows(
        choice({
          SALES_ORDER: 'a sales order reserves it',
          MANUFACTURING_ORDER: 'a manufacturing order needs it',
        }),
        'e.source_type',
      ),
      source_id: shows(key(), 'e.source_id'),
      number: shows(text(), 'e.number'),
      quantity: shows(quantity().words('what the document still reserves, over its lines'), 'e.quantity'),
      needed_by: shows(
        instant().words("the sales order's delivery date, or the manufacturing order's planned start").orNull(),
        'e.due',
      ),
    },
    {
      from: `(${demand.sql}) e`,
      order: 'e.due, e.source_id',
      words: 'open reservations, one entry per document: the earliest first, those without a date last',
    },
  ),
  supply: arrayOf(
    {
      source_type: shows(
        choice({
          PURCHASE_ORDER: 'a purchase order brings it',
          MANUFACTURING_ORDER: 'a manufacturing order makes it',
        }),
        'e.source_type',
      ),
      source_id: shows(key(), 'e.source_id'),
      number: shows(text(), 'e.number'),
      quantity: shows(quantity().words('what is still to come, over its lines'), 'e.quantity'),
      expected_by: shows(
        instant().words("the purchase order's expected date, or the manufacturing order's production date").orNull(),
        'e.due',
      ),
    },
    {
      from: `(${supply.sql}) e`,
      order: 'e.due, e.source_id',
      words: 'what is expected, one entry per document: the earliest first, those without a date last',
    },
  ),
})
