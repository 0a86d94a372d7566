/**
 * The endpoints of sales returns. It declares; what runs is in `commands.ts` and `queries.ts`.
 */
import { defineCommand, defineList, defineRead, type Endpoint } from '../../api/endpoint.ts'
import { cancelReturn, createReturn, noSuchReturn, receiveReturn } from './commands.ts'
import { findReturn, listReturns } from './queries.ts'
import { SalesReturn } from './reply.ts'
import { Cancelling, NewReturn, Receiving, ReturnFilters } from './schemas.ts'

const tag = 'Sales returns'

export const listReturnsEndpoint = defineList({
  id: 'listSalesReturns',
  path: '/sales-returns',
  tag,
  scope: 'read:sales',
  summary: 'List sales returns',
  description:
    'Every record has the shape of the single read. `created_after` (inclusive) and `created_before` (exclusive) compare with ' +
    '`created_date`.',
  filters: ReturnFilters,
  refusals: [],
  reply: SalesReturn,
  page: ({ pool, tenantId }, { filters, after, limit }) => listReturns(pool, { tenantId, filters, after, limit }),
})

export const getReturnEndpoint = defineRead({
  id: 'getSalesReturn',
  path: '/sales-returns/{id}',
  tag,
  scope: 'read:sales',
  summary: 'Read a sales return',
  refusals: [],
  reply: SalesReturn,
  handle: async ({ pool, tenantId }, { params }) =>
    (await findReturn(pool, { tenantId, id: params['id'] ?? '' })) ?? noSuchReturn(),
})

export const createReturnEndpoint = defineCommand({
  id: 'createSalesReturn',
  method: 'POST',
  path: '/sales-returns',
  tag,
  scope: 'write:sales.return.create',
  summary: 'Create a sales return',
  description:
    'Announces goods of a sales order that come back; stock moves when the return is received. Of each order line at most ' +
    'what is shipped less what other returns hold that are not cancelled. `unit_price` and `storage_place_id` of a line ' +
    "default to the order line's, `batch_id` to the batch shipped last. The return's own `storage_place_id` (default: the main " +
    'place) says where it is handled.',
  body: NewReturn,
  example: {
    sales_order_id: '1042',
    external_return_ref: 'RMA-2026-17',
    items: [{ sales_order_item_id: '1043', quantity: 1, reason: 'damaged', quarantine: true }],
  },
  success: 201,
  countsAsDocument: true,
  refusals: ['unprocessable'],
  reply: SalesReturn,
  execute: createReturn,
})

export const receiveReturnEndpoint = defineCommand({
  id: 'receiveSalesReturn',
  method: 'POST',
  path: '/sales-returns/{id}/receive',
  tag,
  scope: 'write:sales.return.update',
  summary: 'Receive a sales return',
  description:
    'Takes the goods back into stock at the cost at which they left, on average over all that left for the order line. Lines ' +
    'with `quarantine` go to `quarantine_quantity`. Services come back without movements.',
  body: Receiving,
  example: {},
  success: 200,
  countsAsDocument: false,
  refusals: ['sales_return_not_editable', 'unprocessable'],
  reply: SalesReturn,
  execute: receiveReturn,
})

export const cancelReturnEndpoint = defineCommand({
  id: 'cancelSalesReturn',
  method: 'POST',
  path: '/sales-returns/{id}/cancel',
  tag,
  scope: 'write:sales.return.update',
  summary: 'Cancel a sales return',
  description: 'Ends a return that has not come. What it held may be returned otherwise.',
  body: Cancelling,
  example: { reason: 'the customer keeps the goods' },
  success: 200,
  countsAsDocument: false,
  refusals: ['sales_return_not_editable'],
  reply: SalesReturn,
  execute: cancelReturn,
})

export const returnEndpoints: readonly Endpoint[] = [
  listReturnsEndpoint,
  getReturnEndpoint,
  createReturnEndpoint,
  receiveReturnEndpoint,
  cancelReturnEndpoint,
]
