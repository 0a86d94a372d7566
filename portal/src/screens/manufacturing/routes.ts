/** Manufacturing orders, a page each, and the production tasks of all of them. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, order, text } from '../../search.ts'
import { STATUSES, TASK_STATUSES, TYPES } from './statuses.ts'

const staticData = { scope: 'read:manufacturing' }

export const manufacturingRoutes = [
  createRoute({
    getParentRoute,
    path: '/manufacturing-orders',
    staticData,
    validateSearch: v.object({
      status: codes(STATUSES),
      type: codes(TYPES),
      number: text,
      item_variant_id: text,
      sales_order_id: text,
      planned_start_after: text,
      planned_start_before: text,
      order,
    }),
    component: lazyRouteComponent(() => import('./manufacturing-orders.tsx'), 'ManufacturingOrders'),
  }),
  createRoute({
    getParentRoute,
    path: '/manufacturing-orders/$id',
    staticData,
    component: lazyRouteComponent(() => import('./manufacturing-order.tsx'), 'ManufacturingOrder'),
  }),
  createRoute({
    getParentRoute,
    path: '/production-tasks',
    staticData,
    validateSearch: v.object({ status: codes(TASK_STATUSES), operation_id: text, order }),
    component: lazyRouteComponent(() => import('./tasks.tsx'), 'Tasks'),
  }),
] as const
