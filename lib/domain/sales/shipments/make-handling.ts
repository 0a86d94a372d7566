/** Makes shipments and packings, for the endpoints of both and for a PATCH of the order's `delivery_status`. */
import { type Decision, made } from '../../../kit/documents/command.ts'
import type { Work } from '../../../kit/documents/work.ts'
import { notReversed } from '../../stock/reversals/fields.ts'
import { forgetReturnable } from '../returns/returnable.ts'
import { type Parcel, SalesPacking, SalesShipment, type Shipment } from './noun.ts'
import type { HandledRow, HandlingDocument } from './rules.ts'

/** The document's own fields in a body. A packing has no parcel. */
type Said = Pick<Shipment, 'external_ref' | 'metadata'> & Partial<Parcel>

/** The fields of a document that a PATCH of the order makes. */
export const NOTHING_SAID: Said = { external_ref: null, metadata: {} }

/** A shipment or packing after the decision. */
type MadeHandling = HandlingDocument & {
  readonly number: string
  readonly orderId: string
  readonly said: Said
  readonly rows: readonly HandledRow[]
}

/** Writes the document. Its rows keep their order. A shipment has an event, a packing has none. */
export function makeHandling(work: Work, handling: MadeHandling): Decision {
  const { id, number, date, orderId, said } = handling
  const head = {
    id,
    number,
    sales_order_id: orderId,
    date,
    external_ref: said.external_ref,
    metadata: said.metadata,
    created_at: work.now,
  }
  const items = handling.rows.map(({ line, quantity, batchId, storagePlaceId, value, components }) => ({
    id: work.newId(),
    sales_order_item_id: line.id,
    item_variant_id: line.item_variant_id,
    quantity,
    batch_id: batchId,
    storage_place_id: storagePlaceId,
    components,
    order_id: orderId,
    value,
  }))
  if (handling.kind !== 'sales_shipment') {
    const packed = items.map(
      ({ order_id: _order, value: _value, storage_place_id: _place, components: _parts, ...item }) => item,
    )
    return { body: work.render(SalesPacking, work.make(SalesPacking, { ...head, items: packed })), events: [] }
  }
  for (const { line } of handling.rows) forgetReturnable(work, line.id)
  const { carrier = null, tracking_number = null, tracking_url = null, notes = null } = said
  const parcel = { carrier, tracking_number, tracking_url, notes }
  return made(work, SalesShipment, work.make(SalesShipment, { ...head, ...parcel, ...notReversed(work.now), items }))
}
