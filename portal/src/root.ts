/** The route above all screens. A screen's route states its scope there, so that it is closed to keys that lack it. */
import { createRootRoute, createRoute, type RouteComponent } from '@tanstack/react-router'
import { NotFound, Shell } from './shell.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the key needs to see the screen. */
    readonly scope?: string
  }
}

export const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

/** Of every screen. */
export const getParentRoute = () => root

/** A screen without filters. */
export const screen = <const Path extends string>(path: Path, scope: string, component: RouteComponent) =>
  createRoute({ getParentRoute, path, staticData: { scope }, component })
