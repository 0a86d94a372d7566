/** Whether a process can serve now: PostgreSQL and Redis answer and take writes, and the schema is current. It answers within a second. */

import * as v from 'valibot'
import { MAIN } from '../platform/cells.ts'
import { errorClass } from '../platform/postgres/failures.ts'
import { listMigrations } from '../platform/postgres/migrate.ts'
import { type Pool, rows } from '../platform/postgres/postgres.ts'
import { refusedWrites } from '../platform/postgres/refused-writes.ts'
import { nodeOf, outageOf, type Redis } from '../platform/redis/redis.ts'
import { refusalOf } from '../platform/redis/refusals.ts'
import { refusesWrites } from '../platform/redis/refused-writes.ts'
import { missingRights } from '../platform/redis/rights.ts'
import type { Readiness } from '../platform/telemetry/admin.ts'
import { within } from '../platform/within.ts'
import { identityOf } from './cells/add.ts'

const CHECK_TIMEOUT_MS = 1_000
const NO_ANSWER = 'no answer'
const NO_TABLE = '42P01'
/** However often /readyz is called, each cell is checked only this often for writes. */
const WRITES_EVERY_MS = 5_000
const REFUSES_WRITES = 'refuses writes'
const readsOnly = (why = ''): string => `${REFUSES_WRITES}${why}: reads are served, writes are answered with 503`
/** Reads work without writes, so the process stays ready. */
const isServing = (state: string | undefined): boolean => state === 'ok' || state?.startsWith(REFUSES_WRITES) === true

/** Checks by name. A check without an answer is not started again: each start would take a connection. */
class Checks {
  readonly #underWay = new Map<string, Promise<string>>()

  /** @param reasonOf the text for an error, or for a missing answer */
  async check(name: string, work: () => Promise<string>, reasonOf = (_: unknown) => NO_ANSWER): Promise<string> {
    const underWay = this.#underWay.get(name) ?? work().finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, underWay)
    return within(CHECK_TIMEOUT_MS, underWay).catch(reasonOf)
  }
}

/**
 * Checks a write: a Redis with full memory or disk answers everything else.
 * @param tag the hash tag of a shard; on a cluster the shard's node is checked
 */
async function nodeState(redis: Redis, tag: string): Promise<string> {
  const key = `${tag}:readiness`
  try {
    const missing = await missingRights(redis, key)
    if (missing !== undefined) return missing
    await redis.set(key, '', 'PX', CHECK_TIMEOUT_MS)
    return 'ok'
  } catch (error) {
    if (refusesWrites(error)) return readsOnly()
    throw error
  }
}

/** Whether a cell takes writes, cached for WRITES_EVERY_MS. */
function writesOf(pool: Pool): () => Promise<string> {
  let last: { readonly at: number; readonly state: string } | undefined
  return async () => {
    if (last === undefined || performance.now() - last.at > WRITES_EVERY_MS) {
      const refused = await refusedWrites(pool)
      last = { at: performance.now(), state: refused === undefined ? 'ok' : readsOnly(` (${refused})`) }
    }
    return last.state
  }
}

/**
 * The state of all nodes together. While one node of a cluster cannot be reached, the process serves the tenants of the others, and so is
 * ready.
 */
function redisOf(states: readonly string[]): { readonly isReady: boolean; readonly state: string } {
  const there = states.filter(state => state !== NO_ANSWER)
  const away = states.length - there.length
  const state = there.find(each => each !== 'ok') ?? states[0] ?? NO_ANSWER
  const isReady = there.some(isServing)
  if (away === 0 || there.length === 0) return { isReady, state }
  return { isReady, state: `${NO_ANSWER} from ${away} of ${states.length} nodes: their tenants are not served` }
}

type CellPool = { readonly name: string; readonly pool: Pool }

/**
 * A readiness check over the process's own connections. Its texts are for operators and contain no addresses. While one of several cells
 * cannot be reached the process serves the tenants of the others.
 */
export function createReadiness(services: {
  readonly cells: readonly [CellPool, ...CellPool[]]
  readonly redis: Redis
  /** The hash tags of the shards. */
  readonly tags: readonly string[]
}): Readiness {
  let newest: string | undefined
  const writes = new Map(services.cells.map(({ pool }) => [pool, writesOf(pool)]))
  const checkCell = async ({ name, pool }: CellPool): Promise<string> => {
    const newestThere = pool.maybeOne(rows(v.object({ name: v.nullable(v.string()) }))`
      select max(name) as name from migrations`)
    const row = await newestThere.catch(error => {
      if (errorClass(error) === NO_TABLE) return null
      throw error
    })
    if (!row?.name || !newest || row.name < newest) return 'migrations are missing: run millrace migrate'
    const takesWrites = writes.get(pool) ?? writesOf(pool)
    if (services.cells.length === 1) return takesWrites()
    const { cell } = await identityOf(pool)
    if (cell === name || (cell === null && name === MAIN)) return takesWrites()
    return `no cell of this name (${cell ?? 'none'}): run millrace cell add ${name}`
  }
  const checks = new Checks()
  const checkRedis = async () => {
    const { redis, tags } = services
    const reasonOf = (error: unknown) => refusalOf(outageOf(redis) ?? error) ?? NO_ANSWER
    const tagsOfNodes = new Map(tags.map(tag => [nodeOf(redis, tag), tag])).values()
    const states = tagsOfNodes.map(tag => checks.check(`redis ${tag}`, () => nodeState(redis, tag), reasonOf))
    return redisOf(await Promise.all(states))
  }
  return async () => {
    newest ??= (await listMigrations()).at(-1)?.name
    const [postgres, redis] = await Promise.all([
      Promise.all(
        services.cells.map(async cell => {
          const name = cell.name === MAIN ? 'postgres' : `cell ${cell.name}`
          return [name, await checks.check(name, () => checkCell(cell))]
        }),
      ),
      checkRedis(),
    ])
    const found: Record<string, string> = { ...Object.fromEntries(postgres), redis: redis.state }
    return { ready: redis.isReady && postgres.some(([, state]) => isServing(state)), checks: found }
  }
}
