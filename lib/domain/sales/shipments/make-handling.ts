/** Makes shipments and packings, which a command of their own and a PATCH of the order's `delivery_status` both do. */
import type { Work } from '../../../kit/documents/work.ts'
import { notReversed } from '../../stock/reversals/fields.ts'
import { returnableLine } from '../returns/returnable.ts'
import { type Packing, SalesPacking, SalesShipment, type Shipment } from './noun.ts'
import type { HandledRow, HandlingDocument } from './rules.ts'

/** What a body says of the document itself. A command that a server of the version before queued brings no notes. */
type Said = Pick<Shipment, 'external_ref' | 'metadata'> & { readonly notes?: string | null }

/** Of a document that a PATCH of the order makes. */
export const NOTHING_SAID: Said = { external_ref: null, metadata: {} }

/** A shipment or packing as it was decided. */
type MadeHandling = HandlingDocument & {
  readonly number: string
  readonly orderId: string
  readonly said: Said
  readonly rows: readonly HandledRow[]
}

/** Makes the document of what was shipped or packed; its entries keep their order. */
export function makeHandling(work: Work, handling: MadeHandling): Shipment | Packing {
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
  const items = handling.rows.map(({ line, quantity, batchId, value }) => ({
    id: work.newId(),
    sales_order_item_id: line.id,
    item_variant_id: line.item_variant_id,
    quantity,
    batch_id: batchId,
    order_id: orderId,
    value,
  }))
  if (handling.kind !== 'sales_shipment')
    return work.make(SalesPacking, {
      ...head,
      items: items.map(({ order_id: _order, value: _value, ...item }) => item),
    })
  for (const { line } of handling.rows) work.forget(returnableLine, { id: line.id })
  return work.make(SalesShipment, { ...head, ...notReversed(work.now), notes: said.notes ?? null, items })
}
