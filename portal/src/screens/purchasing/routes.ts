/** Purchase orders, their receipts, landed costs, and suppliers. */
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

const landedCostsRoute = createRoute({
  getParentRoute,
  path: '/landed-costs',
  staticData,
  validateSearch: v.object({ created_after: text, created_before: text, order }),
  component: lazyRouteComponent(() => import('./landed-costs.tsx'), 'LandedCosts'),
})

const landedCostRoute = createRoute({
  getParentRoute,
  path: '/landed-costs/$id',
  staticData,
  component: lazyRouteComponent(() => import('./landed-costs.tsx'), 'LandedCost'),
})

const supplierRoute = createRoute({
  getParentRoute,
  path: '/suppliers/$id',
  staticData,
  component: lazyRouteComponent(() => import('./supplier.tsx'), 'Supplier'),
})

export const purchasingRoutes = [
  purchaseOrdersRoute,
  purchaseOrderRoute,
  receiptsRoute,
  receiptRoute,
  landedCostsRoute,
  landedCostRoute,
  supplierRoute,
] as const
