/** The import of files. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { text } from '../../search.ts'

export const importRoutes = [
  createRoute({
    getParentRoute,
    path: '/import',
    validateSearch: v.object({ kind: text }),
    component: lazyRouteComponent(() => import('./import.tsx'), 'Import'),
  }),
] as const
