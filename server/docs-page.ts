/**
 * The reference page (placeholder while it is written).
 */
import type { Middleware } from 'koa'

export function docsRoutes(): Middleware {
  return (_ctx, next) => next()
}
