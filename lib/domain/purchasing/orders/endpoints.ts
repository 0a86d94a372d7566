/** The endpoints of purchase orders. */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { readsOf } from '../../../kit/documents/noun.ts'
import { closeOrder, createOrder } from './commands.ts'
import { PurchaseOrder } from './noun.ts'

export const [listOrders, getOrder] = readsOf(PurchaseOrder)

export const orderEndpoints: readonly Endpoint[] = [listOrders, getOrder, createOrder, closeOrder]
