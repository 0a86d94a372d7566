/** Planner: what is short, and what making something would take. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, text } from '../../search.ts'

const staticData = { scope: 'read:stock' }

const shortagesRoute = createRoute({
  getParentRoute,
  path: '/planner',
  staticData,
  validateSearch: v.object({
    item_variant_id: text,
    storage_place_id: text,
    /** Without it: below zero. */
    below: codes(['minimum']),
  }),
  component: lazyRouteComponent(() => import('./shortages.tsx'), 'Shortages'),
})

const requirementsRoute = createRoute({
  getParentRoute,
  path: '/planner/requirements',
  staticData,
  validateSearch: v.object({ item_variant_id: text, quantity: text, storage_place_id: text }),
  component: lazyRouteComponent(() => import('./requirements.tsx'), 'Requirements'),
})

export const plannerRoutes = [shortagesRoute, requirementsRoute] as const
