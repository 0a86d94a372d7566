/** API keys with a page each, and what became of each write. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, order, text } from '../../search.ts'

const filters = { outcome: codes(['done', 'refused']), request_id: text, idempotency_key: text, order }

export const keyRoutes = [
  createRoute({
    getParentRoute,
    path: '/keys',
    staticData: { scope: 'read:keys' },
    validateSearch: v.object({ status: codes(['valid', 'expired', 'revoked']), order }),
    component: lazyRouteComponent(() => import('./keys.tsx'), 'Keys'),
  }),
  createRoute({
    getParentRoute,
    path: '/keys/$id',
    staticData: { scope: 'read:keys' },
    validateSearch: v.object(filters),
    component: lazyRouteComponent(() => import('./key.tsx'), 'Key'),
  }),
  createRoute({
    getParentRoute,
    path: '/requests',
    staticData: { scope: 'read:requests' },
    validateSearch: v.object({ ...filters, key_id: text }),
    component: lazyRouteComponent(() => import('./requests.tsx'), 'Requests'),
  }),
] as const
