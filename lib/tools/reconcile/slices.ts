/**
 * Runs the checks beside traffic: a few tenants at a time, one check after another, with pauses, so that the run takes a share of a
 * processor. It can break off and go on. Each check is a statement with a snapshot of its own, so no long snapshot keeps vacuum from its
 * work, and none waits on a replica.
 */
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import {
  type Connection,
  createPool,
  type Pool,
  rows,
  sql,
  statement,
  type WritingConnection,
} from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'
import { beginRun, endRun, HOLD_EVERY_MS, holdRun, leaveRun, noteSlice, type Standing } from './noted.ts'
import { FAULTS_MAX, type Fault, FaultRow, STATEMENT_TIMEOUT_MS } from './reconcile.ts'
import { checks } from './stock.ts'

/** Tenants of one slice. A tenant with more movements than `TOGETHER_MOVEMENTS_MAX` is a slice of its own, planned for that tenant. */
const SLICE_TENANTS = 64
const TOGETHER_MOVEMENTS_MAX = 2_000
/** What a tenant costs beside its events, for the progress. */
const TENANT_EVENTS = 50
const TRIES = 3
/** A pause is at most so long, so that a stop is heard. */
const PAUSE_MS_MAX = 1_000

export type Slices = {
  /** Where the checks run: the replica where there is one. */
  readonly source: Pool
  /** Where the run is noted: the primary. */
  readonly primary: Pool
  /** How much of a processor the run may take, above 0 to 1. */
  readonly share: number
  /** Whether to go on with a run that broke off. */
  readonly resume: boolean
  readonly isToStop?: () => boolean
  /** @param done the part that is done, 0 to 1 */
  readonly onProgress?: (progress: { readonly done: number; readonly tenants: number }) => void
}

export type SlicedRun = {
  readonly tenants: number
  /** At most `FAULTS_MAX`; `faultCount` counts all that were found. Those from before a break are only counted. */
  readonly faults: readonly Fault[]
  readonly faultCount: number
  /** Names of the checks. */
  readonly checks: readonly string[]
  /** False: it was stopped, and can go on. */
  readonly isWhole: boolean
}

/** One connection, whose statements may take as long as a huge tenant needs. */
export const openForSlices = (databaseUrl: string, name: string): Promise<Pool> =>
  createPool(databaseUrl, {
    name,
    size: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: STATEMENT_TIMEOUT_MS,
  })

type Sized = { readonly id: string; readonly events: number; readonly is_large: boolean }

/** Null: a process works on a run. */
export async function reconcileInSlices({
  source,
  primary,
  share,
  resume,
  isToStop = () => false,
  onProgress = () => {},
}: Slices): Promise<SlicedRun | null> {
  const begun = await beginRun(primary, resume)
  if (begun === null) return null
  let standing: Standing = begun
  const faults: Fault[] = []
  const holding = setInterval(() => void holdRun(primary, begun).catch(() => {}), HOLD_EVERY_MS).unref()
  try {
    let done = await sizeOf(source, begun.last_tenant_id)
    for (;;) {
      const slices = slicesOf(await tenantsAfter(source, standing.last_tenant_id))
      if (slices.length === 0) break
      for (const tenants of slices) {
        for (const [n, check] of checks.entries()) {
          if (isToStop()) return await stopped(primary, standing, faults)
          const began = performance.now()
          const found = await withTries(() => run(source, check, tenants))
          const lasting = await stillThere(source, found)
          faults.push(...lasting.slice(0, FAULTS_MAX - faults.length))
          standing = { ...standing, faults: standing.faults + lasting.length }
          const part = weigh(tenants) * ((n + 1) / checks.length)
          onProgress({ done: (done.before + part) / Math.max(done.all, done.before + part), tenants: standing.tenants })
          await pause((performance.now() - began) * (1 / share - 1), isToStop)
        }
        done = { ...done, before: done.before + weigh(tenants) }
        standing = {
          ...standing,
          last_tenant_id: tenants.at(-1)?.id ?? standing.last_tenant_id,
          tenants: standing.tenants + tenants.length,
        }
        await noteSlice(primary, standing)
      }
    }
    await endRun(primary, standing)
    return ended(standing, faults, true)
  } catch (error) {
    await leaveRun(primary, standing).catch(() => {})
    throw error
  } finally {
    clearInterval(holding)
  }
}

async function stopped(primary: WritingConnection, standing: Standing, faults: readonly Fault[]): Promise<SlicedRun> {
  await leaveRun(primary, standing)
  return ended(standing, faults, false)
}

const ended = ({ tenants, faults: faultCount }: Standing, faults: readonly Fault[], isWhole: boolean): SlicedRun => {
  return { tenants, faults, faultCount, isWhole, checks: checks.map(({ name }) => name) }
}

const weigh = (tenants: readonly Sized[]): number =>
  tenants.reduce((sum, { events }) => sum + events + TENANT_EVENTS, 0)

/** Those that are served here: a tenant on the way has incomplete rows, or two copies. */
const here = sql.fragment`tenant_id <> all (array(select tenant_id from tenants where moving is not null))`

/** Events count roughly as movements and lines do. */
const sizeOf = (source: Connection, after: string) =>
  source.one(rows(v.object({ before: v.number(), all: v.number() }))`
    select coalesce(sum(weight) filter (where tenant_id <= ${after}::bigint), 0)::float8 as before, coalesce(sum(weight), 0)::float8 as all
    from (select tenant_id, event_sequence + ${TENANT_EVENTS} as weight from tenant_streams where ${here}) sized`)

const tenantsAfter = (source: Connection, after: string): Promise<readonly Sized[]> =>
  source.any(rows(v.object({ id: v.string(), events: v.number(), is_large: v.boolean() }))`
    select tenant_id::text as id, event_sequence::float8 as events, exists (
        select from stock_movements m where m.tenant_id = tenant_streams.tenant_id offset ${TOGETHER_MOVEMENTS_MAX}
      ) as is_large
    from tenant_streams
    where tenant_id > ${after}::bigint and ${here} order by tenant_id limit ${SLICE_TENANTS}`)

/** In the order of their ids, so that one id says how far a run is. */
function slicesOf(tenants: readonly Sized[]): readonly (readonly Sized[])[] {
  const slices: Sized[][] = []
  let open: Sized[] | undefined
  for (const tenant of tenants) {
    if (tenant.is_large) {
      slices.push([tenant])
      open = undefined
    } else if (open === undefined) {
      open = [tenant]
      slices.push(open)
    } else open.push(tenant)
  }
  return slices
}

const run = (source: Pool, check: Check, tenants: readonly Sized[]): Promise<readonly Fault[]> =>
  source.connect(async connection => {
    const [only] = tenants.length === 1 ? tenants : []
    // A plan for one tenant knows how large it is; a plan for any few small ones is made once. One processor is enough. The offset of the
    // first statement keeps a tenant's id a value for the check, so that PostgreSQL reads the rows of this tenant alone.
    await connection.query(statement`
      select set_config('plan_cache_mode', ${only === undefined ? 'force_generic_plan' : 'force_custom_plan'}, false),
        set_config('max_parallel_workers_per_gather', '0', false), set_config('jit', 'off', false)`)
    const ids = tenants.map(({ id }) => id)
    const found = only === undefined ? faultsOf(connection, check, ids) : faultsOfOne(connection, check, only.id)
    return (await found).map(row => ({ check: check.name, ...row }))
  })

const shown = sql.fragment`f.tenant_id::text as tenant_id, f.subject, coalesce(f.expected::text, 'none') as expected,
  coalesce(f.found::text, 'none') as found`

/** What a check finds in several tenants. */
export const faultsOf = (connection: Connection, { faultRows }: Check, tenantIds: readonly string[]) =>
  connection.any(rows(FaultRow)`
    with f as materialized (
      select found.* from unnest(${sql.array([...tenantIds], 'int8')}) as slice (id)
      cross join lateral (select * from (${faultRows}) of_tenant where of_tenant.tenant_id = slice.id offset 0) found
    )
    select ${shown} from f order by f.tenant_id, f.subject limit ${FAULTS_MAX}`)

const faultsOfOne = (connection: Connection, { faultRows }: Check, tenantId: string) =>
  connection.any(rows(FaultRow)`
    with f as materialized (select * from (${faultRows}) found where tenant_id = ${tenantId}::bigint)
    select ${shown} from f order by f.subject limit ${FAULTS_MAX}`)

/** Faults of tenants that have left since the slice began are none. */
async function stillThere(source: Connection, found: readonly Fault[]): Promise<readonly Fault[]> {
  if (found.length === 0) return found
  const ids = sql.array([...new Set(found.map(({ tenant_id }) => tenant_id))], 'int8')
  const left = await source.any(rows(v.object({ id: v.string() }))`
    select tenant_id::text as id from tenant_streams where tenant_id = any(${ids}) and ${here}`)
  return found.filter(({ tenant_id }) => left.some(({ id }) => id === tenant_id))
}

/** A replica ends a statement that is in the way of its log. */
async function withTries<T>(work: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++)
    try {
      return await work()
    } catch (error) {
      if (n === TRIES) throw error
      await delay(PAUSE_MS_MAX)
    }
}

async function pause(ms: number, isToStop: () => boolean): Promise<void> {
  const ends = performance.now() + ms
  for (let left = ms; left > 0 && !isToStop(); left = ends - performance.now())
    await delay(Math.min(left, PAUSE_MS_MAX))
}
