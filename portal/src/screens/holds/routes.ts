/** Holds: goods that are kept for somebody who is about to order. The interface calls them reservations. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, order, text } from '../../search.ts'
import { STATUSES } from './statuses.ts'

const staticData = { scope: 'read:sales' }

export const holdRoutes = [
  createRoute({
    getParentRoute,
    path: '/reservations',
    staticData,
    validateSearch: v.object({ status: codes(STATUSES), customer_id: text, item_variant_id: text, order }),
    component: lazyRouteComponent(() => import('./holds.tsx'), 'Holds'),
  }),
  createRoute({
    getParentRoute,
    path: '/reservations/$id',
    staticData,
    component: lazyRouteComponent(() => import('./hold.tsx'), 'Hold'),
  }),
] as const
