/**
 * Claims in Redis: who runs an idempotency key now, what it answered, and the daily quota. It is the fast path only; the
 * command log in Postgres decides (contract 1, "Idempotency", "Rate limit and quota").
 */
import { createHash } from 'node:crypto'
import type { Command } from './command.ts'
import { defineScript, type Redis, type Script } from './redis.ts'
import { WRITTEN_TTL_MS, writtenKey } from './written.ts'

/** How long a finished answer stays in Redis unless set otherwise; after that the command log answers. */
const FINISHED_TTL_MS = 24 * 3_600_000
/** Larger answers are replayed from the command log. */
const RECORDED_BODY_BYTES_MAX = 64 * 1024
/** A place in the quota falls free again by itself after this: far longer than any command waits. */
const RESERVE_TTL_MS = 3_600_000
const SPENT_TTL_MS = 48 * 3_600_000
/** Request ids that one call puts back into Redis: a script takes only so many arguments. */
const RESTORED_AT_ONCE = 1_000

/** Where an answer goes: the server process and the request that waits there. */
export type Address = { readonly replyTo: string; readonly requestId: string }

export type Claim =
  | { readonly kind: 'fresh' }
  /** The same request runs already under this job. */
  | { readonly kind: 'running'; readonly jobId: string }
  | { readonly kind: 'finished'; readonly status: number; readonly body: string | null }
  /** The key was used for another request. */
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'quota_exceeded' }
  /** What is left of the quota is reserved by commands in flight; those that are refused give it back. */
  | { readonly kind: 'quota_reserved' }
  /** Redis does not know today's count: claim again with what the command log has. */
  | { readonly kind: 'quota_unknown' }

export type ClaimOptions = {
  readonly jobId: string
  readonly dailyDocuments: number
  readonly runningTtlMs: number
  readonly spent?: readonly string[]
}

export type Settlement =
  | {
      readonly outcome: 'done' | 'replayed'
      readonly status: number
      readonly body: string | null
      /** The Postgres transaction after which it can be read, where it is known. */
      readonly transaction?: string | undefined
    }
  | { readonly outcome: 'refused' }

const addressText = (address: Address): string => `${address.replyTo} ${address.requestId}`

export function parseAddress(text: string): Address {
  const [replyTo = '', requestId = ''] = text.split(' ')
  return { replyTo, requestId }
}

/** Claims, settlements and take-backs, each one Lua call. `tagOf` gives the tenant's shard tag. */
export class Claims {
  readonly #redis: Redis
  readonly #tagOf: (tenantId: string) => string
  readonly #finishedTtlMs: number
  readonly #claim: Script
  readonly #settle: Script
  readonly #takeBack: Script

  constructor(redis: Redis, tagOf: (tenantId: string) => string, finishedTtlMs = FINISHED_TTL_MS) {
    this.#redis = redis
    this.#tagOf = tagOf
    this.#finishedTtlMs = finishedTtlMs
    this.#claim = defineScript(redis, new URL('./claim.lua', import.meta.url), 4)
    this.#settle = defineScript(redis, new URL('./settle.lua', import.meta.url), 5)
    this.#takeBack = defineScript(redis, new URL('./take-back.lua', import.meta.url), 6)
  }

  #keys(command: Pick<Command, 'tenantId' | 'idempotencyKey' | 'quota'>): string[] {
    const tenant = `${this.#tagOf(command.tenantId)}:tenant:${command.tenantId}`
    const record = `${tenant}:key:${createHash('sha256').update(command.idempotencyKey).digest('base64url')}`
    const quota =
      command.quota === null ? `${tenant}:quota:none` : `${tenant}:quota:${command.quota.group}:${command.quota.day}`
    return [record, `${record}:waiters`, `${quota}:spent`, `${quota}:reserved`]
  }

  /**
   * Claims the command's key. `dailyDocuments` is the key's limit; it is ignored where the endpoint counts none. `spent` are
   * the requests that spent a document today as the command log has them, for a Redis that does not know them.
   */
  async claim(command: Command, options: ClaimOptions): Promise<Claim> {
    const limit = command.quota === null ? -1 : options.dailyDocuments
    const address = addressText({ replyTo: command.replyTo, requestId: command.requestId })
    const keys = this.#keys(command)
    const answer = (await this.#claim(keys, [
      command.fingerprint,
      command.requestId,
      options.jobId,
      address,
      options.runningTtlMs,
      limit,
      RESERVE_TTL_MS,
      SPENT_TTL_MS,
      ...(options.spent ? ['1', ...(await this.#restoreAllBut(keys[2] ?? '', options.spent))] : []),
    ])) as [string, ...string[]]
    switch (answer[0]) {
      case 'running':
        return { kind: 'running', jobId: answer[1] ?? '' }
      case 'finished':
        return { kind: 'finished', status: Number(answer[1]), body: answer[2] || null }
      default:
        return { kind: answer[0] as Exclude<Claim['kind'], 'running' | 'finished'> }
    }
  }

  /** Settles a command after its transaction; returns the duplicates that wait for its answer. */
  async settle(command: Command, settlement: Settlement): Promise<Address[]> {
    const body = settlement.outcome === 'refused' ? '' : (settlement.body ?? '')
    const keep = Buffer.byteLength(body) <= RECORDED_BODY_BYTES_MAX
    const written = writtenKey(this.#tagOf(command.tenantId), command.tenantId)
    const waiters = (await this.#settle(
      [...this.#keys(command), written],
      [
        command.requestId,
        command.fingerprint,
        settlement.outcome,
        settlement.outcome === 'refused' ? 0 : settlement.status,
        keep ? body : '',
        keep ? this.#finishedTtlMs : 0,
        command.quota === null ? 0 : 1,
        SPENT_TTL_MS,
        settlement.outcome === 'refused' ? '' : (settlement.transaction ?? ''),
        WRITTEN_TTL_MS,
      ],
    )) as string[]
    return waiters.map(parseAddress)
  }

  /** Takes a waiting command back. Returns the duplicates that wait with it, or null when it runs already or is gone. */
  async takeBack(command: Command, jobId: string, mailboxPrefix: string): Promise<Address[] | null> {
    const keys = [...this.#keys(command), `${mailboxPrefix}:wait`, `${mailboxPrefix}:${jobId}`]
    const [taken, ...waiters] = (await this.#takeBack(keys, [command.requestId, jobId])) as [number, ...string[]]
    return taken === 1 ? waiters.map(parseAddress) : null
  }

  /** Frees a claim whose command could not be enqueued. */
  async release(command: Command): Promise<void> {
    await this.settle(command, { outcome: 'refused' })
  }

  /**
   * Puts spent documents back into Redis, but for the last ones, which it returns: they come with the mark that says that the
   * count is complete. Adding twice does no harm.
   */
  async #restoreAllBut(spentKey: string, requestIds: readonly string[]): Promise<readonly string[]> {
    let at = 0
    for (; requestIds.length - at > RESTORED_AT_ONCE; at += RESTORED_AT_ONCE)
      await this.#redis.sadd(spentKey, ...requestIds.slice(at, at + RESTORED_AT_ONCE))
    return requestIds.slice(at)
  }
}
