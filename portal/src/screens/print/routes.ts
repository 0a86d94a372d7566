/** What is printed: papers that go along with goods, and labels. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute, screen } from '../../root.ts'
import { text } from '../../search.ts'

export const printRoutes = [
  screen(
    '/print/pick-lists/$id',
    'read:sales',
    lazyRouteComponent(() => import('./pick-list.tsx'), 'PickList'),
  ),
  screen(
    '/print/packing-slips/$id',
    'read:sales',
    lazyRouteComponent(() => import('./packing-slip.tsx'), 'PackingSlip'),
  ),
  screen(
    '/print/purchase-orders/$id',
    'read:purchase',
    lazyRouteComponent(() => import('./purchase-order.tsx'), 'PrintedPurchaseOrder'),
  ),
  screen(
    '/print/work-orders/$id',
    'read:manufacturing',
    lazyRouteComponent(() => import('./work-order.tsx'), 'WorkOrder'),
  ),
  createRoute({
    getParentRoute,
    path: '/print/batch-labels/$id',
    staticData: { scope: 'read:stock' },
    validateSearch: v.object({ copies: text }),
    component: lazyRouteComponent(() => import('./batch-labels.tsx'), 'BatchLabels'),
  }),
  createRoute({
    getParentRoute,
    path: '/print/shelf-labels/$productId/$variantId',
    staticData: { scope: 'read:catalog' },
    validateSearch: v.object({ copies: text }),
    component: lazyRouteComponent(() => import('./shelf-labels.tsx'), 'ShelfLabels'),
  }),
] as const
