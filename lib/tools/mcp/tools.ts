/** The list of all tools, in the order for clients. */
import { apply } from './apply.ts'
import { manufacturingOrder } from './drafts/manufacturing-order.ts'
import { complete, start } from './drafts/production.ts'
import { purchaseOrder } from './drafts/purchase-order.ts'
import { receive } from './drafts/receipt.ts'
import { salesOrder } from './drafts/sales-order.ts'
import { find } from './questions/find.ts'
import { orderStatus } from './questions/orders.ts'
import { deliveryPromise, replenishment } from './questions/planning.ts'
import { requirements, trace } from './questions/production.ts'
import { shortages, stock } from './questions/stock.ts'
import { webhookFailures } from './questions/webhooks.ts'
import type { Tool } from './tool.ts'

const questions = [
  find,
  stock,
  shortages,
  deliveryPromise,
  replenishment,
  requirements,
  trace,
  orderStatus,
  webhookFailures,
]
const drafts = [purchaseOrder, salesOrder, manufacturingOrder, receive, start, complete]

export const tools: readonly Tool[] = [...questions, ...drafts, apply]
