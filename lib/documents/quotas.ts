/**
 * What the quotas of commands that run together have left, as Postgres counts them under the tenant's lock. This is what makes a quota
 * exact; the count in Redis (claim.lua) refuses most of what is over before it is queued, and may be emptied at any time.
 */
import type { Command } from '../pipeline/command.ts'
import type { QuotaSpent } from '../pipeline/command-log.ts'

export class Quotas {
  readonly #spent = new Map<string, number>()
  readonly #limits = new Map<string, number>()

  constructor(quotas: readonly QuotaSpent[]) {
    for (const { key_id, quota_group, quota_day, spent, daily_documents } of quotas) {
      this.#spent.set(`${quota_group} ${quota_day}`, spent)
      this.#limits.set(key_id, daily_documents)
    }
  }

  /** Whether the command finds its quota spent when `before` more that count on it succeed. A key that is gone has no limit. */
  isSpent(command: Command, before = 0): boolean {
    const spent = this.spentBy(command)
    return spent !== undefined && spent + before >= (this.#limits.get(command.actor.keyId) ?? Number.POSITIVE_INFINITY)
  }

  /** Counts a success. */
  spend(command: Command): void {
    const spent = this.spentBy(command)
    if (spent !== undefined) this.#spent.set(nameOf(command), spent + 1)
  }

  /** How many documents the command's quota has spent by now; undefined where the command counts none. */
  spentBy(command: Command): number | undefined {
    return this.#spent.get(nameOf(command))
  }
}

const nameOf = ({ quota }: Command): string => (quota === null ? '' : `${quota.group} ${quota.day}`)
