/** Security telemetry. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { text } from '../../search.ts'
import { TELEMETRY_SCOPE } from '../../telemetry.ts'

export const securityRoutes = [
  createRoute({
    getParentRoute,
    path: '/security',
    staticData: { scope: TELEMETRY_SCOPE },
    validateSearch: v.object({
      /** A day of the world's clock; without one the last 24 hours. */
      day: v.optional(v.fallback(v.optional(v.pipe(v.string(), v.isoDate())), undefined)),
      /** The one that is plotted. */
      metric: text,
    }),
    component: lazyRouteComponent(() => import('./security.tsx'), 'Security'),
  }),
] as const
