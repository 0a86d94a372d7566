/**
 * The endpoints of stock transfers. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../api/endpoint.ts'
import { sameKey, sameMany } from '../../api/list-page.ts'
import { listOf, readOf } from '../../documents/reads.ts'
import { createTransferEndpoint } from './commands.ts'
import { StockTransfer } from './document.ts'
import { TransferFilters } from './schemas.ts'

const words = { tag: 'Stock transfers', scope: 'read:stock' }

export const listTransfersEndpoint = listOf(StockTransfer, {
  ...words,
  id: 'listStockTransfers',
  path: '/stock-transfers',
  summary: 'List stock transfers',
  description: '`created_after` is inclusive, `created_before` exclusive.',
  filters: TransferFilters,
  where: filters => ({
    same: [
      ...sameKey('number', filters.number),
      ...sameKey('external_ref', filters.external_ref),
      ...sameMany('from_storage_place_id', filters.from_storage_place_id),
      ...sameMany('to_storage_place_id', filters.to_storage_place_id),
    ],
    created: { from: filters.created_after, until: filters.created_before },
  }),
})

export const getTransferEndpoint = readOf(StockTransfer, {
  ...words,
  id: 'getStockTransfer',
  path: '/stock-transfers/{id}',
  summary: 'Read a stock transfer',
  description: 'As it was posted: a later change of a sku or title does not show.',
})

export { createTransferEndpoint }

export const transferEndpoints: readonly Endpoint[] = [
  listTransfersEndpoint,
  getTransferEndpoint,
  createTransferEndpoint,
]
