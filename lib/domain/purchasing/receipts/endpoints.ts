/** The endpoints of receipts. */

import { defineList, type Endpoint } from '../../../kit/api/endpoint.ts'
import { OwnFilters } from '../../../kit/api/list-filters.ts'
import { readsOf } from '../../../kit/documents/noun.ts'
import { notFound } from '../../../kit/documents/reads.ts'
import { replyOf } from '../../../kit/documents/reply.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { PurchaseOrder } from '../orders/noun.ts'
import { changeReceipt, createReceipt, reverseReceipt } from './commands.ts'
import { examples } from './examples.ts'
import { PurchaseReceipt } from './noun.ts'
import { receiptsOf } from './queries.ts'

export const listReceipts = defineList({
  id: 'listPurchaseReceipts',
  path: '/purchase-orders/{id}/receipts',
  tag: PurchaseOrder.tag,
  scope: PurchaseReceipt.scopes.read,
  summary: "List a purchase order's receipts",
  order: 'desc',
  filters: OwnFilters,
  refusals: [],
  reply: replyOf(PurchaseReceipt),
  page: async ({ pool, tenantId }, { params, ...page }) =>
    (await receiptsOf(pool, { tenantId, orderId: params['id'] ?? '', ...page })) ?? notFound(PurchaseOrder),
})

const [list, read] = readsOf(PurchaseReceipt)
export const getReceipt = read

export const listAllReceipts: Endpoint = {
  ...list,
  id: 'listAllPurchaseReceipts',
  summary: 'List the receipts of all purchase orders',
}

export const purchaseReceipts = resource(
  [PurchaseReceipt],
  [listReceipts, createReceipt, listAllReceipts, getReceipt, changeReceipt, reverseReceipt],
  { examples },
)
