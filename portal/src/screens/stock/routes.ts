/** Stock: found by anything that names it, by place and batch, and a page for each variant. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute, screen } from '../../root.ts'
import { order, text } from '../../search.ts'

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
    '/stock/$id/$variantId',
    'read:catalog',
    lazyRouteComponent(() => import('./variant.tsx'), 'Variant'),
  ),
] as const
