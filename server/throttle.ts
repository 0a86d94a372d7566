/**
 * The rate of a key on the wire: every authenticated request counts and carries the RateLimit headers. Counting and refusing
 * are apart, because a missing scope (403) comes before an exhausted rate (429) and costs a request all the same.
 */
import type { Middleware } from 'koa'
import { rateHeaders, rateRefusal } from '../lib/access/rate.ts'
import type { AccessServices } from '../lib/access/services.ts'
import { answerRefusal } from './error-reply.ts'

/** Takes one request from the rate of `ctx.state.access` and sets the headers; stands right after `authenticate`. */
export function countRequest(services: AccessServices): Middleware {
  return async (ctx, next) => {
    const decision = await services.rate.take(ctx.state.access)
    ctx.set(rateHeaders(decision))
    ctx.state.rate = decision
    return next()
  }
}

/** Answers 429 when the request was one too many; stands after `requireScope`. */
export const refuseOverRate: Middleware = (ctx, next) => {
  const refusal = rateRefusal(ctx.state.rate)
  if (refusal) return answerRefusal(ctx, refusal)
  return next()
}
