/** Stock: found by anything that names it, by place and batch, and a page for each product and variant. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute, screen } from '../../root.ts'
import { codes, order, text } from '../../search.ts'
import { STATUSES } from './statuses.ts'

/** Documents that move stock by themselves. */
const documents = {
  staticData: { scope: 'read:stock' },
  validateSearch: v.object({ created_after: text, created_before: text, order }),
}

export const stockRoutes = [
  createRoute({
    getParentRoute,
    path: '/stock',
    staticData: { scope: 'read:stock' },
    validateSearch: v.object({ q: text, storage_place_id: text, order }),
    component: lazyRouteComponent(() => import('./stock.tsx'), 'Stock'),
  }),
  createRoute({
    getParentRoute,
    path: '/stock/batches',
    staticData: { scope: 'read:stock' },
    validateSearch: v.object({ sku: text, batch_number: text, storage_place_id: text, order }),
    component: lazyRouteComponent(() => import('./levels.tsx'), 'Levels'),
  }),
  screen(
    '/stock/$productId',
    'read:catalog',
    lazyRouteComponent(() => import('./product.tsx'), 'Product'),
  ),
  screen(
    '/stock/$productId/$variantId',
    'read:catalog',
    lazyRouteComponent(() => import('./variant.tsx'), 'Variant'),
  ),
  createRoute({
    getParentRoute,
    path: '/stock-adjustments',
    ...documents,
    component: lazyRouteComponent(() => import('./adjustments.tsx'), 'Adjustments'),
  }),
  screen(
    '/stock-adjustments/$id',
    'read:stock',
    lazyRouteComponent(() => import('./adjustments.tsx'), 'Adjustment'),
  ),
  createRoute({
    getParentRoute,
    path: '/stock-transfers',
    ...documents,
    component: lazyRouteComponent(() => import('./transfers.tsx'), 'Transfers'),
  }),
  screen(
    '/stock-transfers/$id',
    'read:stock',
    lazyRouteComponent(() => import('./transfers.tsx'), 'Transfer'),
  ),
  createRoute({
    getParentRoute,
    path: '/stock-counts',
    staticData: { scope: 'read:stock' },
    validateSearch: v.object({ status: codes(STATUSES), storage_place_id: text, order }),
    component: lazyRouteComponent(() => import('./counts.tsx'), 'Counts'),
  }),
  createRoute({
    getParentRoute,
    path: '/stock-counts/$id',
    staticData: { scope: 'read:stock' },
    validateSearch: v.object({ order }),
    component: lazyRouteComponent(() => import('./count.tsx'), 'Count'),
  }),
] as const
