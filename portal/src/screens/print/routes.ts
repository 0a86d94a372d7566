/** What is printed: papers that go along with goods, and labels. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { text } from '../../search.ts'

const pickListRoute = createRoute({
  getParentRoute,
  path: '/print/pick-lists/$id',
  staticData: { scope: 'read:sales' },
  component: lazyRouteComponent(() => import('./pick-list.tsx'), 'PickList'),
})

const packingSlipRoute = createRoute({
  getParentRoute,
  path: '/print/packing-slips/$id',
  staticData: { scope: 'read:sales' },
  component: lazyRouteComponent(() => import('./packing-slip.tsx'), 'PackingSlip'),
})

const purchaseOrderRoute = createRoute({
  getParentRoute,
  path: '/print/purchase-orders/$id',
  staticData: { scope: 'read:purchase' },
  component: lazyRouteComponent(() => import('./purchase-order.tsx'), 'PrintedPurchaseOrder'),
})

const workOrderRoute = createRoute({
  getParentRoute,
  path: '/print/work-orders/$id',
  staticData: { scope: 'read:manufacturing' },
  component: lazyRouteComponent(() => import('./work-order.tsx'), 'WorkOrder'),
})

const batchLabelsRoute = createRoute({
  getParentRoute,
  path: '/print/batch-labels/$id',
  staticData: { scope: 'read:stock' },
  validateSearch: v.object({ copies: text }),
  component: lazyRouteComponent(() => import('./batch-labels.tsx'), 'BatchLabels'),
})

const shelfLabelsRoute = createRoute({
  getParentRoute,
  path: '/print/shelf-labels/$productId/$variantId',
  staticData: { scope: 'read:catalog' },
  validateSearch: v.object({ copies: text }),
  component: lazyRouteComponent(() => import('./shelf-labels.tsx'), 'ShelfLabels'),
})

export const printRoutes = [
  pickListRoute,
  packingSlipRoute,
  purchaseOrderRoute,
  workOrderRoute,
  batchLabelsRoute,
  shelfLabelsRoute,
] as const
