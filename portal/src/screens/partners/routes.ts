/** Customers and suppliers, and a page for each customer; the supplier's stands with purchasing. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { getParentRoute } from '../../root.ts'
import { text, use } from '../../search.ts'

const validateSearch = v.object({ q: text, archived: use })

const customersRoute = createRoute({
  getParentRoute,
  path: '/customers',
  staticData: { scope: 'read:sales' },
  validateSearch,
  component: lazyRouteComponent(() => import('./partners.tsx'), 'Customers'),
})

const customerRoute = createRoute({
  getParentRoute,
  path: '/customers/$id',
  staticData: { scope: 'read:sales' },
  component: lazyRouteComponent(() => import('./customer.tsx'), 'Customer'),
})

const suppliersRoute = createRoute({
  getParentRoute,
  path: '/suppliers',
  staticData: { scope: 'read:purchase' },
  validateSearch,
  component: lazyRouteComponent(() => import('./partners.tsx'), 'Suppliers'),
})

export const partnerRoutes = [customersRoute, customerRoute, suppliersRoute] as const
