/**
 * Lets the writes of a busy moment begin in fair order: no tenant has much more under way than calmer ones, and a few begin
 * in each turn of the event loop, tenants in turn. It must not refuse anybody; reads are answered at once.
 */
import type { Middleware } from 'koa'
import { FairShare } from '../lib/fair-share.ts'
import { Turns } from '../lib/turns.ts'

/**
 * A batch of one tenant is answered at once, and its callers send their next requests at once: a calm tenant waits behind the
 * heap at each of its visits to the event loop. What 2, 4 and all at once give stands in docs/performance.md.
 */
const STARTS_PER_TURN = 2

/** Stands after `authenticate`, which tells whose request it is, and before all that costs more. */
export function takeTurn(): Middleware {
  const share = new FairShare()
  const turns = new Turns(STARTS_PER_TURN)
  return async (ctx, next) => {
    if (ctx.state.endpoint.kind !== 'command') return next()
    ctx.state.acceptedAt = Date.now() // the deadline counts the wait here
    const { tenantId } = ctx.state.access
    await share.enter(tenantId)
    try {
      await turns.take(tenantId)
      await next()
    } finally {
      share.leave(tenantId)
    }
  }
}
