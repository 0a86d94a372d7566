/**
 * Gives every request its id, shown as `X-Request-Id` and in every error. It never takes an id from outside.
 */
import { randomBytes } from 'node:crypto'
import type { Middleware } from 'koa'

/** `req_` and 96 random bits. */
export const newRequestId = (): string => `req_${randomBytes(12).toString('hex')}`

export const requestId: Middleware = (ctx, next) => {
  ctx.state.requestId = newRequestId()
  ctx.set('X-Request-Id', ctx.state.requestId)
  return next()
}
