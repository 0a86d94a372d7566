/** The first screen. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../root.ts'

const todayRoute = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./today.tsx'), 'Today'),
})

export const todayRoutes = [todayRoute] as const
