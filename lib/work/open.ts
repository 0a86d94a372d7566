/**
 * How a unit of work begins. One round trip locks the tenants, reads the command log, takes ids and loads what the commands need. A second
 * one loads what depends on that.
 */
import { isRefusal, type Refusal } from '../kit/api/errors.ts'
import type { AnyUnit, Request } from '../kit/documents/command.ts'
import { askAll, seeAll } from '../kit/documents/needs.ts'
import { NextUnit } from '../kit/documents/next-unit.ts'
import { Load, type Works } from '../kit/documents/question.ts'
import { Work } from '../kit/documents/work.ts'
import { type Command, claimOf } from '../pipeline/command.ts'
import { isStatementFailure } from '../platform/postgres/failures.ts'
import { failedStatement, type TextRow } from '../platform/postgres/round-trip.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'
import { doDue, dueOfRuns } from './due.ts'
import {
  askServer,
  begin,
  keepLock,
  lockTenants,
  openedTenant,
  queueForDue,
  quotaSpent,
  readQuotas,
  readTenants,
  restOf,
  takeIds,
} from './lock-tenants.ts'
import { loggedCommand, readLog, readRefusals } from './log.ts'
import { Quotas } from './quotas.ts'
import { loadRest } from './rest.ts'
import type { NotRun, Prepared, TenantBatch, TenantRun, UnitDependencies, UnitOptions } from './tenant-run.ts'

/**
 * Another transaction holds the tenant's lock for longer than this unit may wait. No command is the cause, and each command alone would
 * wait as long again. The database can be reached.
 */
export class TenantBusyError extends Error {
  override readonly name = 'TenantBusyError'
}

/** A forced refusal loads nothing: its command may have killed a process, or its statement may be the one that fails. */
const asksNothing: Pick<AnyUnit, 'needs' | 'ids'> = { needs: () => ({}), ids: () => 0 }

/** @throws RangeError for an unknown endpoint; callers refuse those before */
function prepare(
  command: Command,
  { endpointById, forcedRefusal }: Pick<UnitDependencies, 'endpointById'> & Pick<TenantBatch, 'forcedRefusal'>,
): Prepared {
  const endpoint = endpointById.get(command.endpoint)
  if (!endpoint) throw new RangeError(`no endpoint ${command.endpoint}`)
  const own = endpoint.unit as AnyUnit
  const unit = forcedRefusal === undefined ? own : { decide: own.decide, ...asksNothing }
  const request = { params: command.params, body: command.body as never }
  const named = unit.named?.(request) ?? null
  const needs = named?.needs ?? unit.needs(request, command.actor)
  return { command, endpoint, unit, request, names: named && { ...named, found: undefined }, needs, ids: [], more: {} }
}

/** The place of a round in its transaction: alone, or one of several rounds of a bulk. */
type Position = 'only' | 'first' | 'later'

/**
 * A connection asks its server at its first use, and then this often: a pooler may connect it with another server. A failover to a standby
 * takes longer.
 */
const ASK_SERVER_MS = 1_000

type PreparedBatch = {
  readonly tenantId: string
  readonly commands: readonly Prepared[]
  readonly forcedRefusal: Refusal | undefined
}

type Options = UnitOptions & {
  readonly position?: Position
  /** Further claims whose refusals are read. */
  readonly claims?: Parameters<typeof readRefusals>[0]
}

/** The tenants that may run, and why others may not. A tenant in neither map is not in this database. */
type Opened = { readonly runs: ReadonlyMap<string, TenantRun>; readonly others: ReadonlyMap<string, NotRun> }

/**
 * Two round trips: locks, log, ids and needs, then what depends on these. If commands name records by other texts than ids, a third trip
 * comes between the two. If kits are concerned, one follows, and two more if something of a tenant is due.
 */
export async function openRound(
  connection: RoundTripConnection,
  batches: readonly TenantBatch[],
  unitOptions: Options,
): Promise<Opened> {
  const options = atOneTime(unitOptions)
  const prepared = batches.map(({ tenantId, commands, forcedRefusal }) => ({
    tenantId,
    forcedRefusal,
    commands: commands.map(command => prepare(command, { ...options, forcedRefusal })),
  }))
  const opened = await withDueDone(connection, await open(connection, prepared, options), options)
  const load = () => new Load({ isAlone: options.oneByOne === true, nowMs: nowMsBy(options.clock) })
  const hasNames = prepared.some(({ commands }) => commands.some(({ names }) => names))
  if (hasNames) await loadNamed(connection, opened.runs, load())
  await loadMore(connection, opened.runs, load())
  await loadRest(connection, loadedIn(opened.runs), load())
  return opened
}

/** A clock that tests set is read once. */
function atOneTime(options: Options): Options {
  const now = options.clock?.()
  return now === undefined ? options : { ...options, clock: () => now }
}

/** The approximate time of the commands, before the database has given it. */
const nowMsBy = (clock: Options['clock']): number => (clock === undefined ? Date.now() : Date.parse(clock()))

/** Tenants with due work do that first. Their commands need another unit of work, or another round. */
async function withDueDone(connection: RoundTripConnection, opened: Opened, { due }: Options): Promise<Opened> {
  const waiting = dueOfRuns(opened.runs.values(), due)
  if (waiting.length === 0) return opened
  const done = await doDue(connection, waiting)
  return { ...opened, runs: new Map([...opened.runs, ...done.map(run => [run.work.tenant.id, run] as const)]) }
}

async function open(
  connection: RoundTripConnection,
  batches: readonly PreparedBatch[],
  { clock, due: all, endpointById, waits, oneByOne, position = 'only', claims = [] }: Options,
): Promise<Opened> {
  // With commands, only the work that comes before commands is asked for.
  const due = batches.some(({ commands }) => commands.length === 0) ? all : all.filter(({ isFirst }) => isFirst)
  const tenantIds = batches.map(({ tenantId }) => tenantId)
  const { load, keys, quotas, ids } = questionsOf(
    batches,
    new Load({ isAlone: oneByOne === true, nowMs: nowMsBy(clock) }),
  )
  const lock = lockTenants(tenantIds, { waits })
  const sentAt = performance.now()
  const asksServer = position !== 'later' && sentAt - connection.serverAskedAt > ASK_SERVER_MS
  const [{ tenantId, commands = [] } = {}] = batches
  const isQueued = waits && batches.length === 1 && commands.length === 0 && tenantId !== undefined
  if (isQueued) {
    const [, [row] = []] = await connection.send([begin, queueForDue(tenantId)])
    if (row?.['is_mine'] !== 't') return { runs: new Map(), others: new Map([[tenantId, 'locked']]) }
  }
  const beginning = position === 'later' ? [] : isQueued ? [lock] : [begin, lock]
  if (asksServer) beginning.push(askServer)
  // After `askServer`, which may begin a generation: the generation stays when the rest is undone.
  if (position === 'first') beginning.push(keepLock)
  const answers = await connection
    .send([
      ...beginning,
      readTenants(tenantIds, due),
      readLog(keys),
      readRefusals([...keys, ...claims]),
      readQuotas(quotas),
      takeIds(ids),
      ...load.queries,
    ])
    .catch(cause => {
      const isBusy = waits && failedStatement(cause) === lock && isStatementFailure(cause)
      throw isBusy ? new TenantBusyError('the tenant was not locked', { cause }) : cause
    })
  if (asksServer) connection.serverAskedAt = sentAt
  const locked = position === 'later' ? tenantIds : answers[beginning.indexOf(lock)]?.map(tenantOf)
  const [tenants = [], logged = [], refusals = [], spent = [], fresh = [], ...loaded] = answers.slice(beginning.length)
  giveIds(batches, fresh)
  const opened = openedRuns(batches, { tenants, spent, locked: new Set(locked), clock, endpointById, due })
  const { runs } = opened
  for (const row of refusals) {
    const run = runs.get(tenantOf(row))
    const { claim_id: claimId, refusal, idempotency_key: key } = row
    if (claimId && refusal) run?.refusals.set(claimId, JSON.parse(refusal) as Refusal)
    else run?.refusedKeys.set(key ?? '', Number(row['refused_ms']))
  }
  for (const row of logged) runs.get(tenantOf(row))?.known.set(row['idempotency_key'] ?? '', loggedCommand(row))
  load.take(loaded, worksOf(runs))
  return opened
}

const tenantOf = (row: TextRow): string => row['tenant_id'] ?? ''

/** What the first round trip asks for all commands together. */
function questionsOf(batches: readonly PreparedBatch[], load: Load) {
  const keys: { tenantId: string; idempotencyKey: string; claimId: string }[] = []
  const quotas = new Map<string, { tenantId: string; key_id: string; quota_group: string; quota_day: string }>()
  let ids = 0
  for (const { tenantId, commands } of batches) {
    for (const each of commands) {
      const { command } = each
      const { quota, actor, idempotencyKey } = command
      keys.push({ tenantId, idempotencyKey, claimId: claimOf(command) })
      if (quota) {
        const asked = { tenantId, key_id: actor.keyId, quota_group: quota.group, quota_day: quota.day }
        quotas.set(`${actor.keyId} ${quota.group} ${quota.day}`, asked)
      }
      askAll(each.needs, load, tenantId)
      ids += each.unit.ids(each.request)
    }
  }
  return { load, keys, quotas: [...quotas.values()], ids }
}

/** Ids rise in the order of the commands, as counted in `questionsOf`. */
function giveIds(batches: readonly PreparedBatch[], fresh: readonly TextRow[]): void {
  let taken = 0
  for (const command of batches.flatMap(({ commands }) => commands)) {
    const wanted = command.unit.ids(command.request)
    command.ids = fresh.slice(taken, taken + wanted).map(row => row['id'] ?? '')
    taken += wanted
  }
}

type Found = {
  readonly tenants: readonly TextRow[]
  readonly spent: readonly TextRow[]
  readonly locked: ReadonlySet<string>
  readonly clock: Options['clock']
  readonly endpointById: Options['endpointById']
  readonly due: Options['due']
}

function openedRuns(
  batches: readonly PreparedBatch[],
  { tenants, spent, locked, clock, endpointById, due }: Found,
): Opened {
  const rowById = new Map(tenants.map(row => [tenantOf(row), row]))
  const spentById = Map.groupBy(spent, tenantOf)
  const runs = new Map<string, TenantRun>()
  const others = new Map<string, NotRun>()
  for (const { tenantId, commands, forcedRefusal } of batches) {
    const row = rowById.get(tenantId)
    if (row === undefined) continue
    const notRun = locked.has(tenantId) ? restOf(row) : 'locked'
    if (notRun) {
      others.set(tenantId, notRun)
      continue
    }
    const opened = openedTenant(row, due)
    runs.set(tenantId, {
      opened,
      work: new Work({ tenant: opened.tenant, now: clock?.() ?? opened.now, counts: { ...opened.counts } }),
      commands,
      endpointById,
      known: new Map(),
      refusals: new Map(),
      refusedKeys: new Map(),
      refused: [],
      quotas: new Quotas((spentById.get(tenantId) ?? []).map(quotaSpent)),
      forcedRefusal,
      ended: [],
      log: [],
      outbox: [],
      eventSequence: opened.eventSequence,
      isTooLarge: false,
    })
  }
  return { runs, others }
}

const worksOf = (runs: ReadonlyMap<string, TenantRun>): Works => new Map([...runs].map(([id, { work }]) => [id, work]))

/** Loads the needs of commands that name records by other texts than ids, after the ids are known. */
async function loadNamed(
  connection: RoundTripConnection,
  runs: ReadonlyMap<string, TenantRun>,
  load: Load,
): Promise<void> {
  for (const { work, commands, known } of runs.values()) {
    for (const command of commands) {
      if (!command.names || known.has(command.command.idempotencyKey)) continue
      const found = command.names.resolve(seeAll(command.names.needs, work)) as Request | Refusal
      command.names.found = found
      if (isRefusal(found)) continue
      command.request = found
      command.needs = command.unit.needs(found, command.command.actor)
      askAll(command.needs, load, work.tenant.id)
    }
  }
  const { queries } = load
  if (queries.length > 0) load.take(await connection.send(queries), worksOf(runs))
}

/** The needs of commands that run, with their works. */
const loadedIn = (runs: ReadonlyMap<string, TenantRun>) =>
  [...runs.values()].flatMap(({ work, commands }) =>
    commands.flatMap(({ needs, more }) => [needs, more].map(each => ({ work, needs: each }))),
  )

/** The round trip for what depends on the needs. */
async function loadMore(
  connection: RoundTripConnection,
  runs: ReadonlyMap<string, TenantRun>,
  load: Load,
): Promise<void> {
  for (const { work, commands, known } of runs.values()) {
    for (const command of commands) {
      if (!command.unit.more || known.has(command.command.idempotencyKey)) continue
      if (isRefusal(command.names?.found)) continue
      try {
        command.more = command.unit.more(command.request, seeAll(command.needs, work))
      } catch (error) {
        // An earlier command of the unit makes the record. This command decides, or waits for the next unit, when its turn comes.
        if (!(error instanceof NextUnit)) throw error
        continue
      }
      askAll(command.more, load, work.tenant.id)
    }
  }
  const { queries } = load
  if (queries.length > 0) load.take(await connection.send(queries), worksOf(runs))
}
