/**
 * The quotas of commands that run together, as PostgreSQL counts them under the tenant's lock. This count is exact. The count in Redis
 * (claim.lua) refuses most commands beyond the quota before they are queued, and may be emptied at any time.
 */
import type { Command } from '../pipeline/command.ts'

/** What a quota had spent before the unit of work, and the limit of a key that uses it. */
export type QuotaSpent = {
  readonly key_id: string
  readonly quota_group: string
  readonly quota_day: string
  readonly spent: number
  readonly daily_documents: number
}

export class Quotas {
  readonly #spent = new Map<string, number>()
  readonly #limits = new Map<string, number>()

  constructor(quotas: readonly QuotaSpent[]) {
    for (const { key_id, quota_group, quota_day, spent, daily_documents } of quotas) {
      this.#spent.set(`${quota_group} ${quota_day}`, spent)
      this.#limits.set(key_id, daily_documents)
    }
  }

  /** Whether the command's quota is spent. A deleted key has no limit. */
  isSpent(command: Command): boolean {
    const spent = this.spentBy(command)
    return spent !== undefined && spent >= (this.#limits.get(command.actor.keyId) ?? Number.POSITIVE_INFINITY)
  }

  /** Counts a success. */
  spend(command: Command): void {
    const spent = this.spentBy(command)
    if (spent !== undefined) this.#spent.set(nameOf(command), spent + 1)
  }

  /** How many documents the command's quota has spent so far; undefined: the command counts none. */
  spentBy(command: Command): number | undefined {
    return this.#spent.get(nameOf(command))
  }
}

const nameOf = ({ quota }: Command): string => (quota === null ? '' : `${quota.group} ${quota.day}`)
