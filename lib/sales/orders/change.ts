/**
 * Changes sales orders by PATCH: load, decide, store, tell. It must not hold SQL or rules.
 */
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { refuseTakenBy } from '../../accounting/taken.ts'
import type { Answer, CommandContext, Params } from '../../api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../../api/errors.ts'
import { refusePartner } from '../../partners/inline.ts'
import { customerKind } from '../../partners/kinds.ts'
import { type OpenedLedger, openSalesDocument, openSalesLedger, type SalesWishes } from '../open-document.ts'
import type { HandlingDocument } from '../shipments/rules.ts'
import { refuseBody } from './change-rules.ts'
import { loadOrder, type StoredOrder } from './load.ts'
import { isSame, type Order } from './order.ts'
import { decidePatch } from './patch-rules.ts'
import { findOrder } from './queries.ts'
import type { OrderChange } from './schemas.ts'
import { refuseFinished } from './status-rules.ts'
import { storeChange } from './store-change.ts'

export const noSuchOrder = (): Refusal => refuse('not_found', 'no such sales order')

/**
 * Changes an order. Three round trips for any number of lines. Emits `stock.changed` per variant and place, then one event
 * of the order (see `storeChange`); a body that changes nothing writes and emits nothing.
 * Refusals: `not_found`, `sales_order_not_editable`, `validation_failed`, `unprocessable` (closed period, when it ships or
 * packs), `insufficient_stock`; see `refuseBody` and `decidePatch`.
 */
export async function changeOrder(
  context: CommandContext,
  { params, body }: { readonly params: Params; readonly body: OrderChange },
): Promise<Answer | Refusal> {
  const malformed = refuseBody(body)
  if (malformed !== null) return malformed
  const id = params['id'] ?? ''
  const stored = await loadOrder(context, { id, customerId: body.customer_id, externalRef: body.external_ref })
  if (stored === null) return noSuchOrder()
  const refused = refuseFinished(stored.order) ?? refuseReferences(stored, body) ?? refuseDate(context, body)
  if (refused !== null) return refused
  const before = stored.order
  const opened = await open(context, before, body)
  if (isRefusal(opened)) return opened
  const { ledger, closedPlaceIds, document } = opened
  const { book } = ledger
  const patched = decidePatch({ book, closedPlaceIds }, before, { body, now: context.now, document })
  if (isRefusal(patched)) return patched
  const { order: after, rows } = patched
  const customerId = body.customer_id ?? stored.customerId
  if (isSame(before, after) && customerId === stored.customerId)
    return { body: await findOrder(context.connection, { tenantId: context.tenant.id, id }) }
  const handling = document === null || rows.length === 0 ? null : { ...document, orderId: id, externalRef: null, rows }
  const changed = await storeChange(context, ledger, { change: { before, after, customerId }, handling })
  return { body: changed.document }
}

/** Refuses `validation_failed` for a customer that is absent or archived, and for a taken external_ref. */
function refuseReferences(stored: StoredOrder, body: OrderChange): Refusal | null {
  const taken = refuseTakenBy('external_ref', stored.externalRefTakenBy)
  if (taken !== null) return taken
  if (body.customer_id === undefined || body.customer_id === stored.customerId) return null
  return refusePartner(customerKind, stored.customer)
}

/** A PATCH that ships or packs makes a document dated now. */
function refuseDate({ now, tenant }: CommandContext, body: OrderChange): Refusal | null {
  if (body.delivery_status === undefined) return null
  return refuseDocumentDate({ field: 'delivery_status', date: now, now, closedThrough: tenant.closedThrough })
}

const kinds = { SHIPPED: 'sales_shipment', PACKED: 'sales_packing' } as const

async function open(
  context: CommandContext,
  order: Order,
  body: OrderChange,
): Promise<(OpenedLedger & { readonly document: HandlingDocument | null }) | Refusal> {
  const wishes = wishesOf(order, body)
  if (body.delivery_status === undefined) return { ...(await openSalesLedger(context, wishes)), document: null }
  const kind = kinds[body.delivery_status]
  const opened = await openSalesDocument(context, { kind, number: null, externalRef: null, wishes: () => wishes })
  if (isRefusal(opened)) return opened
  const { id, number } = opened
  return { ...opened, document: { kind, id, number, date: context.now } }
}

/** A change of fields alone asks for no stock; shipping picks batches, reservations stand on the level without one. */
function wishesOf(order: Order, body: OrderChange): SalesWishes {
  const pickable = body.delivery_status === 'SHIPPED'
  if (body.items === undefined && body.status === undefined && !pickable)
    return { positions: [], batches: [], freshIds: 0 }
  const variants = new Map(order.lines.map(line => [line.id, line.itemVariantId]))
  const stored = order.lines.map(({ itemVariantId, storagePlaceId }) => ({ itemVariantId, storagePlaceId, pickable }))
  const asked = (body.items ?? []).flatMap(item => {
    const itemVariantId = item.id === undefined ? item.item_variant_id : variants.get(item.id)
    if (itemVariantId === undefined) return []
    if (item.storage_place_id !== undefined) return [{ itemVariantId, storagePlaceId: item.storage_place_id, pickable }]
    return item.id === undefined ? [{ itemVariantId, storagePlaceId: 'main' as const, pickable }] : []
  })
  return { positions: [...stored, ...asked], batches: [], freshIds: body.items?.length ?? 0 }
}
