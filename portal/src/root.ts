/** The route above all screens. The route of a screen has its scope, so that keys without it cannot open the screen. */
import { createRootRoute, createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { NotFound, Shell } from './shell.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The scope that a key needs for the screen. */
    readonly scope?: string
  }
}

export const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

/**
 * A screen at a path, for keys with the scope (null: for all keys). It is loaded when it is needed.
 * @param filters the schema of its address.
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
