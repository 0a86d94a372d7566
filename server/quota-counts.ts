/**
 * Asks the command log how many documents a quota has spent, where Redis has forgotten it: for all requests of that moment once.
 */
import type { Command } from '../lib/pipeline/command.ts'
import { spentDocuments } from '../lib/pipeline/command-log.ts'
import type { Pool } from '../lib/platform/postgres/postgres.ts'

export class QuotaCounts {
  readonly #pool: Pool
  readonly #asked = new Map<string, Promise<number>>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** What was spent at some moment of this call or a little before; it only rises, and the claim keeps the highest. */
  spent(tenantId: string, quota: NonNullable<Command['quota']>): Promise<number> {
    const name = `${tenantId} ${quota.group} ${quota.day}`
    const asked = this.#asked.get(name)
    if (asked) return asked
    const asking = spentDocuments(this.#pool, tenantId, quota).finally(() => this.#asked.delete(name))
    this.#asked.set(name, asking)
    return asking
  }
}
