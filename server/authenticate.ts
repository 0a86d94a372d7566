/** Who calls, and whether their key has the endpoint's scope: 401 and 403. */
import type { Context, Middleware } from 'koa'
import { checkScope } from '../lib/access/access.ts'
import { callerAddress } from '../lib/access/caller-address.ts'
import { identify, tokenHashOf } from '../lib/access/identify.ts'
import type { AccessServices } from '../lib/access/services.ts'
import { isRefusal, type Refusal } from '../lib/kit/api/errors.ts'
import { answerRefusal } from './error-reply.ts'

/** Sets `ctx.state.access` (Access), or answers 401, or 429 after too many failures from one address. */
export function authenticate(services: AccessServices): Middleware {
  return async (ctx, next) => {
    const address = callerAddress({
      remoteAddress: ctx.req.socket.remoteAddress,
      forwardedFor: ctx.get('X-Forwarded-For') || undefined,
      trustProxy: services.trustProxy,
    })
    ctx.state.callerAddress = address
    const access = await identify(services, {
      authorization: ctx.get('Authorization'),
      address,
      now: Date.now(),
      onKnownKeyRefused: refused => {
        ctx.state.refusedAccess = refused
      },
    })
    if (isRefusal(access)) return answerRefusal(ctx, access)
    ctx.state.access = access
    return next()
  }
}

/** Sets `ctx.state.access` anew: the caller's tenant has moved to another cell since. */
export async function authenticateAgain(ctx: Context, services: AccessServices): Promise<Refusal | undefined> {
  const authorization = ctx.get('Authorization')
  const tokenHash = tokenHashOf(authorization)
  if (tokenHash !== undefined) services.keys.evict(tokenHash)
  const access = await identify(services, { authorization, address: ctx.state.callerAddress, now: Date.now() })
  if (isRefusal(access)) return access
  ctx.state.access = access
  return undefined
}

/** Answers 403 unless `ctx.state.access` has the scope of `ctx.state.endpoint`. */
export const requireScope: Middleware = (ctx, next) => {
  const { access, endpoint } = ctx.state
  if (endpoint === undefined) throw new Error('a scope is checked before the route is matched')
  const refusal = checkScope(access, endpoint.scope)
  if (refusal) return answerRefusal(ctx, refusal)
  return next()
}
