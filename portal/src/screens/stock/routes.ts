/** Stock: found by anything that names it, by place and batch, and a page for each product and variant. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, order, text } from '../../search.ts'
import { STATUSES } from './statuses.ts'

const stockRoute = createRoute({
  getParentRoute,
  path: '/stock',
  staticData: { scope: 'read:stock' },
  validateSearch: v.object({ q: text, storage_place_id: text, order }),
  component: lazyRouteComponent(() => import('./stock.tsx'), 'Stock'),
})

const levelsRoute = createRoute({
  getParentRoute,
  path: '/stock/batches',
  staticData: { scope: 'read:stock' },
  validateSearch: v.object({ sku: text, batch_number: text, storage_place_id: text, order }),
  component: lazyRouteComponent(() => import('./levels.tsx'), 'Levels'),
})

const productRoute = createRoute({
  getParentRoute,
  path: '/stock/$productId',
  staticData: { scope: 'read:catalog' },
  component: lazyRouteComponent(() => import('./product.tsx'), 'Product'),
})

const variantRoute = createRoute({
  getParentRoute,
  path: '/stock/$productId/$variantId',
  staticData: { scope: 'read:catalog' },
  component: lazyRouteComponent(() => import('./variant.tsx'), 'Variant'),
})

/** Documents that move stock by themselves. */
const documents = {
  staticData: { scope: 'read:stock' },
  validateSearch: v.object({ created_after: text, created_before: text, order }),
}

const adjustmentsRoute = createRoute({
  getParentRoute,
  path: '/stock-adjustments',
  ...documents,
  component: lazyRouteComponent(() => import('./adjustments.tsx'), 'Adjustments'),
})

const adjustmentRoute = createRoute({
  getParentRoute,
  path: '/stock-adjustments/$id',
  staticData: { scope: 'read:stock' },
  component: lazyRouteComponent(() => import('./adjustments.tsx'), 'Adjustment'),
})

const transfersRoute = createRoute({
  getParentRoute,
  path: '/stock-transfers',
  ...documents,
  component: lazyRouteComponent(() => import('./transfers.tsx'), 'Transfers'),
})

const transferRoute = createRoute({
  getParentRoute,
  path: '/stock-transfers/$id',
  staticData: { scope: 'read:stock' },
  component: lazyRouteComponent(() => import('./transfers.tsx'), 'Transfer'),
})

const countsRoute = createRoute({
  getParentRoute,
  path: '/stock-counts',
  staticData: { scope: 'read:stock' },
  validateSearch: v.object({ status: codes(STATUSES), storage_place_id: text, order }),
  component: lazyRouteComponent(() => import('./counts.tsx'), 'Counts'),
})

const countRoute = createRoute({
  getParentRoute,
  path: '/stock-counts/$id',
  staticData: { scope: 'read:stock' },
  validateSearch: v.object({ order }),
  component: lazyRouteComponent(() => import('./count.tsx'), 'Count'),
})

export const stockRoutes = [
  stockRoute,
  levelsRoute,
  productRoute,
  variantRoute,
  adjustmentsRoute,
  adjustmentRoute,
  transfersRoute,
  transferRoute,
  countsRoute,
  countRoute,
] as const
