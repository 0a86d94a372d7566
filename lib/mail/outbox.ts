/** The mails to tenants' owners in Postgres: noted with what causes them, once per cause, and taken from there to be sent. */
import * as v from 'valibot'
import { jsonParameter, type Pool, rows, statement, type WritingConnection } from '../postgres/postgres.ts'
import type { MailFacts } from './texts.ts'

/** A mail to the owner of a tenant. `cause` names what it is about: a second one with the same cause is not sent. */
export type NewMail = { readonly tenantId: string; readonly cause: string } & MailFacts

/** Notes mails in the caller's transaction, to the owners' addresses as they are now. */
export async function queueMails(connection: WritingConnection, mails: readonly NewMail[]): Promise<void> {
  const entries = mails.map(({ tenantId, ...mail }) => ({ tenant_id: tenantId, ...mail }))
  await connection.query(statement`
    insert into mails (tenant_id, cause, kind, recipient, facts)
    select t.tenant_id, m.cause, m.kind, t.owner_email, m.facts
    from jsonb_to_recordset(${jsonParameter(entries)}::jsonb) as m(tenant_id bigint, cause text, kind text, facts jsonb)
    join tenants t using (tenant_id)
    on conflict (tenant_id, cause) do nothing`)
}

/** The mail of a spent quota: one per key (rotated keys are one) and UTC day. A no-op from the second time on. */
export async function queueQuotaMail(
  connection: WritingConnection,
  quota: { readonly tenantId: string; readonly keyId: string; readonly group: string; readonly day: string },
): Promise<void> {
  await connection.query(statement`
    insert into mails (tenant_id, cause, kind, recipient, facts)
    select t.tenant_id, ${`quota:${quota.group}:${quota.day}`}, 'quota_exhausted', t.owner_email,
      jsonb_build_object('key_id', k.id::text, 'key_name', k.name, 'daily_documents', k.daily_documents, 'day', ${quota.day}::text)
    from tenants t join api_keys k on k.tenant_id = t.tenant_id
    where t.tenant_id = ${quota.tenantId}::bigint and k.id = ${quota.keyId}::bigint
    on conflict (tenant_id, cause) do nothing`)
}

const DueRow = v.object({
  tenantId: v.string(),
  id: v.string(),
  kind: v.string(),
  recipient: v.string(),
  facts: v.string(),
  attempts: v.number(),
  createdAt: v.string(),
})
export type DueMail = Readonly<v.InferOutput<typeof DueRow>>

/**
 * Takes a due mail: nobody else gets it before `leaseS` seconds are over, by when it is noted as sent or tried again. Others'
 * rows are skipped, so that processes share the work. Null when none is due.
 */
export async function takeMail(pool: Pool, leaseS: number): Promise<DueMail | null> {
  return pool.maybeOne(rows(DueRow)`
    with due as (
      select tenant_id, id from mails
      where sent_at is null and next_attempt_at <= now()
      order by next_attempt_at
      limit 1
      for update skip locked
    )
    update mails m
    set attempts = m.attempts + 1, next_attempt_at = now() + make_interval(secs => ${leaseS})
    from due
    where m.tenant_id = due.tenant_id and m.id = due.id
    returning m.tenant_id::text as "tenantId", m.id::text as id, m.kind, m.recipient, m.facts::text as facts, m.attempts,
      iso(m.created_at) as "createdAt"`)
}

export async function markSent(pool: Pool, { tenantId, id }: DueMail): Promise<void> {
  await pool.query(
    statement`update mails set sent_at = now() where tenant_id = ${tenantId}::bigint and id = ${id}::bigint`,
  )
}

/** Tries again in `waitS` seconds. */
export async function postponeMail(pool: Pool, { tenantId, id }: DueMail, waitS: number): Promise<void> {
  await pool.query(statement`
    update mails set next_attempt_at = now() + make_interval(secs => ${waitS})
    where tenant_id = ${tenantId}::bigint and id = ${id}::bigint`)
}
