/**
 * The endpoints of stock transfers. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { code } from '../../../kit/api/fields.ts'
import { created, filtersOf, manyIds, uniqueText } from '../../../kit/api/list-filters.ts'
import { listOf, readOf } from '../../../kit/documents/reads.ts'
import { createTransferEndpoint } from './commands.ts'
import { StockTransfer } from './document.ts'

const words = { tag: 'Stock transfers', scope: 'read:stock' }

export const listTransfersEndpoint = listOf(StockTransfer, {
  ...words,
  id: 'listStockTransfers',
  path: '/stock-transfers',
  summary: 'List stock transfers',
  description: '`created_after` is inclusive, `created_before` exclusive.',
  filters: filtersOf({
    number: uniqueText(code()),
    external_ref: uniqueText(),
    from_storage_place_id: manyIds(),
    to_storage_place_id: manyIds(),
    ...created,
  }),
})

export const getTransferEndpoint = readOf(StockTransfer, {
  ...words,
  id: 'getStockTransfer',
  path: '/stock-transfers/{id}',
  summary: 'Read a stock transfer',
  description: 'As it was posted: a later change of a sku or title does not show.',
})

export const transferEndpoints: readonly Endpoint[] = [
  listTransfersEndpoint,
  getTransferEndpoint,
  createTransferEndpoint,
]
