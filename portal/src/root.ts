/** The route above all screens. A screen's route states its scope there, so that it is closed to keys that lack it. */
import { createRootRoute, createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { NotFound, Shell } from './shell.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the key needs to see the screen. */
    readonly scope?: string
  }
}

export const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

/**
 * A screen at a path, closed to keys without the scope (null: open to all). It is loaded when it is needed.
 * @param filters what its address may hold.
 */
export const screen = <
  const Path extends string,
  Module extends Readonly<Record<Name, RouteComponent>>,
  const Name extends string,
  Filters extends v.ObjectEntries = Record<never, never>,
>(
  path: Path,
  scope: string | null,
  load: () => Promise<Module>,
  name: Name,
  filters: Filters = {} as Filters,
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    staticData: scope === null ? {} : { scope },
    validateSearch: v.object(filters),
    component: lazyRouteComponent(load, name) as RouteComponent,
  })
