/**
 * The endpoints of receipts. What writes is declared in `commands.ts`.
 */
import { defineList, type Endpoint } from '../../api/endpoint.ts'
import { notFound } from '../../documents/reads.ts'
import { replyOf } from '../../documents/reply.ts'
import { PurchaseOrder } from '../orders/document.ts'
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

export { createReceiptEndpoint }

export const receiptEndpoints: readonly Endpoint[] = [listReceiptsEndpoint, createReceiptEndpoint]
