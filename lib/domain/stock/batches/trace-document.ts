/** The document of a batch's trace. */
import * as v from 'valibot'
import { type Choices, shape } from '../../../kit/api/fields.ts'
import * as reply from '../../../kit/api/reply-fields.ts'
import { replyOf } from '../../../kit/documents/reply.ts'
import { objectWhere, view } from '../../../kit/documents/view.ts'
import { choice, instant, key, quantity, reference, text, whole } from '../../../kit/fields/kinds.ts'
import { Variant } from '../../catalogue/variant.ts'
import { StoragePlace } from '../../places/noun.ts'
import { Batch } from './noun.ts'
import { directions, directionWords } from './schemas.ts'

/** The kinds of rows in a trace (docs/rules/batches.md). */
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

/** The fields come from the row `r` at the level `at.level`, with its variant, batch, source and partner. */
export const traceRow = (sources: Choices) =>
  view(null, {
    level: whole().words('0: the batch itself; each order between leads one level deeper').from('at.level'),
    batch_id: reference(Batch).orNull().from('r.batch_id'),
    batch_number: text().orNull().from('t.number'),
    item_variant_id: reference(Variant).from('r.item_variant_id'),
    sku: text().orNull().from('v.sku'),
    title: text().from('v.title'),
    kind: choice(traceKinds).words('what became of the batch, or where it came from').from('r.kind'),
    quantity: quantity()
      .words('more than 0; over all movements of the source, the batch and the place')
      .from('r.quantity'),
    storage_place_id: reference(StoragePlace).orNull().from('r.storage_place_id'),
    source_type: choice(sources).words('null for IN_STOCK, like all of the source').orNull().from('r.source_type'),
    source_id: key().orNull().from('r.source_id'),
    source_number: text()
      .words('the number of the document')
      .orNull()
      .from('coalesce(adjusted.number, received.number, made.number, shipped.number, returned.number)'),
    document_date: instant()
      .words('of the source; an order that moved this at several times shows the earliest')
      .orNull()
      .from('r.document_date'),
    partner: objectWhere(
      'partner.id is not null',
      {
        id: key().from('partner.id'),
        title: text().from('partner.title'),
        country_code: text().orNull().from('partner.country_code'),
      },
      'the customer of a shipment or return, the supplier of a receipt',
    ),
  })

/** @param sources the sources of movements that a trace may show */
export const traceReply = (sources: Choices) =>
  reply.named(
    'BatchTrace',
    shape({
      batch: reply.explained(replyOf(Batch), 'the batch that was asked for'),
      direction: reply.explained(reply.choice(directions), directionWords),
      truncated: reply.explained(reply.truth(), 'there is more than rows show: beyond level 20, or beyond 5,000 rows'),
      rows: reply.explained(v.array(traceRow(sources).reply), 'by level, then by movement'),
    }),
  )
