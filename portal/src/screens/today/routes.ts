/** The first screen. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { getParentRoute } from '../../root.ts'

export const todayRoutes = [
  createRoute({
    getParentRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./today.tsx'), 'Today'),
  }),
] as const
