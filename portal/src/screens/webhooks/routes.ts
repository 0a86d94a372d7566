/** Webhooks: subscriptions and a page each, the kinds of events, and events as they happen. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { codes, order, text } from '../../search.ts'

const staticData = { scope: 'read:webhooks' }

export const webhookRoutes = [
  createRoute({
    getParentRoute,
    path: '/webhooks',
    staticData,
    validateSearch: v.object({ order }),
    component: lazyRouteComponent(() => import('./subscriptions.tsx'), 'Subscriptions'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks/$id',
    staticData,
    validateSearch: v.object({
      status: codes(['pending', 'succeeded', 'failed']),
      order,
      /** The one that is looked at. */
      delivery: text,
    }),
    component: lazyRouteComponent(() => import('./subscription.tsx'), 'Subscription'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks/kinds',
    staticData,
    validateSearch: v.object({ q: text, kind: text }),
    component: lazyRouteComponent(() => import('./kinds.tsx'), 'Kinds'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks/live',
    staticData,
    validateSearch: v.object({ type: text }),
    component: lazyRouteComponent(() => import('./live.tsx'), 'Live'),
  }),
] as const
