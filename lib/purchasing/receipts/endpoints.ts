/**
 * The endpoints of receipts. It declares; what runs is in `commands.ts` and `queries.ts`.
 */
import { defineCommand, defineList, type Endpoint } from '../../api/endpoint.ts'
import { noSuchOrder } from '../orders/commands.ts'
import { createReceipt } from './commands.ts'
import { listReceipts } from './queries.ts'
import { NewReceipt, PurchaseReceipt } from './schemas.ts'

const tag = 'Purchase orders'

export const listReceiptsEndpoint = defineList({
  id: 'listPurchaseReceipts',
  path: '/purchase-orders/{id}/receipts',
  tag,
  scope: 'read:purchase',
  summary: "List a purchase order's receipts",
  order: 'descending',
  refusals: [],
  reply: PurchaseReceipt,
  page: async ({ pool, tenantId }, { params, after, limit }) =>
    (await listReceipts(pool, { tenantId, orderId: params['id'] ?? '', after, limit })) ?? noSuchOrder(),
})

export const createReceiptEndpoint = defineCommand({
  id: 'createPurchaseReceipt',
  method: 'POST',
  path: '/purchase-orders/{id}/receipts',
  tag,
  scope: 'write:purchase.receipt.create',
  summary: 'Receive goods of a purchase order',
  description:
    'All lines or none; without `items` all that is outstanding. An order line may come several times, for several batches. ' +
    'Stock comes in at quantity * price * exchange rate, without tax, rounded only to the 4 decimals of a cost. A batch-tracked ' +
    "variant comes in under the line's `batch_number`, else the order line's, else the receipt's own number; the order line's " +
    '`expiry_date` holds unless the receipt names another batch than the order line. `quarantine` stock is not available until it is ' +
    'transferred out of quarantine. Services are counted without stock. When every line is in, the order is DONE. A finished ' +
    'order, or more than is outstanding on a line, is 409 `purchase_receipt_not_allowed`.',
  body: NewReceipt,
  example: {
    storage_place_id: '1003',
    items: [{ purchase_order_item_id: '1051', quantity: 1000, quarantine: false }],
    notes: 'First pallet',
  },
  success: 201,
  countsAsDocument: true,
  refusals: ['purchase_receipt_not_allowed', 'unprocessable'],
  reply: PurchaseReceipt,
  execute: createReceipt,
})

export const receiptEndpoints: readonly Endpoint[] = [listReceiptsEndpoint, createReceiptEndpoint]
