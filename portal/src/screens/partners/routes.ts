/** Customers and suppliers, and a page for each customer; the supplier's stands with purchasing. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute, screen } from '../../root.ts'
import { text, use } from '../../search.ts'

const validateSearch = v.object({ q: text, archived: use })

export const partnerRoutes = [
  createRoute({
    getParentRoute,
    path: '/customers',
    staticData: { scope: 'read:sales' },
    validateSearch,
    component: lazyRouteComponent(() => import('./partners.tsx'), 'Customers'),
  }),
  screen(
    '/customers/$id',
    'read:sales',
    lazyRouteComponent(() => import('./customer.tsx'), 'Customer'),
  ),
  createRoute({
    getParentRoute,
    path: '/suppliers',
    staticData: { scope: 'read:purchase' },
    validateSearch,
    component: lazyRouteComponent(() => import('./partners.tsx'), 'Suppliers'),
  }),
] as const
