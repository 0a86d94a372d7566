/**
 * The endpoints of stock adjustments. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { code } from '../../../kit/api/fields.ts'
import { created, filtersOf, manyIds, uniqueText } from '../../../kit/api/list-filters.ts'
import { listOf, readOf } from '../../../kit/documents/reads.ts'
import { createAdjustmentEndpoint } from './commands.ts'
import { StockAdjustment } from './document.ts'

const words = { tag: 'Stock adjustments', scope: 'read:stock' }

export const listAdjustmentsEndpoint = listOf(StockAdjustment, {
  ...words,
  id: 'listStockAdjustments',
  path: '/stock-adjustments',
  summary: 'List stock adjustments',
  description: '`created_after` is inclusive, `created_before` exclusive.',
  filters: filtersOf({
    number: uniqueText(code()),
    external_ref: uniqueText(),
    storage_place_id: manyIds(),
    ...created,
  }),
})

export const getAdjustmentEndpoint = readOf(StockAdjustment, {
  ...words,
  id: 'getStockAdjustment',
  path: '/stock-adjustments/{id}',
  summary: 'Read a stock adjustment',
  description: 'As it was posted: a later change of a sku or title does not show.',
})

export const adjustmentEndpoints: readonly Endpoint[] = [
  listAdjustmentsEndpoint,
  getAdjustmentEndpoint,
  createAdjustmentEndpoint,
]
