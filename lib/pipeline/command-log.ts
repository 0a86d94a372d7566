/**
 * Finds the end of a command in the command log, without a tenant's lock. Units of work read and write the log under the lock
 * (lib/work/log.ts).
 */
import * as v from 'valibot'
import { type Refusal, refuse } from '../kit/api/errors.ts'
import { TenantNotHere } from '../platform/cells.ts'
import { type Connection, fixedFragment, rows, sql } from '../platform/postgres/postgres.ts'
import { type Bulk, bulkDone, bulkRefused, type Command, claimOf, isBulk, type Outcome } from './command.ts'

/** A finished command in the log. */
export type LoggedCommand = {
  readonly fingerprint: string
  readonly status: number
  readonly body: string | null
  readonly requestId: string
}

/** The outcome of a command whose key is in the log: the answer (a replay, unless the log has this very request), or a conflict. */
export function answerFromLog(command: Command, logged: LoggedCommand): Outcome {
  if (logged.fingerprint !== command.fingerprint) return { kind: 'refused', refusal: keyReused }
  const replayed = logged.requestId !== command.requestId
  return { kind: 'done', status: logged.status, body: logged.body, replayed }
}

/** The outcomes of a bulk's entries whose keys are in the log, with the entries' request ids. */
export const replaysOf = (entries: readonly Command[], logged: ReadonlyMap<string, LoggedCommand>) =>
  entries.map(entry => {
    const found = logged.get(entry.idempotencyKey)
    return { requestId: entry.requestId, replay: found && answerFromLog(entry, found) }
  })

/** `conflict`: one key for two requests. */
export const keyReused = refuse('conflict', 'Idempotency-Key: was used before for another request')

/**
 * SQL for the log's row of a key. The answer may be the data of an event. It is not a function: Citus calls a function on a node without
 * tables if the rest of the statement names none.
 */
export const loggedUnder = (tenantId: string, key: string): string => `(
      select c.fingerprint, c.status, coalesce(c.body, e.data) as body, c.request_id
      from (select * from commands where tenant_id = ${tenantId} and idempotency_key = ${key} limit 1) c
      left join lateral (
        select (body::json -> 'data')::text as data from events where tenant_id = c.tenant_id and sequence = c.body_sequence limit 1
      ) e on true
      where c.body_sequence is null or e.data is not null
    )`

/** All values are null if the log has no row of the key. */
const LoggedRow = v.object({
  idempotency_key: v.string(),
  fingerprint: v.nullable(v.string()),
  status: v.nullable(v.number()),
  body: v.nullable(v.string()),
  request_id: v.nullable(v.string()),
})
type LoggedRow = v.InferOutput<typeof LoggedRow>

/**
 * The log's rows of these idempotency keys, by key, without any lock. @throws TenantNotHere after the tenant has moved, since rows that it
 * left behind do not count
 */
export async function findLogged(
  connection: Connection,
  tenantId: string,
  idempotencyKeys: readonly string[],
): Promise<ReadonlyMap<string, LoggedCommand>> {
  if (idempotencyKeys.length === 0) return new Map()
  const found = await connection.any(rows(LoggedRow)`
    select q.idempotency_key, encode(c.fingerprint, 'hex') as fingerprint, c.status, c.body, c.request_id
    from (select tenant_id from tenant_streams where tenant_id = ${tenantId}::bigint limit 1) t
    cross join unnest(${sql.array(idempotencyKeys, 'text')}) as q (idempotency_key)
    left join lateral ${fixedFragment(loggedUnder('t.tenant_id', 'q.idempotency_key'))} c on true`)
  if (found.length === 0) throw new TenantNotHere()
  return byKey(found)
}

/** How a command ended, according to the log or the recorded refusals, without any lock. */
export async function findOutcome(connection: Connection, command: Command): Promise<Outcome | undefined> {
  if (isBulk(command)) return findBulkOutcome(connection, command)
  const logged = await findLogged(connection, command.tenantId, [command.idempotencyKey])
  const found = logged.get(command.idempotencyKey)
  if (found) return answerFromLog(command, found)
  const refusal = (await findRefusals(connection, command.tenantId, [claimOf(command)])).get(claimOf(command))
  return refusal && { kind: 'refused', refusal }
}

async function findBulkOutcome(connection: Connection, bulk: Bulk): Promise<Outcome | undefined> {
  const { tenantId, requestId, entries } = bulk
  const keys = entries.map(({ idempotencyKey }) => idempotencyKey)
  // Refusals are read first: a bulk logs everything at once.
  const refusals = await findRefusals(connection, tenantId, [requestId, ...entries.map(claimOf)])
  const logged = await findLogged(connection, tenantId, keys)
  const ofWhole = refusals.get(requestId)
  if (ofWhole) return { kind: 'refused', refusal: ofWhole }
  const at = entries.findIndex(entry => refusals.has(claimOf(entry)))
  const refusal = refusals.get(claimOf(entries[at] ?? bulk))
  if (refusal) return bulkRefused(replaysOf(entries, logged), { at, refusal })
  const done = entries.flatMap(command => {
    const found = logged.get(command.idempotencyKey)
    const outcome = found && answerFromLog(command, found)
    return outcome?.kind === 'done' ? [{ command, outcome }] : []
  })
  return done.length === entries.length ? bulkDone(done) : undefined
}

/** The recorded refusals of these claims, by claim. */
async function findRefusals(
  connection: Connection,
  tenantId: string,
  claimIds: readonly string[],
): Promise<ReadonlyMap<string, Refusal>> {
  const found = await connection.any(rows(v.object({ claim_id: v.string(), refusal: v.string() }))`
    select r.claim_id, r.refusal from unnest(${sql.array(claimIds, 'text')}) as q (claim_id)
    cross join lateral (
      select * from refused_commands where tenant_id = ${tenantId}::bigint and claim_id = q.claim_id limit 1
    ) r`)
  return new Map(found.map(({ claim_id, refusal }) => [claim_id, JSON.parse(refusal) as Refusal]))
}

function byKey(found: readonly LoggedRow[]): Map<string, LoggedCommand> {
  return new Map(
    found.flatMap(({ idempotency_key: key, fingerprint, status, body, request_id: requestId }) =>
      fingerprint === null || status === null || requestId === null
        ? []
        : [[key, { fingerprint, status, body, requestId }] as const],
    ),
  )
}
