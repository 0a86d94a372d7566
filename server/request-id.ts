/**
 * Gives every request its id, shown as `X-Request-Id` and in every error. It never takes an id from outside.
 */
import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'

/** `req_` and 122 random bits: randomUUID draws from a buffer, where randomBytes asks the system each time. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`

export const requestId: Middleware = (ctx, next) => {
  ctx.state.requestId = newRequestId()
  ctx.set('X-Request-Id', ctx.state.requestId)
  return next()
}
