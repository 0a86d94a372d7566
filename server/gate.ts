/**
 * The checks of every endpoint, in this order: whose key it is (401), what the key may do (403), how often (429) (docs/rules/requests.md).
 * A long body and a bulk take more requests of the rate after their size is known.
 */
import type { Context } from 'koa'
import { checkScopes } from '../lib/access/access.ts'
import type { AccessServices } from '../lib/access/access-services.ts'
import { callerAddress } from '../lib/access/caller-address.ts'
import { identify, tokenHashOf } from '../lib/access/identify.ts'
import { rateHeaders, rateRefusal, requestsOfBytes } from '../lib/access/rate.ts'
import { isRefusal, type Refusal } from '../lib/kit/api/errors.ts'
import type { Services } from './services.ts'

/**
 * The refusal, or undefined. Sets `ctx.state.access` and the RateLimit headers. Refusals: `unauthorized`, `forbidden`, `rate_limited` (of
 * the key, or of an address with too many failures).
 */
export async function passGate(ctx: Context, services: Services): Promise<Refusal | undefined> {
  const { access: accessServices } = services
  const { endpoint } = ctx.state
  ctx.state.callerAddress = callerAddress({
    remoteAddress: ctx.req.socket.remoteAddress,
    forwardedFor: ctx.get('X-Forwarded-For') || undefined,
    trustProxy: accessServices.trustProxy,
  })
  const access = await identify(accessServices, {
    authorization: ctx.get('Authorization'),
    address: ctx.state.callerAddress,
    now: Date.now(),
    onKnownKeyRefused: refused => {
      ctx.state.refusedAccess = refused
    },
  })
  if (isRefusal(access)) return access
  ctx.state.access = access
  // Asks Redis which database a read may use. This question is sent together with the one for the rate.
  if (endpoint.kind === 'read' || endpoint.kind === 'list')
    ctx.state.readPool = services.in(access.cell).reads.poolFor(access.tenantId)
  // A missing scope is reported before an exhausted rate. The request counts in both cases.
  const decision = await accessServices.rate.take(access)
  ctx.set(rateHeaders(decision))
  ctx.state.requestsTaken = 1
  return checkScopes(access, endpoint) ?? rateRefusal(decision)
}

/** Sets `ctx.state.access` again after the caller's tenant has moved to another cell. */
export async function identifyAgain(ctx: Context, services: AccessServices): Promise<Refusal | undefined> {
  const authorization = ctx.get('Authorization')
  const tokenHash = tokenHashOf(authorization)
  if (tokenHash !== undefined) services.keys.evict(tokenHash)
  const access = await identify(services, { authorization, address: ctx.state.callerAddress, now: Date.now() })
  if (isRefusal(access)) return access
  ctx.state.access = access
  return undefined
}

type Taking = {
  /** Whether the request has cost little so far. A refused request that is cheap takes nothing of the rate. */
  readonly isCheap: boolean
}

/**
 * Raises the number of requests that this request takes of the rate to a total. If the rate has too few left, takes no more and refuses
 * `rate_limited`.
 */
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

/** Like `takeInAll`, for a body of this length that is not parsed yet. */
export const takeForBytes = (
  ctx: Context,
  bytes: number,
  taking: Taking,
  services: AccessServices,
): Promise<Refusal | undefined> => takeInAll(ctx, requestsOfBytes(bytes, ctx.state.access), taking, services)
