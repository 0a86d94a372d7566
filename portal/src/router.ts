/** All screens: those of nouns (`nouns.ts`), and the others (`routes.ts`). */
import { type AnyRoute, createRouter, type RouteComponent } from '@tanstack/react-router'
import { entriesOf } from './filters.ts'
import type { AnyNoun } from './noun.ts'
import { nouns } from './nouns.ts'
import { ScreenFailure } from './patterns/screen-failure.tsx'
import { root, screen } from './root.ts'
import { routes } from './routes.ts'
import { parseSearch, stringifySearch } from './search.ts'

type Screens = { readonly List: RouteComponent; readonly Page: RouteComponent }

/** The screens by the kind of the noun. The modules are found by their names: an import in a noun's declaration would be circular. */
const screens = new Map(
  Object.entries(import.meta.glob<Screens>('./screens/*/*-screens.tsx')).map(([path, load]) => {
    const [, name = ''] = /([^/]+)-screens\.tsx$/.exec(path) ?? []
    return [name.replaceAll('-', '_').toUpperCase(), load]
  }),
)

/** The routes of a noun: its list, and a page for each record. */
function routesOf(noun: AnyNoun): readonly AnyRoute[] {
  const load = screens.get(noun.kind)
  if (load === undefined) return []
  const { list, path, filters, pageFilters, scope } = noun
  return [
    screen(list, scope, load, 'List', entriesOf(filters)),
    screen(`${path}/$id`, scope, load, 'Page', pageFilters ? entriesOf(pageFilters) : {}),
  ]
}

/** Links use the paths of the nouns, not the paths that the router's types know. */
const nounRoutes = nouns.flatMap(noun => routesOf(noun as AnyNoun)) as []

export const router = createRouter({
  routeTree: root.addChildren([...nounRoutes, ...routes]),
  basepath: '/portal',
  parseSearch,
  stringifySearch,
  // Names that are no filter are removed from the address, because the API would refuse them.
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
