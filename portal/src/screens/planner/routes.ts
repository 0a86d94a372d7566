/** Planner: what is short, what to order and make, and what making something would take. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, order, text } from '../../search.ts'

const staticData = { scope: 'read:stock' }

export const plannerRoutes = [
  createRoute({
    getParentRoute,
    path: '/planner',
    staticData,
    validateSearch: v.object({
      item_variant_id: text,
      storage_place_id: text,
      order,
      /** Without it: below zero. */
      below: codes(['minimum']),
    }),
    component: lazyRouteComponent(() => import('./shortages.tsx'), 'Shortages'),
  }),
  createRoute({
    getParentRoute,
    path: '/planner/requirements',
    staticData,
    validateSearch: v.object({ item_variant_id: text, quantity: text, storage_place_id: text }),
    component: lazyRouteComponent(() => import('./requirements.tsx'), 'Requirements'),
  }),
  createRoute({
    getParentRoute,
    path: '/planner/replenishment',
    staticData,
    validateSearch: v.object({ item_variant_id: text, storage_place_id: text }),
    component: lazyRouteComponent(() => import('./replenishment.tsx'), 'Replenishment'),
  }),
] as const
