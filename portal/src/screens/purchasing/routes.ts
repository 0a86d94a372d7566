/** Purchase orders, a page each, and the receipts of all of them. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { root } from '../../root.ts'
import { codes, text } from '../../search.ts'
import { DELIVERY_STATUSES, STATUSES } from './statuses.ts'

const staticData = { scope: 'read:purchase' }

const purchaseOrdersRoute = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders',
  staticData,
  validateSearch: v.object({
    status: codes(STATUSES),
    delivery_status: codes(DELIVERY_STATUSES),
    number: text,
    supplier_id: text,
    expected_after: text,
    expected_before: text,
    /** `asc` is the oldest first; a list shows the newest first. */
    order: codes(['asc']),
  }),
  component: lazyRouteComponent(() => import('./purchase-orders.tsx'), 'PurchaseOrders'),
})

const purchaseOrderRoute = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/$id',
  staticData,
  component: lazyRouteComponent(() => import('./purchase-order.tsx'), 'PurchaseOrder'),
})

const receiptsRoute = createRoute({
  getParentRoute: () => root,
  path: '/purchase-receipts',
  staticData,
  validateSearch: v.object({
    storage_place_id: text,
    received_after: text,
    received_before: text,
    order: codes(['asc']),
  }),
  component: lazyRouteComponent(() => import('./receipts.tsx'), 'Receipts'),
})

export const purchasingRoutes = [purchaseOrdersRoute, purchaseOrderRoute, receiptsRoute] as const
