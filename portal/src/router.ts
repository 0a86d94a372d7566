/** All screens. Each area declares its own (`screens/<area>/routes.ts`) and stands here in one line. */
import { createRouter } from '@tanstack/react-router'
import { ScreenFailure } from './patterns/screen-failure.tsx'
import { root } from './root.ts'
import { holdRoutes } from './screens/holds/routes.ts'
import { importRoutes } from './screens/import/routes.ts'
import { keyRoutes } from './screens/keys/routes.ts'
import { manufacturingRoutes } from './screens/manufacturing/routes.ts'
import { partnerRoutes } from './screens/partners/routes.ts'
import { placeRoutes } from './screens/places/routes.ts'
import { plannerRoutes } from './screens/planner/routes.ts'
import { printRoutes } from './screens/print/routes.ts'
import { productRoutes } from './screens/products/routes.ts'
import { purchasingRoutes } from './screens/purchasing/routes.ts'
import { recipeRoutes } from './screens/recipes/routes.ts'
import { returnsRoutes } from './screens/returns/routes.ts'
import { salesRoutes } from './screens/sales/routes.ts'
import { securityRoutes } from './screens/security/routes.ts'
import { stockRoutes } from './screens/stock/routes.ts'
import { todayRoutes } from './screens/today/routes.ts'
import { traceRoutes } from './screens/trace/routes.ts'
import { webhookRoutes } from './screens/webhooks/routes.ts'
import { parseSearch, stringifySearch } from './search.ts'

export const router = createRouter({
  routeTree: root.addChildren([
    ...todayRoutes,
    ...salesRoutes,
    ...holdRoutes,
    ...returnsRoutes,
    ...manufacturingRoutes,
    ...purchasingRoutes,
    ...stockRoutes,
    ...productRoutes,
    ...placeRoutes,
    ...partnerRoutes,
    ...recipeRoutes,
    ...importRoutes,
    ...plannerRoutes,
    ...traceRoutes,
    ...webhookRoutes,
    ...securityRoutes,
    ...keyRoutes,
    ...printRoutes,
  ]),
  basepath: '/portal',
  parseSearch,
  stringifySearch,
  // What no filter is called is taken out of the address: the interface would refuse it.
  search: { strict: true },
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenFailure,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
