/**
 * The endpoints of sales returns. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { code } from '../../../kit/api/fields.ts'
import {
  changes,
  created,
  fewIds,
  fewTexts,
  filtersOf,
  manyIds,
  someTexts,
  uniqueText,
} from '../../../kit/api/list-filters.ts'
import { listOf, readOf } from '../../../kit/documents/reads.ts'
import { cancelReturnEndpoint, createReturnEndpoint, receiveReturnEndpoint } from './commands.ts'
import { returnStatuses, SalesReturn } from './document.ts'

const words = { tag: 'Sales returns', scope: 'read:sales' }

export const listReturnsEndpoint = listOf(SalesReturn, {
  ...words,
  id: 'listSalesReturns',
  path: '/sales-returns',
  summary: 'List sales returns',
  description:
    'Every record has the shape of the single read. `created_after` (inclusive) and `created_before` (exclusive) compare with ' +
    '`created_date`.',
  filters: filtersOf({
    number: uniqueText(code()),
    external_ref: uniqueText(),
    sales_order_id: fewIds(),
    external_return_ref: fewTexts(),
    customer_id: manyIds(),
    status: someTexts(returnStatuses),
    ...created,
    ...changes,
  }),
})

export const getReturnEndpoint = readOf(SalesReturn, {
  ...words,
  id: 'getSalesReturn',
  path: '/sales-returns/{id}',
  summary: 'Read a sales return',
})

export const returnEndpoints: readonly Endpoint[] = [
  listReturnsEndpoint,
  getReturnEndpoint,
  createReturnEndpoint,
  receiveReturnEndpoint,
  cancelReturnEndpoint,
]
