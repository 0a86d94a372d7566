/** The production tasks of all orders; manufacturing orders have the routes of their noun. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, order, text } from '../../search.ts'
import { TASK_STATUSES } from './statuses.ts'

export const manufacturingRoutes = [
  createRoute({
    getParentRoute,
    path: '/production-tasks',
    staticData: { scope: 'read:manufacturing' },
    validateSearch: v.object({ status: codes(TASK_STATUSES), operation_id: text, order }),
    component: lazyRouteComponent(() => import('./tasks.tsx'), 'Tasks'),
  }),
] as const
