/** Manufacturing orders, a page each, and the production tasks of all of them. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { root } from '../../root.ts'
import { codes, text } from '../../search.ts'
import { STATUSES, TASK_STATUSES, TYPES } from './statuses.ts'

const staticData = { scope: 'read:manufacturing' }

const manufacturingOrdersRoute = createRoute({
  getParentRoute: () => root,
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
    /** `asc` is the oldest first; a list shows the newest first. */
    order: codes(['asc']),
  }),
  component: lazyRouteComponent(() => import('./manufacturing-orders.tsx'), 'ManufacturingOrders'),
})

const manufacturingOrderRoute = createRoute({
  getParentRoute: () => root,
  path: '/manufacturing-orders/$id',
  staticData,
  component: lazyRouteComponent(() => import('./manufacturing-order.tsx'), 'ManufacturingOrder'),
})

const tasksRoute = createRoute({
  getParentRoute: () => root,
  path: '/production-tasks',
  staticData,
  validateSearch: v.object({ status: codes(TASK_STATUSES), operation_id: text, order: codes(['asc']) }),
  component: lazyRouteComponent(() => import('./tasks.tsx'), 'Tasks'),
})

export const manufacturingRoutes = [manufacturingOrdersRoute, manufacturingOrderRoute, tasksRoute] as const
