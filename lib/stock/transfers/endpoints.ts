/**
 * The endpoints of stock transfers. It declares; what runs is in `commands.ts` and `queries.ts`.
 */
import { defineList, defineRead, defineTask, type Endpoint } from '../../api/endpoint.ts'
import { refuse } from '../../api/errors.ts'
import { createTransfer } from './commands.ts'
import { findTransfer, listTransfers } from './queries.ts'
import { Transfer } from './reply.ts'
import { NewTransfer, TransferFilters } from './schemas.ts'

const tag = 'Stock transfers'

export const listTransfersEndpoint = defineList({
  id: 'listStockTransfers',
  path: '/stock-transfers',
  tag,
  scope: 'read:stock',
  summary: 'List stock transfers',
  description: '`created_after` is inclusive, `created_before` exclusive.',
  filters: TransferFilters,
  refusals: [],
  reply: Transfer,
  page: ({ pool, tenantId }, { filters, after, limit }) => listTransfers(pool, { tenantId, filters, after, limit }),
})

export const getTransferEndpoint = defineRead({
  id: 'getStockTransfer',
  path: '/stock-transfers/{id}',
  tag,
  scope: 'read:stock',
  summary: 'Read a stock transfer',
  description: 'As it was posted: a later change of a sku or title does not show.',
  refusals: [],
  reply: Transfer,
  handle: async ({ pool, tenantId }, { params }) =>
    (await findTransfer(pool, { tenantId, id: params['id'] ?? '' })) ?? refuse('not_found', 'no such stock transfer'),
})

export const createTransferEndpoint = defineTask({
  id: 'createStockTransfer',
  method: 'POST',
  path: '/stock-transfers',
  tag,
  scope: 'write:inventory.transfer.create',
  summary: 'Transfer stock',
  description:
    'Moves quantity, batch and value together, all lines or none. Both places are required; null is stock without a place. ' +
    'Within one place `from_quarantine` and `to_quarantine` must differ: so stock enters and leaves quarantine. ' +
    '`from_quarantine` takes only quarantined stock, else only stock that is not. Without `batch_id` batches are taken ' +
    'first-expired-first-out, expired ones included. A shortage is 409 `insufficient_stock`, and nothing moves.',
  body: NewTransfer,
  example: {
    from_storage_place_id: '1007',
    to_storage_place_id: '1008',
    items: [{ item_variant_id: '1042', quantity: 2 }],
  },
  success: 201,
  countsAsDocument: true,
  refusals: ['insufficient_stock', 'unprocessable'],
  reply: Transfer,
  begin: createTransfer,
})

export const transferEndpoints: readonly Endpoint[] = [
  listTransfersEndpoint,
  getTransferEndpoint,
  createTransferEndpoint,
]
