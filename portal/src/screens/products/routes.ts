/** The list of products; the page of each stands with stock. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, text, use } from '../../search.ts'
import { TYPES } from './types.ts'

export const productRoutes = [
  createRoute({
    getParentRoute,
    path: '/products',
    staticData: { scope: 'read:catalog' },
    validateSearch: v.object({ q: text, type: codes(TYPES), archived: use }),
    component: lazyRouteComponent(() => import('./products.tsx'), 'Products'),
  }),
] as const
