/**
 * What the command log tells without a tenant's lock: how a command ended. Units of work read it
 * under the lock, and write it (lib/work/log.ts).
 */
import * as v from 'valibot'
import { type Refusal, refuse } from '../kit/api/errors.ts'
import { TenantNotHere } from '../platform/cells.ts'
import { type Connection, fixedFragment, rows, sql } from '../platform/postgres/postgres.ts'
import { type Bulk, bulkDone, bulkRefused, type Command, claimOf, isBulk, type Outcome } from './command.ts'

/** A finished command as the log holds it. */
export type LoggedCommand = {
  readonly fingerprint: string
  readonly status: number
  readonly body: string | null
  readonly requestId: string
}

/** What a command hears when the log holds its key: the answer (a replay, unless it was this very request), or a conflict. */
export function answerFromLog(command: Command, logged: LoggedCommand): Outcome {
  if (logged.fingerprint !== command.fingerprint) return { kind: 'refused', refusal: keyReused }
  const replayed = logged.requestId !== command.requestId
  return { kind: 'done', status: logged.status, body: logged.body, replayed }
}

/** What the entries of a bulk hear whose keys the log holds, under their request ids. */
export const replaysOf = (entries: readonly Command[], logged: ReadonlyMap<string, LoggedCommand>) =>
  entries.map(entry => {
    const found = logged.get(entry.idempotencyKey)
    return { requestId: entry.requestId, replay: found && answerFromLog(entry, found) }
  })

/** `conflict`: one key for two requests. */
export const keyReused = refuse('conflict', 'Idempotency-Key: was used before for another request')

/**
 * The SQL of what the log holds of a key. The answer may stand in an event. Not a function: on Citus one is called where no tables are, if
 * nothing else of its statement names a table.
 */
export const loggedUnder = (tenantId: string, key: string): string => `(
      select c.fingerprint, c.status, coalesce(c.body, e.data) as body, c.request_id
      from (select * from commands where tenant_id = ${tenantId} and idempotency_key = ${key} limit 1) c
      left join lateral (
        select (body::json -> 'data')::text as data from events where tenant_id = c.tenant_id and sequence = c.body_sequence limit 1
      ) e on true
      where c.body_sequence is null or e.data is not null
    )`

/** All null where the log holds nothing of the key. */
const LoggedRow = v.object({
  idempotency_key: v.string(),
  fingerprint: v.nullable(v.string()),
  status: v.nullable(v.number()),
  body: v.nullable(v.string()),
  request_id: v.nullable(v.string()),
})
type LoggedRow = v.InferOutput<typeof LoggedRow>

/**
 * What the log holds of these idempotency keys, by key, without any lock.
 * @throws TenantNotHere: what a cell still has of a tenant that has left it is not the log.
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

/** How a command ended, as Postgres knows it without any lock: in the log, or refused. */
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
  // The refusals first: what a bulk logs it logs at once.
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

/** What was refused of these claims, by claim. */
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
