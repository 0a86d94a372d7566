/**
 * The endpoints of shipments and packings, declared once for both. What runs is in `commands.ts` and `queries.ts`.
 */
import { defineList, type Endpoint } from '../../api/endpoint.ts'
import { notFound } from '../../documents/reads.ts'
import { replyOf } from '../../documents/reply.ts'
import { SalesOrder } from '../orders/document.ts'
import { createHandling } from './commands.ts'
import { documents } from './document.ts'
import { listHandlings } from './queries.ts'
import type { HandlingKind } from './rules.ts'

const tag = 'Sales orders'

type Words = {
  readonly name: string
  readonly noun: string
  readonly path: string
  readonly does: string
  readonly countsAsDocument: boolean
}

function handlingEndpointsOf(kind: HandlingKind, { name, noun, path, does, countsAsDocument }: Words) {
  return {
    list: defineList({
      id: `list${name}s`,
      path,
      tag,
      scope: 'read:sales',
      summary: `List the ${noun}s of a sales order`,
      refusals: [],
      reply: replyOf(documents[kind]),
      page: async ({ pool, tenantId }, { params, filters: _, ...page }) =>
        (await listHandlings(pool, kind, { tenantId, orderId: params['id'] ?? '', ...page })) ?? notFound(SalesOrder),
    }),
    create: createHandling(kind, { name, path, description: does, countsAsDocument }),
  }
}

export const shipmentEndpoints = handlingEndpointsOf('sales_shipment', {
  name: 'Shipment',
  noun: 'shipment',
  path: '/sales-orders/{id}/shipments',
  does:
    'Writes stock off at the place of each line, by default of all that is unshipped. Without `batch_id` batches are taken ' +
    'first-expired-first-out, an entry of the answer for each; expired and quarantined stock is never taken, also not by ' +
    'name. More than is left of a line is 400, short stock 409 `insufficient_stock`; then nothing moves. Reservations fall by ' +
    'what is shipped. The shipment that leaves nothing unshipped makes the order SHIPPED and DONE. Services are counted ' +
    'without movements.',
  countsAsDocument: true,
})

export const packingEndpoints = handlingEndpointsOf('sales_packing', {
  name: 'Packing',
  noun: 'packing',
  path: '/sales-orders/{id}/packings',
  does:
    'Counts what is packed, by default all that is left to pack: the quantity of a line less the greater of what is packed and ' +
    'what is shipped. No stock moves.',
  countsAsDocument: false,
})

export const handlingEndpoints: readonly Endpoint[] = [
  ...Object.values(shipmentEndpoints),
  ...Object.values(packingEndpoints),
]
