/** What became of each write; API keys have the routes of their noun. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { searchOf } from '../../filters.ts'
import { getParentRoute } from '../../root.ts'
import { requestFilters } from './nouns.ts'

export const keyRoutes = [
  createRoute({
    getParentRoute,
    path: '/requests',
    staticData: { scope: 'read:requests' },
    validateSearch: searchOf(requestFilters),
    component: lazyRouteComponent(() => import('./requests.tsx'), 'Requests'),
  }),
] as const
