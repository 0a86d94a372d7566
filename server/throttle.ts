/**
 * The rate of a key on the wire: every authenticated request counts and carries the RateLimit headers. Counting and refusing
 * are apart, because a missing scope (403) comes before an exhausted rate (429) and costs a request all the same.
 */
import type { Context, Middleware } from 'koa'
import { rateHeaders, rateRefusal, requestsOfBytes } from '../lib/access/rate.ts'
import type { AccessServices } from '../lib/access/services.ts'
import type { Refusal } from '../lib/kit/api/errors.ts'
import { answerRefusal } from './error-reply.ts'

/** Takes one request from the rate of `ctx.state.access` and sets the headers; stands right after `authenticate`. */
export function countRequest(services: AccessServices): Middleware {
  return async (ctx, next) => {
    const decision = await services.rate.take(ctx.state.access)
    ctx.set(rateHeaders(decision))
    ctx.state.rate = decision
    ctx.state.requestsTaken = 1
    return next()
  }
}

/** Answers 429 when the request was one too many; stands after `requireScope`. */
export const refuseOverRate: Middleware = (ctx, next) => {
  const refusal = rateRefusal(ctx.state.rate)
  if (refusal) return answerRefusal(ctx, refusal)
  return next()
}

type Taking = {
  /** Whether little was done for the request so far: refused, it then costs nothing. */
  readonly isCheap: boolean
}

/** Takes so many requests for this one in all, or none more and refuses `rate_limited`. */
export async function takeInAll(
  ctx: Context,
  count: number,
  { isCheap }: Taking,
  { rate }: AccessServices,
): Promise<Refusal | undefined> {
  const taken = ctx.state.requestsTaken
  if (count <= taken) return undefined
  const decision = await rate.takeInAll(ctx.state.access, { count, taken, givesBack: isCheap ? taken : 0 })
  ctx.set(rateHeaders(decision))
  if (decision.allowed) ctx.state.requestsTaken = count
  return rateRefusal(decision)
}

/** The same for a body of this length, which is not parsed yet. */
export const takeForBytes = (
  ctx: Context,
  bytes: number,
  taking: Taking,
  services: AccessServices,
): Promise<Refusal | undefined> => takeInAll(ctx, requestsOfBytes(bytes, ctx.state.access), taking, services)
