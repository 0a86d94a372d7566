/**
 * What the command log tells without a tenant's lock: how a command ended, and what a quota has spent. Units of work read it
 * under the lock, and write it (lib/documents/unit-statements.ts).
 */
import * as v from 'valibot'
import { type Refusal, refuse } from '../api/errors.ts'
import { type Connection, rows } from '../postgres/postgres.ts'
import { type Command, claimOf, type Outcome } from './command.ts'

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

/** `conflict`: one key for two requests. */
export const keyReused = refuse('conflict', 'Idempotency-Key: was used before for another request')

const LoggedRow = v.object({
  idempotency_key: v.string(),
  fingerprint: v.string(),
  status: v.number(),
  body: v.nullable(v.string()),
  request_id: v.string(),
})
type LoggedRow = v.InferOutput<typeof LoggedRow>

/** What the log holds of this idempotency key, without any lock. */
export async function findLogged(
  connection: Connection,
  tenantId: string,
  idempotencyKey: string,
): Promise<LoggedCommand | undefined> {
  const found = await connection.any(rows(LoggedRow)`
    select idempotency_key, encode(fingerprint, 'hex') as fingerprint, status, body, request_id
    from commands
    where tenant_id = ${tenantId}::bigint and idempotency_key = ${idempotencyKey}`)
  return byKey(found).get(idempotencyKey)
}

/** How a command ended, as Postgres knows it without any lock: in the log, or refused. */
export async function findOutcome(connection: Connection, command: Command): Promise<Outcome | undefined> {
  const logged = await findLogged(connection, command.tenantId, command.idempotencyKey)
  if (logged) return answerFromLog(command, logged)
  const refused = await connection.maybeOne(rows(v.object({ refusal: v.string() }))`
    select refusal from refused_commands
    where tenant_id = ${command.tenantId}::bigint and claim_id = ${claimOf(command)}`)
  return refused ? { kind: 'refused', refusal: JSON.parse(refused.refusal) as Refusal } : undefined
}

function byKey(found: readonly LoggedRow[]): Map<string, LoggedCommand> {
  return new Map(
    found.map(({ idempotency_key, request_id, ...row }) => [idempotency_key, { ...row, requestId: request_id }]),
  )
}

/** How many documents of this quota were spent on this day, by the command log. */
export async function spentDocuments(
  connection: Connection,
  tenantId: string,
  quota: { readonly group: string; readonly day: string },
): Promise<number> {
  const { spent } = await connection.one(rows(v.object({ spent: v.number() }))`
    select documents_spent(${tenantId}::bigint, ${quota.group}::bigint, ${quota.day}::date) as spent`)
  return spent
}
