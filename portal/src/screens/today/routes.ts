/** The first screen. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { getParentRoute } from '../../root.ts'

const todayRoute = createRoute({
  getParentRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./today.tsx'), 'Today'),
})

export const todayRoutes = [todayRoute] as const
