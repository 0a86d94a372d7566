/** The endpoints of sales orders. */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { readsOf } from '../../../kit/documents/noun.ts'
import { changeOrder, createOrder } from './commands.ts'
import { SalesOrder } from './noun.ts'

export const [listOrders, getOrder] = readsOf(SalesOrder)

export const orderEndpoints: readonly Endpoint[] = [listOrders, getOrder, createOrder, changeOrder]
