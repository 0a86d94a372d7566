/** Sales returns: their list and a page each. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { root } from '../../root.ts'
import { codes, text } from '../../search.ts'
import { STATUSES } from './statuses.ts'

const staticData = { scope: 'read:sales' }

const salesReturnsRoute = createRoute({
  getParentRoute: () => root,
  path: '/sales-returns',
  staticData,
  validateSearch: v.object({
    status: codes(STATUSES),
    number: text,
    customer_id: text,
    sales_order_id: text,
    created_after: text,
    created_before: text,
    /** `asc` is the oldest first; a list shows the newest first. */
    order: codes(['asc']),
  }),
  component: lazyRouteComponent(() => import('./sales-returns.tsx'), 'SalesReturns'),
})

const salesReturnRoute = createRoute({
  getParentRoute: () => root,
  path: '/sales-returns/$id',
  staticData,
  component: lazyRouteComponent(() => import('./sales-return.tsx'), 'SalesReturn'),
})

export const returnsRoutes = [salesReturnsRoute, salesReturnRoute] as const
