/** Purchase orders, their receipts, landed costs, and suppliers. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, order, text } from '../../search.ts'
import { DELIVERY_STATUSES, STATUSES } from './statuses.ts'

const staticData = { scope: 'read:purchase' }

export const purchasingRoutes = [
  createRoute({
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
  }),
  createRoute({
    getParentRoute,
    path: '/purchase-orders/$id',
    staticData,
    component: lazyRouteComponent(() => import('./purchase-order.tsx'), 'PurchaseOrder'),
  }),
  createRoute({
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
  }),
  createRoute({
    getParentRoute,
    path: '/purchase-receipts/$id',
    staticData,
    component: lazyRouteComponent(() => import('./receipts.tsx'), 'Receipt'),
  }),
  createRoute({
    getParentRoute,
    path: '/landed-costs',
    staticData,
    validateSearch: v.object({ created_after: text, created_before: text, order }),
    component: lazyRouteComponent(() => import('./landed-costs.tsx'), 'LandedCosts'),
  }),
  createRoute({
    getParentRoute,
    path: '/landed-costs/$id',
    staticData,
    component: lazyRouteComponent(() => import('./landed-costs.tsx'), 'LandedCost'),
  }),
  createRoute({
    getParentRoute,
    path: '/suppliers/$id',
    staticData,
    component: lazyRouteComponent(() => import('./supplier.tsx'), 'Supplier'),
  }),
] as const
