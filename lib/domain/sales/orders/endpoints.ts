/** The endpoints of sales orders. */

import { readsOf } from '../../../kit/documents/noun.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { annotateOrder, changeOrder, createOrder } from './commands.ts'
import { examples } from './examples.ts'
import { SalesOrder } from './noun.ts'

export const [listOrders, getOrder] = readsOf(SalesOrder)

export const salesOrders = resource([SalesOrder], [listOrders, getOrder, createOrder, changeOrder, annotateOrder], {
  examples,
})
