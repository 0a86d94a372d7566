/**
 * Writes a changed order, with the shipment or packing that the change made, and tells of it. It must not decide anything.
 */
import type { CommandContext, Json } from '../../api/endpoint.ts'
import type { Ledger } from '../../stock/ledger.ts'
import { sql } from '../../store/postgres.ts'
import { handlingWrite, type MadeHandling } from '../shipments/queries.ts'
import type { Order } from './order.ts'
import { changedRendering, type OrderChange, orderUpdate, readChanged } from './store.ts'

/** The event of a change, by how it leaves the order. */
function eventOf({ status, deliveryStatus }: Order): string {
  if (status === 'OPEN') return 'sales_order.updated'
  if (status === 'CANCELLED') return 'sales_order.cancelled'
  return deliveryStatus === 'SHIPPED' ? 'sales_order.shipped' : 'sales_order.done'
}

/**
 * One statement and one event of the order, after the `stock.changed` ones. Answers the order's document and, as `made`,
 * that of the shipment or packing.
 */
export async function storeChange(
  context: CommandContext,
  ledger: Ledger,
  { change, handling }: { readonly change: OrderChange; readonly handling: MadeHandling | null },
): Promise<{ readonly document: Json; readonly made: Json | null }> {
  const update = orderUpdate(context, change)
  const made = handling === null ? null : handlingWrite(context, handling)
  const rendered = await ledger.store(
    made === null
      ? { inserts: update, rendering: changedRendering() }
      : { inserts: sql.fragment`${update}, ${made.inserts}`, rendering: changedRendering(made.rendering) },
  )
  const { previous, ...documents } = readChanged(rendered)
  context.emit({ type: eventOf(change.after), data: documents.document, previous })
  return documents
}
