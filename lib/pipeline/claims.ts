/**
 * Claims of idempotency keys in Redis: which request runs a key now, the recorded answer, and the daily quota (docs/rules/idempotency.md).
 * Claims only make this fast. The command log in PostgreSQL decides.
 */
import { inflateRawSync } from 'node:zlib'
import { MAIN } from '../platform/cells.ts'
import { gathered } from '../platform/limits/gathered.ts'
import { defineScript, type Redis, type Script } from '../platform/redis/redis.ts'
import { type Address, addressText, type Command, parseAddress } from './command.ts'
import { claimKeys, inGeneration, queuedKey, queueNameOf } from './redis-keys.ts'
import { jobOptions } from './tenant-queues.ts'

/** Matches the compression of end-commands.ts. */
const INFLATE = { chunkSize: 2 * 1024 } as const
const jobOptionsText = JSON.stringify(jobOptions)

export type Claim =
  /** The command is in its tenant's queue. `isUnready`: the caller must make the tenant ready, because the claim could not. */
  | { readonly kind: 'fresh'; readonly isUnready: boolean }
  /** The same request already runs as this job. */
  | { readonly kind: 'running'; readonly jobId: string }
  | { readonly kind: 'finished'; readonly status: number; readonly body: string | null }
  /** The key was used for another request. */
  | { readonly kind: 'mismatch' }
  /** Redis has too little room for one more command. */
  | { readonly kind: 'full' }
  | { readonly kind: 'quota_exceeded' }

export type ClaimOptions = {
  /** The limit of the command's quota. Ignored where its endpoint counts no documents. */
  readonly dailyDocuments: number
  /** How long the claim is kept in ms, unless it is settled earlier. */
  readonly runningTtlMs: number
}

/** Commands of one tenant that are claimed together, as arguments of claim.lua: those for all, then those of each command. */
type ClaimSet = { readonly commands: number; readonly args: readonly (string | number)[] }

/** Claims keys, and cancels waiting commands. end-commands.ts settles claims. `tagOf` gives the tenant's shard tag. */
export class Claims {
  readonly #tagOf: (tenantId: string) => string
  /** Generations of the cells' databases; 1 for a cell that is not in the map. */
  readonly #generations = new Map<string, number>()
  readonly #claim: (tag: string, set: ClaimSet) => Promise<Claim[]>
  readonly #cancel: Script

  constructor(redis: Redis, tagOf: (tenantId: string) => string) {
    this.#tagOf = tagOf
    const claim = defineScript(redis, new URL('./claim.lua', import.meta.url), 1, claimsFrom, true)
    this.#claim = gathered(
      async (tag, all: readonly ClaimSet[]) => {
        const header = [tag, jobOptionsText, Date.now()]
        const claims = await claim([queuedKey(tag)], [...header, ...all.flatMap(({ args }) => args)])
        return all.map(({ commands }) => claims.splice(0, commands))
      },
      setImmediate,
      ({ commands }) => commands,
    )
    this.#cancel = defineScript(redis, new URL('./cancel.lua', import.meta.url), 4)
  }

  /** A cell's database now has this generation (sql/000002_commands.sql). Earlier notes no longer count. */
  begin(generation: number, cell: string): void {
    this.#generations.set(cell, generation)
  }

  #generationOf({ cell = MAIN }: Command): number {
    return this.#generations.get(cell) ?? 1
  }

  /**
   * Claims the command's key. If no other request has it, the same step adds the command to its tenant's queue. The job has the id of the
   * request.
   */
  async claim(command: Command, { dailyDocuments, ...options }: ClaimOptions): Promise<Claim> {
    // The worker checks the quota of a dry run, and of a command that may make a record.
    const { quota, isDryRun } = command
    const limit = quota === null || quota.ifMade || isDryRun ? undefined : dailyDocuments
    const [claim] = await this.#claimInOrder([command], { ...options, limit })
    if (claim === undefined) throw new TypeError('the script answered no claim')
    return claim
  }

  /** The same for commands of one tenant, in one step and in order. The worker checks the quota. */
  claimAll(commands: readonly Command[], options: Pick<ClaimOptions, 'runningTtlMs'>): Promise<Claim[]> {
    return this.#claimInOrder(commands, options)
  }

  async #claimInOrder(
    commands: readonly Command[],
    { runningTtlMs, limit }: Omit<ClaimOptions, 'dailyDocuments'> & { readonly limit?: number | undefined },
  ): Promise<Claim[]> {
    const [first] = commands
    if (first === undefined) return []
    const tag = this.#tagOf(first.tenantId)
    const args = [
      ...[first.tenantId, runningTtlMs, limit ?? '', commands.length],
      ...commands.flatMap(command => {
        const { record, quota } = claimKeys(tag, command)
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
    return this.#claim(tag, { commands: commands.length, args })
  }

  /** Cancels a waiting command. Returns the duplicates that wait for the same command, or null when the command already runs or is gone. */
  async cancel(command: Command, jobId: string): Promise<Address[] | null> {
    const tag = this.#tagOf(command.tenantId)
    const { record } = claimKeys(tag, command)
    const queue = `${tag}:${queueNameOf(command.tenantId)}`
    const keys = [record, `${record}:waiters`, `${queue}:wait`, `${queue}:${jobId}`]
    const [taken, ...waiting] = (await this.#cancel(keys, [command.requestId, jobId])) as [number, ...string[]]
    return taken === 1 ? waiting.map(parseAddress) : null
  }
}

/** What claim.lua returns: three texts for each command. */
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
