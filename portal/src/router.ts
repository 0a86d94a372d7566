/** All screens: those of nouns by what they say, and of each area those that it declares (`screens/<area>/routes.ts`). */
import {
  type AnyRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router'
import { searchOf } from './filters.ts'
import type { AnyNoun } from './noun.ts'
import { nouns } from './nouns.ts'
import { ScreenFailure } from './patterns/screen-failure.tsx'
import { getParentRoute, root } from './root.ts'
import { importRoutes } from './screens/import/routes.ts'
import { keyRoutes } from './screens/keys/routes.ts'
import { manufacturingRoutes } from './screens/manufacturing/routes.ts'
import { plannerRoutes } from './screens/planner/routes.ts'
import { printRoutes } from './screens/print/routes.ts'
import { securityRoutes } from './screens/security/routes.ts'
import { stockRoutes } from './screens/stock/routes.ts'
import { todayRoutes } from './screens/today/routes.ts'
import { webhookRoutes } from './screens/webhooks/routes.ts'
import { parseSearch, stringifySearch } from './search.ts'

type Screens = { readonly List: RouteComponent; readonly Page: RouteComponent }

/** By the kind of the noun. They are found by their names: an import in a noun's declaration would go in a circle. */
const screens = new Map(
  Object.entries(import.meta.glob<Screens>('./screens/*/*-screens.tsx')).map(([path, load]) => {
    const [, name = ''] = /([^/]+)-screens\.tsx$/.exec(path) ?? []
    return [name.replaceAll('-', '_').toUpperCase(), load]
  }),
)

/** The list of a noun, and a page for each record. */
function routesOf(noun: AnyNoun): readonly AnyRoute[] {
  const load = screens.get(noun.kind)
  if (load === undefined) return []
  const { list, path, filters, pageFilters, scope } = noun
  const common = { getParentRoute, staticData: { scope } }
  return [
    createRoute({
      ...common,
      path: list,
      validateSearch: searchOf(filters),
      component: lazyRouteComponent(load, 'List'),
    }),
    createRoute({
      ...common,
      path: `${path}/$id`,
      ...(pageFilters ? { validateSearch: searchOf(pageFilters) } : {}),
      component: lazyRouteComponent(load, 'Page'),
    }),
  ]
}

/** Links reach them by what their nouns say, and not by the paths that the router's types know. */
const nounRoutes = nouns.flatMap(noun => routesOf(noun as AnyNoun)) as []

export const router = createRouter({
  routeTree: root.addChildren([
    ...nounRoutes,
    ...todayRoutes,
    ...manufacturingRoutes,
    ...stockRoutes,
    ...importRoutes,
    ...plannerRoutes,
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
