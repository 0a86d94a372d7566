/** Stock: found by anything that names it, by place and batch, and a page for each product and variant. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { text } from '../../search.ts'

const stockRoute = createRoute({
  getParentRoute,
  path: '/stock',
  staticData: { scope: 'read:stock' },
  validateSearch: v.object({ q: text, storage_place_id: text }),
  component: lazyRouteComponent(() => import('./stock.tsx'), 'Stock'),
})

const levelsRoute = createRoute({
  getParentRoute,
  path: '/stock/batches',
  staticData: { scope: 'read:stock' },
  validateSearch: v.object({ sku: text, batch_number: text, storage_place_id: text }),
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

export const stockRoutes = [stockRoute, levelsRoute, productRoute, variantRoute] as const
