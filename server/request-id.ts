/** Gives every request its id, shown as `X-Request-Id` and in every error. It never accepts an id from outside. */
import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'

/** How many of the 32 hexadecimal digits contain the time, in ms since 1970. */
const TIME_DIGITS = 12

/**
 * `req_`, the time and 76 random bits. Ids rise with time, so that indexes over ids grow at their end. randomUUID uses a buffer of random
 * bytes; randomBytes calls the system each time.
 */
export const newRequestId = (): string =>
  `req_${Date.now().toString(16).padStart(TIME_DIGITS, '0')}${randomUUID().replaceAll('-', '').slice(TIME_DIGITS)}`

export const requestId: Middleware = (ctx, next) => {
  ctx.state.requestId = newRequestId()
  ctx.set('X-Request-Id', ctx.state.requestId)
  return next()
}
