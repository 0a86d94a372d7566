/** Recipes and operations, and a page for each. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { order, text } from '../../search.ts'

const staticData = { scope: 'read:manufacturing' }

export const recipeRoutes = [
  createRoute({
    getParentRoute,
    path: '/recipes',
    staticData,
    validateSearch: v.object({ item_variant_id: text, order }),
    component: lazyRouteComponent(() => import('./recipes.tsx'), 'Recipes'),
  }),
  createRoute({
    getParentRoute,
    path: '/recipes/$id',
    staticData,
    component: lazyRouteComponent(() => import('./recipe.tsx'), 'Recipe'),
  }),
  createRoute({
    getParentRoute,
    path: '/operations',
    staticData,
    component: lazyRouteComponent(() => import('./operations.tsx'), 'Operations'),
  }),
  createRoute({
    getParentRoute,
    path: '/operations/$id',
    staticData,
    component: lazyRouteComponent(() => import('./operations.tsx'), 'Operation'),
  }),
] as const
