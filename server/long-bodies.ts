/**
 * Lets long bodies in so that they hold up nobody else: so many are in memory at once, and of these one is parsed at a time, tenants in
 * turn. What is over waits unread. A short body does not come here.
 */
import type { Context } from 'koa'
import type { Refusal } from '../lib/kit/api/errors.ts'
import type { Config } from '../lib/platform/config.ts'
import { TenantSlots } from '../lib/platform/limits/tenant-slots.ts'
import { acceptedNow, cancelAt, notBegun } from './deadlines.ts'

/** Up to this length a body is short: what is worst to parse takes 2 ms. */
const SHORT_BYTES_MAX = 16 * 1024
/** Of them one tenant alone may have two thirds, so that its slow senders leave room for others. */
const BODIES_IN_MEMORY = 32

export class LongBodies {
  readonly #config: Config
  readonly #inMemory = new TenantSlots(BODIES_IN_MEMORY)
  readonly #parsed = new TenantSlots(1)

  constructor(config: Config) {
    this.#config = config
  }

  /** @param bytes undefined where it is not known yet */
  isLong(bytes: number | undefined): boolean {
    return bytes === undefined || bytes > SHORT_BYTES_MAX
  }

  /** Reads a body and does all that needs it in memory, once a slot is free. Refuses `service_unavailable` at the deadline of the write. */
  inMemory<T>(ctx: Context, work: () => Promise<T>): Promise<T | Refusal> {
    return this.#in(this.#inMemory, ctx, work)
  }

  /** Parses such a body, and does what takes long with it, alone. It waits for nobody outside. Refuses as `inMemory` does. */
  inTurn<T>(ctx: Context, work: () => Promise<T>): Promise<T | Refusal> {
    return this.#in(this.#parsed, ctx, work)
  }

  async #in<T>(slots: TenantSlots, ctx: Context, work: () => Promise<T>): Promise<T | Refusal> {
    const { access, deadline } = ctx.state
    const began = performance.now()
    const patienceMs = Math.max(0, cancelAt(acceptedNow(ctx), this.#config) - Date.now())
    if (!(await slots.enter(access.tenantId, patienceMs))) return notBegun.refusal
    try {
      // The time of a write counts what it waited here.
      deadline.beforeMs = (deadline.beforeMs ?? 0) + performance.now() - began
      return await work()
    } finally {
      slots.leave(access.tenantId)
    }
  }
}
