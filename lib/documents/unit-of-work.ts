/**
 * A unit of work: commands of one or many tenants in one Postgres transaction, in three round trips at most, whatever their
 * number. The first locks the tenants and loads what the commands must see, the second what hangs on that, the third writes;
 * between them the commands decide, one after another, on the same records. See docs/architecture.md.
 */

import { quotaExceeded } from '../access/document-quota.ts'
import type { CommandEndpoint, DomainEvent } from '../api/endpoint.ts'
import { isRefusal, type Refusal } from '../api/errors.ts'
import { type Command, claimOf, type Outcome, tenantGone, unavailable } from '../pipeline/command.ts'
import { answerFromLog, type LoggedCommand } from '../pipeline/command-log.ts'
import { isStatementFailure } from '../postgres/failures.ts'
import { failedStatement, type Query } from '../postgres/round-trip.ts'
import type { RoundTripConnection } from '../postgres/round-trip-pool.ts'
import { inSpan, keptTraceParent, type TraceParent } from '../tracing/tracing.ts'
import type { AnyUnit, Deciding, Decision, Request } from './command.ts'
import { eventBody, newEventId } from './event-body.ts'
import { Load } from './load.ts'
import { askAll, type Needs, seeAll } from './needs.ts'
import {
  begin,
  commit,
  type LogEntry,
  lockTenants,
  loggedCommand,
  type OpenedTenant,
  type OutboxEntry,
  openedTenant,
  quotaSpent,
  type RefusedRow,
  readLog,
  readQuotas,
  readRefusals,
  readTenants,
  record,
  rollback,
  takeIds,
} from './opening.ts'
import { Quotas } from './quotas.ts'
import { type AnyPartKind, Later, OutOfIds, type Part, Work } from './work.ts'
import { writesOf } from './writes.ts'

/** Commands of one tenant, in their order. */
export type Portion = {
  readonly tenantId: string
  readonly commands: readonly Command[]
  /** What the commands hear instead of being run, unless they ended before. */
  readonly instead?: Refusal | undefined
}

export type UnitDependencies = {
  readonly endpointById: ReadonlyMap<string, CommandEndpoint>
  readonly settings: Deciding['settings']
  /** The time at which commands run, if not the database's: for tests that move it. */
  readonly clock?: () => string
}

/**
 * What became of a portion: its outcomes, which may be those of its first commands only (the others need another unit of
 * work); or nothing at all, since another holds the tenant.
 */
export type Ran = { readonly outcomes: readonly Outcome[]; readonly hasEvents: boolean }
export type Result = Ran | 'held'

/** A lock that was waited for was not to be had in time: no command is the cause, and each alone would wait as long again. */
export class TenantBusyError extends Error {
  override readonly name = 'TenantBusyError'
}

/** Ids that are taken at once where a command's did not suffice. */
const IDS_MORE = 64

/** A command with what it must see. */
type Asked = {
  readonly command: Command
  readonly endpoint: CommandEndpoint
  readonly unit: AnyUnit
  readonly request: Request
  readonly needs: Needs
  ids: readonly string[]
  more: Needs
}

/** A tenant's part of the unit of work. */
type TenantRun = {
  readonly opened: OpenedTenant
  readonly work: Work
  readonly asked: readonly (Asked | Command)[]
  /** Successes by idempotency key, and refusals by claim: found, and of this unit. */
  readonly known: Map<string, LoggedCommand>
  readonly refusals: Map<string, Refusal>
  readonly refused: RefusedRow[]
  readonly quotas: Quotas
  readonly instead: Refusal | undefined
  readonly outcomes: Outcome[]
  readonly log: LogEntry[]
  readonly outbox: OutboxEntry[]
  eventSequence: bigint
}

/**
 * Runs the portions in one transaction; the results in their order.
 * @throws what Postgres or a command throws; the transaction is then over, and nothing of it is left.
 */
export async function runUnit(
  connection: RoundTripConnection,
  portions: readonly Portion[],
  dependencies: UnitDependencies & { readonly waits: boolean },
): Promise<readonly Result[]> {
  try {
    const asked = portions.map(({ tenantId, commands, instead }) => ({
      tenantId,
      instead,
      // What is not run must not ask either: it may be what ended a process, or the statement that fails.
      commands: instead ? commands : commands.map(command => ask(command, dependencies)),
    }))
    const opened = await open(connection, asked, dependencies)
    const runs = new Map([...opened].flatMap(([id, run]) => (run === 'held' ? [] : [[id, run]])))
    await see(connection, runs)
    const moreIds = async (count: number) => {
      const [fresh = []] = await connection.send([takeIds(count)])
      return fresh.map(row => row['id'] ?? '')
    }
    for (const run of runs.values()) await decideAll(run, dependencies, moreIds)
    await write(connection, runs)
    return portions.map(({ tenantId, commands }) => {
      const run = opened.get(tenantId)
      if (run === 'held') return run
      if (run === undefined) return { outcomes: commands.map(() => tenantGone), hasEvents: false }
      return {
        outcomes: run.outcomes.map((outcome, at) => {
          const spent = run.quotas.spentBy(commands[at] as Command)
          return outcome.kind === 'done'
            ? { ...outcome, transaction: run.opened.transaction, spent }
            : { ...outcome, spent }
        }),
        hasEvents: run.opened.hasWebhooks && run.outbox.length > 0,
      }
    })
  } catch (error) {
    await connection.send([rollback]).catch(() => connection.end())
    throw error
  }
}

const isAsked = (asked: Asked | Command): asked is Asked => 'unit' in asked

/** A newer server may send what an older worker does not know; the caller's retry reaches a newer worker. */
function ask(command: Command, { endpointById }: UnitDependencies): Asked | Command {
  const endpoint = endpointById.get(command.endpoint)
  if (!endpoint) return command
  const unit = endpoint.unit as AnyUnit
  const request = { params: command.params, body: command.body as never }
  return { command, endpoint, unit, request, needs: unit.needs(request, command.actor), ids: [], more: {} }
}

type AskedPortion = {
  readonly tenantId: string
  readonly commands: readonly (Asked | Command)[]
  readonly instead: Refusal | undefined
}

/** The first round trip: locks, log, ids and needs. */
async function open(
  connection: RoundTripConnection,
  portions: readonly AskedPortion[],
  { clock, waits }: UnitDependencies & { readonly waits: boolean },
): Promise<Map<string, TenantRun | 'held'>> {
  const tenantIds = portions.map(({ tenantId }) => tenantId)
  const load = new Load()
  const keys: { tenantId: string; idempotencyKey: string; claimId: string }[] = []
  const quotas = new Map<string, { tenantId: string; key_id: string; quota_group: string; quota_day: string }>()
  let ids = 0
  for (const { tenantId, commands } of portions) {
    for (const asked of commands) {
      const command = isAsked(asked) ? asked.command : asked
      const { quota, actor, idempotencyKey } = command
      keys.push({ tenantId, idempotencyKey, claimId: claimOf(command) })
      if (quota)
        quotas.set(`${actor.keyId} ${quota.group} ${quota.day}`, {
          ...{ tenantId, key_id: actor.keyId, quota_group: quota.group, quota_day: quota.day },
        })
      if (!isAsked(asked)) continue
      askAll(asked.needs, load, tenantId)
      ids += asked.unit.ids(asked.request)
    }
  }
  const lock = lockTenants(tenantIds, { waits })
  const [, locked = [], tenants = [], logged = [], refusals = [], spent = [], fresh = [], ...answers] = await connection
    .send([
      begin,
      lock,
      readTenants(tenantIds),
      readLog(keys),
      readRefusals(keys),
      readQuotas([...quotas.values()]),
      takeIds(ids),
      ...load.queries,
    ])
    .catch(cause => {
      const isBusy = waits && failedStatement(cause) === lock && isStatementFailure(cause)
      throw isBusy ? new TenantBusyError('the tenant was not locked', { cause }) : cause
    })
  const openedById = new Map(tenants.map(row => [row['tenant_id'] ?? '', row]))
  const isLocked = new Set(locked.map(row => row['tenant_id']))
  const runs = new Map<string, TenantRun>()
  const held = new Set<string>()
  let id = 0
  const spentOf = Map.groupBy(spent, row => row['tenant_id'] ?? '')
  for (const { tenantId, commands, instead } of portions) {
    for (const asked of commands) {
      if (!isAsked(asked)) continue
      const wanted = asked.unit.ids(asked.request)
      asked.ids = fresh.slice(id, id + wanted).map(row => row['id'] ?? '')
      id += wanted
    }
    const row = openedById.get(tenantId)
    if (row === undefined) continue
    if (!isLocked.has(tenantId)) {
      held.add(tenantId)
      continue
    }
    const opened = openedTenant(row)
    const work = new Work({ tenant: opened.tenant, now: clock?.() ?? opened.now, counts: { ...opened.counts } })
    runs.set(tenantId, {
      ...{ opened, work, asked: commands, instead, eventSequence: opened.eventSequence },
      ...{ known: new Map(), refusals: new Map(), refused: [], outcomes: [], log: [], outbox: [] },
      quotas: new Quotas((spentOf.get(tenantId) ?? []).map(quotaSpent)),
    })
  }
  for (const row of refusals) {
    const refusal = JSON.parse(row['refusal'] ?? '') as Refusal
    runs.get(row['tenant_id'] ?? '')?.refusals.set(row['claim_id'] ?? '', refusal)
  }
  for (const row of logged)
    runs.get(row['tenant_id'] ?? '')?.known.set(row['idempotency_key'] ?? '', loggedCommand(row))
  load.take(answers, worksOf(runs))
  return new Map<string, TenantRun | 'held'>([...runs, ...[...held].map(tenantId => [tenantId, 'held'] as const)])
}

const worksOf = (runs: ReadonlyMap<string, TenantRun>) => new Map([...runs].map(([id, { work }]) => [id, work]))

/** The second round trip, where anything hangs on the first. */
async function see(connection: RoundTripConnection, runs: ReadonlyMap<string, TenantRun>): Promise<void> {
  const load = new Load()
  for (const { work, asked, known } of runs.values()) {
    for (const one of asked) {
      if (!isAsked(one) || !one.unit.more || known.has(one.command.idempotencyKey)) continue
      try {
        one.more = one.unit.more(one.request, seeAll(one.needs, work))
      } catch (error) {
        // What an earlier command makes is not there yet: this one decides, or waits, when its turn comes.
        if (!(error instanceof Later)) throw error
        continue
      }
      askAll(one.more, load, work.tenant.id)
    }
  }
  const { queries } = load
  if (queries.length > 0) load.take(await connection.send(queries), worksOf(runs))
}

/** The tenant's commands in their order, up to the first that needs another unit of work. */
async function decideAll(run: TenantRun, dependencies: UnitDependencies, moreIds: MoreIds): Promise<void> {
  for (const at of run.asked.keys()) {
    try {
      run.outcomes.push(await decideWithIds(run, at, dependencies, moreIds))
    } catch (error) {
      run.work.takeBack()
      // The first one saw the database itself: then a need is missing, which is a fault.
      if (!(error instanceof Later) || run.outcomes.length === 0) throw error
      return
    }
  }
}

type MoreIds = (count: number) => Promise<readonly string[]>

/**
 * Again with more ids where they did not suffice: who takes stock from ten batches cannot know it before. The commands behind
 * get others then, so that ids rise from command to command.
 */
async function decideWithIds(
  run: TenantRun,
  at: number,
  dependencies: UnitDependencies,
  moreIds: MoreIds,
): Promise<Outcome> {
  const [asked, ...behind] = run.asked.slice(at) as [Asked | Command, ...(Asked | Command)[]]
  for (;;) {
    try {
      return await decide(run, asked, dependencies)
    } catch (error) {
      if (!(error instanceof OutOfIds) || !isAsked(asked)) throw error
      run.work.takeBack()
      const waiting = behind.filter(isAsked)
      const more = Math.max(IDS_MORE, asked.ids.length)
      const fresh = await moreIds(waiting.reduce((sum, { ids }) => sum + ids.length, more))
      let taken = more
      asked.ids = [...asked.ids, ...fresh.slice(0, more)]
      for (const next of waiting) {
        next.ids = fresh.slice(taken, taken + next.ids.length)
        taken += next.ids.length
      }
    }
  }
}

async function decide(run: TenantRun, asked: Asked | Command, { settings }: UnitDependencies): Promise<Outcome> {
  const command = isAsked(asked) ? asked.command : asked
  const earlier = run.known.get(command.idempotencyKey)
  if (earlier) return answerFromLog(command, earlier)
  // A success of a key is one of all that carry it; a refusal only ends those that share its claim.
  const refusal = run.refusals.get(claimOf(command))
  if (refusal) return { kind: 'refused', refusal }
  if (run.instead) return refused(run, command, run.instead)
  if (!isAsked(asked)) return unavailable
  if (run.quotas.isSpent(command)) return refused(run, command, quotaExceeded(new Date(run.work.now)))
  const { work } = run
  work.begin(asked.ids)
  const options = { cause: command.trace, attributes: { 'millrace.request_id': command.requestId } }
  return inSpan(asked.endpoint.id, options, async span => {
    const facts = { ...seeAll(asked.needs, work), ...seeAll(asked.more, work) }
    const deciding: Deciding = {
      tenant: work.tenant,
      actor: command.actor,
      now: work.now,
      settings,
      lastEventSequence: run.eventSequence.toString(),
      work,
    }
    const decision = asked.unit.decide(asked.request, facts, deciding)
    if (!isRefusal(decision)) return finish(run, asked, decision, keptTraceParent(span))
    work.takeBack()
    return refused(run, command, decision)
  })
}

/** A refusal leaves nothing but itself: whoever heard it must not see a copy of the command succeed. */
function refused(run: TenantRun, command: Command, refusal: Refusal): Outcome {
  run.refusals.set(claimOf(command), refusal)
  run.refused.push({ claim_id: claimOf(command), refusal: JSON.stringify(refusal) })
  return { kind: 'refused', refusal }
}

/** What a success did goes into log and outbox. */
function finish(
  run: TenantRun,
  { command, endpoint }: Asked,
  decision: Decision,
  trace: TraceParent | undefined,
): Outcome {
  const { work } = run
  run.quotas.spend(command)
  const events: DomainEvent[] = [...work.parts.values()].flatMap(part => part.events())
  for (const event of [...events, ...decision.events]) {
    run.eventSequence += 1n
    const id = newEventId()
    run.outbox.push({
      sequence: run.eventSequence.toString(),
      id,
      type: event.type,
      body: eventBody(event, { id, timestamp: work.now, sequence: run.eventSequence }),
      created_at: work.now,
      trace_parent: trace,
    })
  }
  const { body, recordedBody } = decision
  const logged = { fingerprint: command.fingerprint, status: endpoint.success, body: recordedBody ?? body }
  run.log.push({
    ...logged,
    idempotency_key: command.idempotencyKey,
    endpoint: command.endpoint,
    key_id: command.actor.keyId,
    quota_group: command.quota?.group ?? null,
    quota_day: command.quota?.day ?? null,
    request_id: command.requestId,
  })
  run.known.set(command.idempotencyKey, { ...logged, requestId: command.requestId })
  return {
    kind: 'done',
    status: endpoint.success,
    body,
    replayed: false,
    ...(recordedBody === undefined ? {} : { recordedBody }),
  }
}

/** The third round trip: all that was decided, and the commit. */
async function write(connection: RoundTripConnection, runs: ReadonlyMap<string, TenantRun>): Promise<void> {
  const all = [...runs.values()]
  const written = all.filter(({ log }) => log.length > 0)
  if (all.every(({ log, refused: rows }) => log.length + rows.length === 0)) {
    await connection.send([commit])
    return
  }
  const tenantOf = ({ work }: TenantRun) => work.tenant.id
  const queries = [
    // Lines refer to goods' batches, and nothing of the stock to what is made beside it.
    ...partWrites(written.map(({ work }) => work)),
    ...writesOf(written.map(({ work }) => work)),
    record({
      log: written.flatMap(run => run.log.map(entry => ({ ...entry, tenant_id: tenantOf(run) }))),
      refused: all.flatMap(run => run.refused.map(entry => ({ ...entry, tenant_id: tenantOf(run) }))),
      outbox: written.flatMap(run => run.outbox.map(entry => ({ ...entry, tenant_id: tenantOf(run) }))),
      streams: written.map(run => ({
        tenant_id: tenantOf(run),
        event_sequence: run.eventSequence.toString(),
        last_command_at: run.work.now,
        document_counts: run.work.counts,
      })),
    }),
    commit,
  ]
  await connection.send(queries)
}

function partWrites(works: readonly Work[]): Query[] {
  const parts = works.flatMap(work => [...work.parts].map(([kind, part]) => ({ kind, part, work })))
  return [...Map.groupBy(parts, ({ kind }) => kind)].flatMap(
    ([kind, of]: [AnyPartKind, { part: Part; work: Work }[]]) => [...kind.write(of)],
  )
}
