/** The endpoints of shipments and packings. */

import { defineList, type Endpoint } from '../../../kit/api/endpoint.ts'
import { OwnFilters } from '../../../kit/api/list-filters.ts'
import { readsOf } from '../../../kit/documents/noun.ts'
import { notFound } from '../../../kit/documents/reads.ts'
import { replyOf } from '../../../kit/documents/reply.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { SalesOrder } from '../orders/noun.ts'
import { changeShipment, createPacking, createShipment } from './commands.ts'
import { examples } from './examples.ts'
import { SalesPacking, SalesShipment } from './noun.ts'
import { listHandlings } from './queries.ts'
import { reverseShipment } from './reversal.ts'

const listBelow = (of: typeof SalesShipment | typeof SalesPacking, id: string, name: string): Endpoint =>
  defineList({
    id,
    path: `${SalesOrder.path}/{id}/${name}`,
    tag: SalesOrder.tag,
    scope: of.scopes.read,
    summary: `List the ${name} of a sales order`,
    filters: OwnFilters,
    refusals: [],
    reply: replyOf(of),
    page: async ({ pool, tenantId }, { params, ...page }) =>
      (await listHandlings(pool, of, { tenantId, orderId: params['id'] ?? '', ...page })) ?? notFound(SalesOrder),
  })

export const listShipments = listBelow(SalesShipment, 'listShipments', 'shipments')
export const listPackings = listBelow(SalesPacking, 'listPackings', 'packings')

const [list, read] = readsOf(SalesShipment)

export const listAllShipments: Endpoint = {
  ...list,
  id: 'listAllShipments',
  summary: 'List the shipments of all sales orders',
}
export const getShipment: Endpoint = { ...read, id: 'getShipment' }

export const salesShipments = resource(
  [SalesShipment, SalesPacking],
  [
    listShipments,
    createShipment,
    listPackings,
    createPacking,
    listAllShipments,
    getShipment,
    changeShipment,
    reverseShipment,
  ],
  { examples },
)
