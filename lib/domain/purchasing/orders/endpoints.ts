/**
 * The endpoints of purchase orders. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { code } from '../../../kit/api/fields.ts'
import { changes, dated, filtersOf, manyIds, someTexts, uniqueText } from '../../../kit/api/list-filters.ts'
import { listOf, readOf } from '../../../kit/documents/reads.ts'
import { closeOrderEndpoint, createOrderEndpoint } from './commands.ts'
import { deliveryStatuses, orderStatuses, PurchaseOrder } from './document.ts'

const words = { tag: 'Purchase orders', scope: 'read:purchase' }

export const listOrdersEndpoint = listOf(PurchaseOrder, {
  ...words,
  id: 'listPurchaseOrders',
  path: '/purchase-orders',
  summary: 'List purchase orders',
  description: "`created_after` (inclusive) and `created_before` (exclusive) speak of the order's `date`.",
  filters: filtersOf({
    number: uniqueText(code()),
    external_ref: uniqueText(),
    supplier_id: manyIds(),
    status: someTexts(orderStatuses),
    delivery_status: someTexts(deliveryStatuses),
    // Of the order's date.
    ...dated('created', 'date'),
    ...dated('expected', 'expected_date'),
    ...changes,
  }),
})

export const getOrderEndpoint = readOf(PurchaseOrder, {
  ...words,
  id: 'getPurchaseOrder',
  path: '/purchase-orders/{id}',
  summary: 'Read a purchase order',
})

export const orderEndpoints: readonly Endpoint[] = [
  listOrdersEndpoint,
  getOrderEndpoint,
  createOrderEndpoint,
  closeOrderEndpoint,
]
