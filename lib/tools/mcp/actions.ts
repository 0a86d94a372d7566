/** The writes that a draft tries in a dry run and `apply` carries out: the call of each, and what is shown of its answer. */
import {
  type CompleteManufacturingOrderBody,
  type CreateManufacturingOrderBody,
  type CreatePurchaseOrderBody,
  type CreatePurchaseReceiptBody,
  type CreateSalesOrderBody,
  type Millrace,
  responseOf,
  type StartManufacturingOrderBody,
} from '../../../client/src/index.ts'
import { shownManufacturingOrder, shownPurchaseOrder, shownSalesOrder } from './orders.ts'

type Options = { readonly ifMatch?: string | undefined; readonly signal: AbortSignal } & (
  | { readonly idempotencyKey: string }
  /** A dry run. */
  | { readonly dryRun: true }
)

type Sent<Body> = { readonly id: string; readonly body: Body }

type Declared<Body, Answered> = {
  readonly scope: string
  readonly send: (millrace: Millrace, sent: Sent<Body>, options: Options) => Promise<Answered>
  readonly shown: (answered: Answered) => object
}

/** The type of `send` follows from the body that its draft has made. */
function action<Body, Answered extends object>({ scope, send, shown }: Declared<Body, Answered>) {
  return {
    scope,
    run: async (millrace: Millrace, sent: Sent<unknown>, options: Options) => {
      const answered = await send(millrace, sent as Sent<Body>, options)
      return { replayed: responseOf(answered)?.replayed === true, booked: shown(answered) }
    },
  }
}

export const actions = {
  create_purchase_order: action({
    scope: 'write:purchase.order.create',
    send: (millrace, { body }: Sent<CreatePurchaseOrderBody>, options) => millrace.purchaseOrders.create(body, options),
    shown: shownPurchaseOrder,
  }),
  create_sales_order: action({
    scope: 'write:sales.order.create',
    send: (millrace, { body }: Sent<CreateSalesOrderBody>, options) => millrace.salesOrders.create(body, options),
    shown: shownSalesOrder,
  }),
  create_manufacturing_order: action({
    scope: 'write:manufacturing.order.create',
    send: (millrace, { body }: Sent<CreateManufacturingOrderBody>, options) =>
      millrace.manufacturingOrders.create(body, options),
    shown: shownManufacturingOrder,
  }),
  receive_purchase_order: action({
    scope: 'write:purchase.receipt.create',
    send: (millrace, { id, body }: Sent<CreatePurchaseReceiptBody>, options) =>
      millrace.purchaseOrders.createReceipt(id, body, options),
    shown: receipt => receipt,
  }),
  start_manufacturing_order: action({
    scope: 'write:manufacturing.order.start',
    send: (millrace, { id, body }: Sent<StartManufacturingOrderBody>, options) =>
      millrace.manufacturingOrders.start(id, body, options),
    shown: shownManufacturingOrder,
  }),
  complete_manufacturing_order: action({
    scope: 'write:manufacturing.order.complete',
    send: (millrace, { id, body }: Sent<CompleteManufacturingOrderBody>, options) =>
      millrace.manufacturingOrders.complete(id, body, options),
    shown: shownManufacturingOrder,
  }),
} as const

export type Action = keyof typeof actions
