/** What the trace of a batch shows. */
import * as v from 'valibot'
import { shape } from '../../../kit/api/fields.ts'
import * as reply from '../../../kit/api/reply-fields.ts'
import { objectWhere, shows, view } from '../../../kit/documents/view.ts'
import { choice, instant, key, quantity, text, whole } from '../../../kit/fields/kinds.ts'
import { Batch } from './document.ts'
import { directions } from './schemas.ts'

/** What a row of a trace tells (docs/rules/batches.md). */
const traceKinds = {
  SHIPPED: 'to a customer',
  CONSUMED: 'by a manufacturing order',
  PRODUCED: 'by a manufacturing order',
  RECEIVED: 'from a supplier',
  RETURNED: 'by a customer',
  ADJUSTED_OUT: 'by an adjustment that lowered the stock',
  ADJUSTED_IN: 'by an adjustment that raised the stock',
  IN_STOCK: 'what lies at a place now, quarantined or not',
} as const

const sources = {
  STOCK_ADJUSTMENT: 'a stock adjustment',
  PURCHASE_RECEIPT: 'a receipt of a purchase order',
  MANUFACTURING_ORDER: 'a manufacturing order',
  SALES_SHIPMENT: 'a shipment of a sales order',
  SALES_RETURN: 'a sales return',
} as const

/** Of the row `r` at the level `at.level`, with its variant, batch, source and partner. */
export const TraceRow = view(null, {
  level: shows(whole().words('0: the batch itself; each order between leads one level deeper'), 'at.level'),
  batch_id: shows(key().orNull(), 'r.batch_id'),
  batch_number: shows(text().orNull(), 't.number'),
  item_variant_id: shows(key(), 'r.item_variant_id'),
  sku: shows(text().orNull(), 'v.sku'),
  title: shows(text(), 'v.title'),
  kind: shows(choice(traceKinds), 'r.kind'),
  quantity: shows(
    quantity().words('more than 0; over all movements of the source, the batch and the place'),
    'r.quantity',
  ),
  storage_place_id: shows(key().orNull(), 'r.storage_place_id'),
  source_type: shows(choice(sources).words('null for IN_STOCK, like all of the source').orNull(), 'r.source_type'),
  source_id: shows(key().orNull(), 'r.source_id'),
  source_number: shows(
    text().orNull(),
    'coalesce(adjusted.number, received.number, made.number, shipped.number, returned.number)',
  ),
  document_date: shows(
    instant().words('of the source; an order that moved this at several times shows the earliest').orNull(),
    'r.document_date',
  ),
  partner: objectWhere(
    'partner.id is not null',
    {
      id: shows(key(), 'partner.id'),
      title: shows(text(), 'partner.title'),
      country_code: shows(text().orNull(), 'partner.country_code'),
    },
    'the customer of a shipment or return, the supplier of a receipt',
  ),
})

export const Trace = reply.named(
  'BatchTrace',
  shape({
    batch: Batch.reply,
    direction: reply.choice(directions),
    truncated: reply.explained(reply.truth(), 'there is more than rows show: beyond level 20, or beyond 5,000 rows'),
    rows: v.array(TraceRow.reply),
  }),
)
