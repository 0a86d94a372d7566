/** Batches: where each went, and where it came from. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { order, text } from '../../search.ts'

const staticData = { scope: 'read:stock' }

export const traceRoutes = [
  createRoute({
    getParentRoute,
    path: '/trace',
    staticData,
    validateSearch: v.object({
      number: text,
      item_variant_id: text,
      expires_before: text,
      order,
    }),
    component: lazyRouteComponent(() => import('./batches.tsx'), 'Batches'),
  }),
  createRoute({
    getParentRoute,
    path: '/trace/$batchId',
    staticData,
    component: lazyRouteComponent(() => import('./trace.tsx'), 'Trace'),
  }),
] as const
