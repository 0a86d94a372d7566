/** Sales orders, a page each, and the shipments of all of them. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, order, text } from '../../search.ts'
import { DELIVERY_STATUSES, STATUSES } from './statuses.ts'

const staticData = { scope: 'read:sales' }

export const salesRoutes = [
  createRoute({
    getParentRoute,
    path: '/sales-orders',
    staticData,
    validateSearch: v.object({
      status: codes(STATUSES),
      delivery_status: codes(DELIVERY_STATUSES),
      number: text,
      customer_id: text,
      delivery_after: text,
      delivery_before: text,
      order,
    }),
    component: lazyRouteComponent(() => import('./sales-orders.tsx'), 'SalesOrders'),
  }),
  createRoute({
    getParentRoute,
    path: '/sales-orders/$id',
    staticData,
    component: lazyRouteComponent(() => import('./sales-order.tsx'), 'SalesOrder'),
  }),
  createRoute({
    getParentRoute,
    path: '/sales-shipments',
    staticData,
    validateSearch: v.object({
      item_variant_id: text,
      batch_id: text,
      created_after: text,
      created_before: text,
      order,
    }),
    component: lazyRouteComponent(() => import('./shipments.tsx'), 'Shipments'),
  }),
  createRoute({
    getParentRoute,
    path: '/sales-shipments/$id',
    staticData,
    component: lazyRouteComponent(() => import('./shipments.tsx'), 'Shipment'),
  }),
] as const
