/**
 * Notes the mail of a spent quota when a request is refused for it. Nobody waits for it: the refusal goes out meanwhile, and
 * a later refused request notes what could not be noted.
 */
import type { Refusal } from '../lib/kit/api/errors.ts'
import type { Command } from '../lib/pipeline/command.ts'
import { queueQuotaMail } from '../lib/platform/mail/outbox.ts'
import type { Pool } from '../lib/platform/postgres/postgres.ts'
import type { Log } from '../lib/platform/telemetry/log.ts'

/** Spent quotas that a process remembers to have noted; Postgres remembers them all. */
const REMEMBERED_MAX = 10_000

export class QuotaMails {
  readonly #pool: Pool
  readonly #log: Log
  readonly #noted = new Set<string>()

  constructor(services: { readonly pool: Pool; readonly log: Log }) {
    this.#pool = services.pool
    this.#log = services.log
  }

  /** Notes the mail once per key and day, if a write was refused for that; from then on a refused request costs a look at a set. */
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
