/**
 * Writes a mail when a write is refused because a quota is spent. The refusal does not wait for this. If it fails, a later refused request
 * tries again.
 */
import type { Refusal } from '../lib/kit/api/errors.ts'
import type { Command } from '../lib/pipeline/command.ts'
import { queueQuotaMail } from '../lib/platform/mail/outbox.ts'
import type { Pool } from '../lib/platform/postgres/postgres.ts'
import type { Log } from '../lib/platform/telemetry/log.ts'

/** The most spent quotas whose mail this process remembers. PostgreSQL remembers all. */
const REMEMBERED_MAX = 10_000

export class QuotaMails {
  readonly #pool: Pool
  readonly #log: Log
  readonly #noted = new Set<string>()

  constructor(services: { readonly pool: Pool; readonly log: Log }) {
    this.#pool = services.pool
    this.#log = services.log
  }

  /** Writes the mail once per key and day, if a write was refused for its quota. Later refusals only look into a set. */
  note(command: Command, { refusal }: Refusal): void {
    const { tenantId, quota, actor } = command
    if (refusal !== 'document_quota_exceeded' || quota === null || command.isDryRun) return
    const name = `${tenantId} ${quota.group} ${quota.day}`
    if (this.#noted.has(name)) return
    if (this.#noted.size >= REMEMBERED_MAX) this.#noted.clear()
    this.#noted.add(name)
    queueQuotaMail(this.#pool, { tenantId, keyId: actor.keyId, ...quota }).catch(error => {
      this.#noted.delete(name)
      this.#log.warn({ err: error, tenant_id: tenantId }, 'the mail of a spent quota could not be noted')
    })
  }
}
