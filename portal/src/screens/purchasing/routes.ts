/** Purchase orders, a page each, and the receipts of all of them. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, order, text } from '../../search.ts'
import { DELIVERY_STATUSES, STATUSES } from './statuses.ts'

const staticData = { scope: 'read:purchase' }

const purchaseOrdersRoute = createRoute({
  getParentRoute,
  path: '/purchase-orders',
  staticData,
  validateSearch: v.object({
    status: codes(STATUSES),
    delivery_status: codes(DELIVERY_STATUSES),
    number: text,
    supplier_id: text,
    expected_after: text,
    expected_before: text,
    order,
  }),
  component: lazyRouteComponent(() => import('./purchase-orders.tsx'), 'PurchaseOrders'),
})

const purchaseOrderRoute = createRoute({
  getParentRoute,
  path: '/purchase-orders/$id',
  staticData,
  component: lazyRouteComponent(() => import('./purchase-order.tsx'), 'PurchaseOrder'),
})

const receiptsRoute = createRoute({
  getParentRoute,
  path: '/purchase-receipts',
  staticData,
  validateSearch: v.object({
    storage_place_id: text,
    received_after: text,
    received_before: text,
    order,
  }),
  component: lazyRouteComponent(() => import('./receipts.tsx'), 'Receipts'),
})

const receiptRoute = createRoute({
  getParentRoute,
  path: '/purchase-receipts/$id',
  staticData,
  component: lazyRouteComponent(() => import('./receipts.tsx'), 'Receipt'),
})

export const purchasingRoutes = [purchaseOrdersRoute, purchaseOrderRoute, receiptsRoute, receiptRoute] as const
