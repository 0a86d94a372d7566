/** Storage places, and a page for each. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { use } from '../../search.ts'

const staticData = { scope: 'read:stock' }

export const placeRoutes = [
  createRoute({
    getParentRoute,
    path: '/storage-places',
    staticData,
    validateSearch: v.object({ archived: use }),
    component: lazyRouteComponent(() => import('./places.tsx'), 'Places'),
  }),
  createRoute({
    getParentRoute,
    path: '/storage-places/$id',
    staticData,
    component: lazyRouteComponent(() => import('./place.tsx'), 'Place'),
  }),
] as const
