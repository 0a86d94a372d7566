/**
 * The endpoints of receipts. What writes is declared in `commands.ts`.
 */
import { defineList, type Endpoint } from '../../../kit/api/endpoint.ts'
import { dated, fewIds, filtersOf, manyIds, uniqueText } from '../../../kit/api/list-filters.ts'
import { listOf, notFound, readOf } from '../../../kit/documents/reads.ts'
import { replyOf } from '../../../kit/documents/reply.ts'
import { PurchaseOrder } from '../orders/noun.ts'
import { createReceiptEndpoint } from './commands.ts'
import { PurchaseReceipt } from './document.ts'
import { listReceipts } from './queries.ts'

const tag = 'Purchase orders'

export const listReceiptsEndpoint = defineList({
  id: 'listPurchaseReceipts',
  path: '/purchase-orders/{id}/receipts',
  tag,
  scope: 'read:purchase',
  summary: "List a purchase order's receipts",
  order: 'desc',
  refusals: [],
  reply: replyOf(PurchaseReceipt),
  page: async ({ pool, tenantId }, { params, filters: _, ...page }) =>
    (await listReceipts(pool, { tenantId, orderId: params['id'] ?? '', ...page })) ?? notFound(PurchaseOrder),
})

const ofAllOrders = { tag: 'Purchase receipts', scope: 'read:purchase' }

export const listAllReceiptsEndpoint = listOf(PurchaseReceipt, {
  ...ofAllOrders,
  id: 'listAllPurchaseReceipts',
  path: '/purchase-receipts',
  summary: 'List the receipts of all purchase orders',
  description: '`received_after` is inclusive, `received_before` exclusive; both speak of `received_date`.',
  filters: filtersOf({
    external_ref: uniqueText(),
    purchase_order_id: fewIds(),
    storage_place_id: manyIds(),
    ...dated('received', 'received_date'),
  }),
})

export const getReceiptEndpoint = readOf(PurchaseReceipt, {
  ...ofAllOrders,
  id: 'getPurchaseReceipt',
  path: '/purchase-receipts/{id}',
  summary: 'Read a receipt',
})

export const receiptEndpoints: readonly Endpoint[] = [
  listReceiptsEndpoint,
  createReceiptEndpoint,
  listAllReceiptsEndpoint,
  getReceiptEndpoint,
]
