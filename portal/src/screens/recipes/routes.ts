/** Recipes and operations, and a page for each. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { order, text } from '../../search.ts'

const staticData = { scope: 'read:manufacturing' }

const recipesRoute = createRoute({
  getParentRoute,
  path: '/recipes',
  staticData,
  validateSearch: v.object({ item_variant_id: text, order }),
  component: lazyRouteComponent(() => import('./recipes.tsx'), 'Recipes'),
})

const recipeRoute = createRoute({
  getParentRoute,
  path: '/recipes/$id',
  staticData,
  component: lazyRouteComponent(() => import('./recipe.tsx'), 'Recipe'),
})

const operationsRoute = createRoute({
  getParentRoute,
  path: '/operations',
  staticData,
  component: lazyRouteComponent(() => import('./operations.tsx'), 'Operations'),
})

const operationRoute = createRoute({
  getParentRoute,
  path: '/operations/$id',
  staticData,
  component: lazyRouteComponent(() => import('./operations.tsx'), 'Operation'),
})

export const recipeRoutes = [recipesRoute, recipeRoute, operationsRoute, operationRoute] as const
