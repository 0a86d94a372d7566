/** Lets the writes of a busy moment begin in fair order: a few in each turn of the event loop, tenants in turn. */
import type { Middleware } from 'koa'
import { Turns } from '../lib/pipeline/turns.ts'

/**
 * A batch of one tenant is answered at once, and its callers send their next requests at once: a calm tenant waits behind the
 * heap at each of its visits to the event loop. What 2, 4 and all at once give stands in docs/performance.md.
 */
const STARTS_PER_TURN = 2

/** Stands after `authenticate`, which tells whose request it is, and before all that costs more. */
export function takeTurn(): Middleware {
  const turns = new Turns(STARTS_PER_TURN)
  return (ctx, next) => {
    if (ctx.state.endpoint.kind !== 'command') return next()
    const turn = turns.take(ctx.state.access.tenantId)
    return turn ? turn.then(next) : next()
  }
}
