/**
 * How a unit of work begins: one round trip that locks the tenants, reads what the command log holds, takes ids and loads what
 * the commands need; and a second one for what hangs on that.
 */
import type { CommandEndpoint } from '../api/endpoint.ts'
import type { Refusal } from '../api/errors.ts'
import { type Command, claimOf } from '../pipeline/command.ts'
import { isStatementFailure } from '../postgres/failures.ts'
import { failedStatement } from '../postgres/round-trip.ts'
import type { RoundTripConnection } from '../postgres/round-trip-pool.ts'
import type { AnyUnit } from './command.ts'
import { Later } from './later.ts'
import { Load } from './load.ts'
import { askAll, seeAll } from './needs.ts'
import { Quotas } from './quotas.ts'
import { type Asked, isAsked, type TenantRun } from './tenant-run.ts'
import {
  askServer,
  begin,
  keepLock,
  lockTenants,
  loggedCommand,
  openedTenant,
  quotaSpent,
  readLog,
  readQuotas,
  readRefusals,
  readTenants,
  takeIds,
} from './unit-statements.ts'
import { Work } from './work.ts'

/** A lock that was waited for was not to be had in time: no command is the cause, and each alone would wait as long again. */
export class TenantBusyError extends Error {
  override readonly name = 'TenantBusyError'
}

/** A newer server may send what an older worker does not know; the caller's retry reaches a newer worker. */
export function ask(
  command: Command,
  { endpointById }: { readonly endpointById: ReadonlyMap<string, CommandEndpoint> },
): Asked | Command {
  const endpoint = endpointById.get(command.endpoint)
  if (!endpoint) return command
  const unit = endpoint.unit as AnyUnit
  const request = { params: command.params, body: command.body as never }
  return { command, endpoint, unit, request, needs: unit.needs(request, command.actor), ids: [], more: {} }
}

/** Which part of a transaction a unit of work is: all of it, or one of several that a bulk is run in. */
export type Part = 'whole' | 'first' | 'later'

/**
 * A connection asks its server as its first, and then this often: a pooler in between may go on with another server. No standby
 * takes over as quickly.
 */
const ASK_SERVER_MS = 1_000

type AskedPortion = {
  readonly tenantId: string
  readonly commands: readonly (Asked | Command)[]
  readonly instead: Refusal | undefined
}

/** The first round trip: locks, log, ids and needs. */
export async function open(
  connection: RoundTripConnection,
  portions: readonly AskedPortion[],
  {
    clock,
    waits,
    part = 'whole',
    claims = [],
  }: {
    readonly clock?: (() => string) | undefined
    readonly waits: boolean
    readonly part?: Part
    /** Claims whose refusals are of interest beside those of the commands. */
    readonly claims?: readonly { readonly tenantId: string; readonly claimId: string }[]
  },
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
  const locking = { whole: [lock], first: [lock, keepLock], later: [] }[part]
  const sentAt = performance.now()
  const asksServer = part !== 'later' && sentAt - connection.serverAskedAt > ASK_SERVER_MS
  const begun = part === 'later' ? 0 : 1 + locking.length + Number(asksServer)
  const all = await connection
    .send([
      ...(part === 'later' ? [] : [begin, ...locking]),
      ...(asksServer ? [askServer] : []),
      readTenants(tenantIds),
      readLog(keys),
      readRefusals([...keys, ...claims]),
      readQuotas([...quotas.values()]),
      takeIds(ids),
      ...load.queries,
    ])
    .catch(cause => {
      const isBusy = waits && failedStatement(cause) === lock && isStatementFailure(cause)
      throw isBusy ? new TenantBusyError('the tenant was not locked', { cause }) : cause
    })
  if (asksServer) connection.serverAskedAt = sentAt
  const [tenants = [], logged = [], refusals = [], spent = [], fresh = [], ...answers] = all.slice(begun)
  const openedById = new Map(tenants.map(row => [row['tenant_id'] ?? '', row]))
  const isLocked = new Set(part === 'later' ? tenantIds : all[1]?.map(row => row['tenant_id'] ?? ''))
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
export async function see(connection: RoundTripConnection, runs: ReadonlyMap<string, TenantRun>): Promise<void> {
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
