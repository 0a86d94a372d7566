/**
 * Gives every request its id, shown as `X-Request-Id` and in every error. It never takes an id from outside.
 */
import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'

/** Of 32 hexadecimal digits so many hold the time, in ms since 1970. */
const TIME_DIGITS = 12

/**
 * `req_`, the time and 76 random bits. Ids rise with time, so that indexes by them grow at their end. randomUUID draws from a buffer, where
 * randomBytes asks the system each time.
 */
export const newRequestId = (): string =>
  `req_${Date.now().toString(16).padStart(TIME_DIGITS, '0')}${randomUUID().replaceAll('-', '').slice(TIME_DIGITS)}`

export const requestId: Middleware = (ctx, next) => {
  ctx.state.requestId = newRequestId()
  ctx.set('X-Request-Id', ctx.state.requestId)
  return next()
}
