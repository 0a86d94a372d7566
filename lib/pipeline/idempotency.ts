/**
 * Idempotency records in Redis: who runs a key now, what it answered, and the daily quota (docs/rules/idempotency.md). It is the
 * fast path only; the command log in Postgres decides.
 */
import { hash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { MAIN } from '../platform/cells.ts'
import { defineScript, type Redis, type Script } from '../platform/redis/redis.ts'
import type { Command } from './command.ts'
import { type EndCommands, endCommands, type SettlementArgs } from './end-commands.ts'
import { gathered } from './gathered.ts'
import { tenantKey, writtenKey } from './last-writes.ts'
import { type Address, addressText, parseAddress } from './reply-address.ts'
import { jobOptions, queuedKey, queueNameOf } from './tenant-queues.ts'

/** How long a finished answer stays in Redis unless set otherwise; after that the command log answers. */
const FINISHED_TTL_MS = 3_600_000
/** Larger answers are replayed from the command log: a key of the default rate keeps 100 MB in an hour at most. */
const KEPT_BYTES_MAX = 2 * 1024
/** JSON that is longer is not deflated to see. An order of 50 lines has 14 KB, 2 KB deflated. */
const BODY_BYTES_MAX = 32 * 1024
/**
 * An answer of 1,000 bytes takes 470 so, in 14 us of processor time. Its buffer is a piece of Node's pool: one of the default size (16 KB)
 * takes 6 us, and 64 MB of them make the garbage collector look through all of the heap.
 */
const DEFLATE = { level: 1, memLevel: 4, chunkSize: KEPT_BYTES_MAX } as const
const INFLATE = { chunkSize: KEPT_BYTES_MAX } as const
const jobOptionsText = JSON.stringify(jobOptions)

export type Claim =
  /** The command is in its tenant's queue; `isUnready`: the tenant is to be made ready, which the claim could not do. */
  | { readonly kind: 'fresh'; readonly isUnready: boolean }
  /** The same request runs already under this job. */
  | { readonly kind: 'running'; readonly jobId: string }
  | { readonly kind: 'finished'; readonly status: number; readonly body: string | null }
  /** The key was used for another request. */
  | { readonly kind: 'mismatch' }
  /** Redis has too little room left for one more command. */
  | { readonly kind: 'full' }
  | { readonly kind: 'quota_exceeded' }

export type ClaimOptions = {
  /** The limit of the command's quota; ignored where its endpoint counts none. */
  readonly dailyDocuments: number
  /** How long the claim holds by itself. */
  readonly runningTtlMs: number
}

/** `generation` and `spent` as of `Outcome`. */
type Settlement = { readonly generation?: number | undefined; readonly spent?: number | undefined } & (
  | {
      readonly outcome: 'done' | 'replayed'
      readonly status: number
      readonly body: string | null
      /** The Postgres transaction after which it can be read, where it is known. */
      readonly transaction?: string | undefined
      /** As of `Done`. */
      readonly cell?: string | undefined
    }
  | { readonly outcome: 'refused' }
)

/** What tells of commits stands under the generation of the database that they are of: those of an earlier one may be gone. */
const inGeneration = (generation: number): string => (generation === 1 ? '' : `:${generation}`)

/** Commands of one tenant that are claimed together, as claim.lua names them: what they have in common, then each. */
type ClaimTogether = { readonly commands: number; readonly args: readonly (string | number)[] }

/** Claims and cancellations, and what a settlement tells the scripts. `tagOf` gives the tenant's shard tag. */
export class Claims {
  readonly #tagOf: (tenantId: string) => string
  readonly #finishedTtlMs: number
  /** Of the cells, as far as this process knows; 1 where it knows none. */
  readonly #generations = new Map<string, number>()
  readonly #claim: (tag: string, together: ClaimTogether) => Promise<Claim[]>
  readonly #end: EndCommands
  readonly #cancel: Script

  constructor(redis: Redis, tagOf: (tenantId: string) => string, finishedTtlMs = FINISHED_TTL_MS) {
    this.#tagOf = tagOf
    this.#finishedTtlMs = finishedTtlMs
    const claim = defineScript(redis, new URL('./claim.lua', import.meta.url), 1, claimsFrom, true)
    this.#claim = gathered(
      async (tag, all: readonly ClaimTogether[]) => {
        const header = [tag, jobOptionsText, Date.now()]
        const claims = await claim([queuedKey(tag)], [...header, ...all.flatMap(({ args }) => args)])
        return all.map(({ commands }) => claims.splice(0, commands))
      },
      setImmediate,
      ({ commands }) => commands,
    )
    this.#end = endCommands(redis)
    this.#cancel = defineScript(redis, new URL('./cancel.lua', import.meta.url), 4)
  }

  /** The names of what there is of a command, as in claim.lua. */
  #names({ tenantId, idempotencyKey, quota }: Command) {
    const tag = this.#tagOf(tenantId)
    const tenant = tenantKey(tag, tenantId)
    return {
      tag,
      record: `${tenant}:key:${hash('sha256', idempotencyKey, 'base64url')}`,
      quota: quota === null ? '' : `${tenant}:quota:${quota.group}:${quota.day}`,
    }
  }

  /** A cell's database is of this generation now (sql/000002_commands.sql): what was noted before is not believed. */
  begin(generation: number, cell: string): void {
    this.#generations.set(cell, generation)
  }

  #generationOf({ cell = MAIN }: Command): number {
    return this.#generations.get(cell) ?? 1
  }

  /**
   * Claims the command's key and, where nobody has it, adds the command to its tenant's queue, in one step. Its job has the id of
   * its request.
   */
  async claim(command: Command, { dailyDocuments, ...options }: ClaimOptions): Promise<Claim> {
    // Of a dry run the worker looks whether the quota is spent.
    const limit = command.quota === null || command.isDryRun ? undefined : dailyDocuments
    const [claim] = await this.#claimInOrder([command], { ...options, limit })
    if (claim === undefined) throw new TypeError('the script answered no claim')
    return claim
  }

  /** The same for commands of one tenant, in one step and in their order. The quota is left to the worker. */
  claimAll(commands: readonly Command[], options: Pick<ClaimOptions, 'runningTtlMs'>): Promise<Claim[]> {
    return this.#claimInOrder(commands, options)
  }

  async #claimInOrder(
    commands: readonly Command[],
    { runningTtlMs, limit }: Omit<ClaimOptions, 'dailyDocuments'> & { readonly limit?: number | undefined },
  ): Promise<Claim[]> {
    const [first] = commands
    if (first === undefined) return []
    const args = [
      ...[first.tenantId, runningTtlMs, limit ?? '', commands.length],
      ...commands.flatMap(command => {
        const { record, quota } = this.#names(command)
        const { fingerprint, requestId, endpoint } = command
        const generation = inGeneration(this.#generationOf(command))
        return [
          record,
          quota,
          generation,
          fingerprint,
          requestId,
          addressText(command),
          endpoint,
          JSON.stringify(command),
        ]
      }),
    ]
    return this.#claim(this.#tagOf(first.tenantId), { commands: commands.length, args })
  }

  /** What the scripts are told of a command after its transaction, as settlement.lua names it. */
  settlementOf(command: Command, settlement: Settlement): SettlementArgs {
    const isRefused = settlement.outcome === 'refused'
    const kept = isRefused ? undefined : keptForm(settlement.body ?? '')
    const { tag, record, quota } = this.#names(command)
    return [
      command.requestId,
      command.fingerprint,
      settlement.outcome,
      isRefused ? 0 : settlement.status,
      kept ?? '',
      kept === undefined ? 0 : this.#finishedTtlMs,
      isRefused ? '' : (settlement.transaction ?? ''),
      settlement.spent ?? '',
      record,
      quota,
      writtenKey(tag, command.tenantId, (isRefused ? undefined : settlement.cell) ?? command.cell),
      inGeneration(settlement.generation ?? this.#generationOf(command)),
    ]
  }

  /** Settles a command after its transaction; returns the duplicates that wait for its answer. */
  async settle(command: Command, settlement: Settlement): Promise<Address[]> {
    const { tenantId } = command
    const settlements = [this.settlementOf(command, settlement)]
    const { waiting } = await this.#end(this.#tagOf(tenantId), { tenantId, settlements })
    return waiting.flat()
  }

  /** Cancels a waiting command. Returns the duplicates that wait with it, or null when it runs already or is gone. */
  async cancel(command: Command, jobId: string): Promise<Address[] | null> {
    const { tag, record } = this.#names(command)
    const queue = `${tag}:${queueNameOf(command.tenantId)}`
    const keys = [record, `${record}:waiters`, `${queue}:wait`, `${queue}:${jobId}`]
    const [taken, ...waiting] = (await this.#cancel(keys, [command.requestId, jobId])) as [number, ...string[]]
    return taken === 1 ? waiting.map(parseAddress) : null
  }

  /** Frees the claim of a command that was refused. */
  async release(command: Command): Promise<void> {
    await this.settle(command, { outcome: 'refused' })
  }
}

/** An answer as Redis keeps it; undefined where it is too large. */
function keptForm(body: string): Buffer | '' | undefined {
  if (body === '') return ''
  if (Buffer.byteLength(body) > BODY_BYTES_MAX) return undefined
  const deflated = deflateRawSync(body, DEFLATE)
  return deflated.length > KEPT_BYTES_MAX ? undefined : deflated
}

/** What claim.lua returns: three texts of each command. */
function claimsFrom(raw: unknown): Claim[] {
  if (!Array.isArray(raw) || !raw.every(item => Buffer.isBuffer(item)))
    throw new TypeError('the script answered no texts')
  return Array.from({ length: raw.length / 3 }, (_, at) => claimFrom(raw.slice(3 * at, 3 * at + 3)))
}

function claimFrom([kind, first, body]: readonly Buffer[]): Claim {
  switch (String(kind)) {
    case 'fresh':
      return { kind: 'fresh', isUnready: String(first) === '1' }
    case 'running':
      return { kind: 'running', jobId: String(first ?? '') }
    case 'finished':
      return {
        kind: 'finished',
        status: Number(first),
        body: body?.length ? inflateRawSync(body, INFLATE).toString() : null,
      }
    default:
      return { kind: String(kind) as Exclude<Claim['kind'], 'fresh' | 'running' | 'finished'> }
  }
}
