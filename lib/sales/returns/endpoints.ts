/**
 * The endpoints of sales returns. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../api/endpoint.ts'
import { sameFew, sameFewText, sameKey, sameMany, sameManyText } from '../../api/list-page.ts'
import { listOf, readOf } from '../../documents/reads.ts'
import { cancelReturnEndpoint, createReturnEndpoint, receiveReturnEndpoint } from './commands.ts'
import { SalesReturn } from './document.ts'
import { ReturnFilters } from './schemas.ts'

const words = { tag: 'Sales returns', scope: 'read:sales' }

export const listReturnsEndpoint = listOf(SalesReturn, {
  ...words,
  id: 'listSalesReturns',
  path: '/sales-returns',
  summary: 'List sales returns',
  description:
    'Every record has the shape of the single read. `created_after` (inclusive) and `created_before` (exclusive) compare with ' +
    '`created_date`.',
  filters: ReturnFilters,
  where: filters => ({
    same: [
      ...sameKey('number', filters.number),
      ...sameKey('external_ref', filters.external_ref),
      ...sameFew('sales_order_id', filters.sales_order_id),
      ...sameFewText('external_return_ref', filters.external_return_ref),
      ...sameMany('customer_id', filters.customer_id),
      ...sameManyText('status', filters.status),
    ],
    created: { from: filters.created_after, until: filters.created_before },
  }),
})

export const getReturnEndpoint = readOf(SalesReturn, {
  ...words,
  id: 'getSalesReturn',
  path: '/sales-returns/{id}',
  summary: 'Read a sales return',
})

export { cancelReturnEndpoint, createReturnEndpoint, receiveReturnEndpoint }

export const returnEndpoints: readonly Endpoint[] = [
  listReturnsEndpoint,
  getReturnEndpoint,
  createReturnEndpoint,
  receiveReturnEndpoint,
  cancelReturnEndpoint,
]
