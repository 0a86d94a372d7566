/** Batches: where each went, and where it came from. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { root } from '../../root.ts'
import { codes, text } from '../../search.ts'

const staticData = { scope: 'read:stock' }

const batchesRoute = createRoute({
  getParentRoute: () => root,
  path: '/trace',
  staticData,
  validateSearch: v.object({
    number: text,
    item_variant_id: text,
    expires_before: text,
    /** `asc` is the oldest first; the list shows the newest first. */
    order: codes(['asc']),
  }),
  component: lazyRouteComponent(() => import('./batches.tsx'), 'Batches'),
})

const traceRoute = createRoute({
  getParentRoute: () => root,
  path: '/trace/$batchId',
  staticData,
  component: lazyRouteComponent(() => import('./trace.tsx'), 'Trace'),
})

export const traceRoutes = [batchesRoute, traceRoute] as const
