/** Sales returns: their list and a page each. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, order, text } from '../../search.ts'
import { STATUSES } from './statuses.ts'

const staticData = { scope: 'read:sales' }

export const returnsRoutes = [
  createRoute({
    getParentRoute,
    path: '/sales-returns',
    staticData,
    validateSearch: v.object({
      status: codes(STATUSES),
      number: text,
      customer_id: text,
      sales_order_id: text,
      created_after: text,
      created_before: text,
      order,
    }),
    component: lazyRouteComponent(() => import('./sales-returns.tsx'), 'SalesReturns'),
  }),
  createRoute({
    getParentRoute,
    path: '/sales-returns/$id',
    staticData,
    component: lazyRouteComponent(() => import('./sales-return.tsx'), 'SalesReturn'),
  }),
] as const
