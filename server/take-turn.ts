/**
 * Lets the requests of a busy moment begin in fair order: a few in each turn of the event loop, tenants in turn. It must not
 * refuse or slow anybody while there is room.
 */
import type { Middleware } from 'koa'
import { Turns } from '../lib/turns.ts'

/**
 * A batch of one tenant is answered at once, and its callers send their next requests at once. With 4 in a turn, beside a flood
 * of 64 clients, half of the loop's work came in turns below 1.3 ms (all at once: 4.6 ms; with 8: 2.2 ms), and a calm tenant's
 * p99 was 38 instead of 56 ms, for 2 % of the flood's throughput.
 */
const STARTS_PER_TURN = 4

/** Stands after `authenticate`, which tells whose request it is, and before all that costs more. */
export function takeTurn(): Middleware {
  const turns = new Turns(STARTS_PER_TURN)
  return (ctx, next) => {
    const turn = turns.take(ctx.state.access.tenantId)
    return turn ? turn.then(next) : next()
  }
}
