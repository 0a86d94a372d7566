/**
 * The endpoints of shipments and packings, declared once for both. What runs is in `commands.ts` and `queries.ts`.
 */
import { defineList, type Endpoint } from '../../../kit/api/endpoint.ts'
import { id } from '../../../kit/api/fields.ts'
import { created, type Filter, fewIds, filtersOf, uniqueText } from '../../../kit/api/list-filters.ts'
import { listOf, notFound, readOf } from '../../../kit/documents/reads.ts'
import { replyOf } from '../../../kit/documents/reply.ts'
import { SalesOrder } from '../orders/noun.ts'
import { createHandling } from './commands.ts'
import { documents, SalesShipment } from './document.ts'
import { listHandlings, shipmentsWith } from './queries.ts'
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

const ofAllOrders = { tag: 'Sales shipments', scope: 'read:sales' }

/** Of a line that has both, where both are given. */
const lineFilters: Readonly<Record<'item_variant_id' | 'batch_id', Filter>> = {
  item_variant_id: {
    schema: id(),
    ask: (given, { tenantId }) =>
      given['item_variant_id'] === undefined && given['batch_id'] === undefined
        ? {}
        : { among: shipmentsWith({ tenantId, ...given }) },
  },
  batch_id: { schema: id(), ask: () => ({}) },
}

export const listAllShipmentsEndpoint = listOf(SalesShipment, {
  ...ofAllOrders,
  id: 'listAllShipments',
  path: '/sales-shipments',
  summary: 'List the shipments of all sales orders',
  description:
    '`item_variant_id` and `batch_id` find the shipments with such a line. `created_after` is inclusive, `created_before` ' +
    'exclusive; both speak of `created_at`.',
  filters: filtersOf({
    external_ref: uniqueText(),
    sales_order_id: fewIds(),
    ...lineFilters,
    ...created,
  }),
})

export const getShipmentEndpoint = readOf(SalesShipment, {
  ...ofAllOrders,
  id: 'getShipment',
  path: '/sales-shipments/{id}',
  summary: 'Read a shipment',
})

export const handlingEndpoints: readonly Endpoint[] = [
  ...Object.values(shipmentEndpoints),
  ...Object.values(packingEndpoints),
  listAllShipmentsEndpoint,
  getShipmentEndpoint,
]
