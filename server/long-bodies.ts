/**
 * Bounds the memory and time of long bodies: a fixed number is in memory at the same time, one at a time is parsed, and tenants take turns.
 * Other bodies wait unread. Short bodies do not come here.
 */
import type { Context } from 'koa'
import type { Refusal } from '../lib/kit/api/errors.ts'
import type { Config } from '../lib/platform/config.ts'
import { TenantSlots } from '../lib/platform/limits/tenant-slots.ts'
import { acceptedNow, cancelAt, notBegun } from './deadlines.ts'

/** A body up to this length is short: parsing it takes at most 2 ms. */
const SHORT_BYTES_MAX = 16 * 1024
/** One tenant may use two thirds of these slots, so that other tenants have room if its clients send slowly. */
const BODIES_IN_MEMORY = 32

export class LongBodies {
  readonly #config: Config
  readonly #inMemory = new TenantSlots(BODIES_IN_MEMORY)
  readonly #parsed = new TenantSlots(1)

  constructor(config: Config) {
    this.#config = config
  }

  /** @param bytes undefined: the length is not known yet */
  isLong(bytes: number | undefined): boolean {
    return bytes === undefined || bytes > SHORT_BYTES_MAX
  }

  /**
   * Reads a body and runs the work that needs it in memory, as soon as a slot is free. Refuses `service_unavailable` at the deadline of the
   * write.
   */
  inMemory<T>(ctx: Context, work: () => Promise<T>): Promise<T | Refusal> {
    return this.#in(this.#inMemory, ctx, work)
  }

  /**
   * Parses such a body and runs its slow work, one body at a time. The work may wait for PostgreSQL and Redis only. Refuses as `inMemory`
   * does.
   */
  inTurn<T>(ctx: Context, work: () => Promise<T>): Promise<T | Refusal> {
    return this.#in(this.#parsed, ctx, work)
  }

  async #in<T>(slots: TenantSlots, ctx: Context, work: () => Promise<T>): Promise<T | Refusal> {
    const { access, deadline } = ctx.state
    const began = performance.now()
    const patienceMs = Math.max(0, cancelAt(acceptedNow(ctx), this.#config) - Date.now())
    if (!(await slots.enter(access.tenantId, patienceMs))) return notBegun.refusal
    try {
      // The time of a write includes the wait for this slot.
      deadline.beforeMs = (deadline.beforeMs ?? 0) + performance.now() - began
      return await work()
    } finally {
      slots.leave(access.tenantId)
    }
  }
}
