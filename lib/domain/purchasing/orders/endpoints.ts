/** The endpoints of purchase orders. */

import { readsOf } from '../../../kit/documents/noun.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { changeOrder, closeOrder, createOrder } from './commands.ts'
import { examples } from './examples.ts'
import { PurchaseOrder } from './noun.ts'

export const [listOrders, getOrder] = readsOf(PurchaseOrder)

export const purchaseOrders = resource([PurchaseOrder], [listOrders, getOrder, createOrder, changeOrder, closeOrder], {
  examples,
})
