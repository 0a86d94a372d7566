/**
 * Mails to tenants' owners in PostgreSQL. A mail is noted once per cause, in the transaction of its cause, and taken from there to be sent.
 */
import * as v from 'valibot'
import { TenantNotHere } from '../cells.ts'
import { takeIds } from '../postgres/ids.ts'
import { jsonParameter, type Pool, rows, statement, type WritingConnection } from '../postgres/postgres.ts'
import type { MailFacts } from './texts.ts'

/** A mail to the owner of a tenant. `cause` names the reason: a second mail with the same cause is not sent. */
type NewMail = { readonly tenantId: string; readonly cause: string } & MailFacts

/**
 * The tenants are selected in a part of their own: Citus makes a wrong plan for an insert that selects from a table and has the time as a
 * default.
 */
export async function queueMails(connection: WritingConnection, mails: readonly NewMail[]): Promise<void> {
  const ids = await takeIds(connection, mails.length)
  const entries = mails.map(({ tenantId, ...mail }, at) => ({ tenant_id: tenantId, id: ids[at], ...mail }))
  await connection.query(statement`
    with noted as materialized (
      select t.tenant_id, m.id, m.cause, m.kind, t.owner_email, m.facts
      from jsonb_to_recordset(${jsonParameter(entries)}::jsonb) as m(tenant_id bigint, id bigint, cause text, kind text, facts jsonb)
      join tenants t using (tenant_id)
    )
    insert into mails (tenant_id, id, cause, kind, recipient, facts)
    select tenant_id, id, cause, kind, owner_email, facts from noted
    on conflict (tenant_id, cause) do nothing`)
}

/**
 * Notes the mail about a used-up quota: one per key (rotated keys count as one) and UTC day. Further calls do nothing. @throws
 * TenantNotHere: a cell that the tenant has left would not send the mail
 */
export async function queueQuotaMail(
  connection: WritingConnection,
  quota: { readonly tenantId: string; readonly keyId: string; readonly group: string; readonly day: string },
): Promise<void> {
  const [id = ''] = await takeIds(connection, 1)
  const { rowCount } = await connection.query(statement`
    with noted as materialized (
      select t.tenant_id, t.owner_email,
        jsonb_build_object('key_id', k.id::text, 'key_name', k.name, 'daily_documents', k.daily_documents, 'day', ${quota.day}::text) as facts
      from tenant_streams s join tenants t on t.tenant_id = s.tenant_id join api_keys k on k.tenant_id = s.tenant_id
      where s.tenant_id = ${quota.tenantId}::bigint and k.id = ${quota.keyId}::bigint
    )
    insert into mails (tenant_id, id, cause, kind, recipient, facts)
    select tenant_id, ${id}::bigint, ${`quota:${quota.group}:${quota.day}`}, 'quota_exhausted', owner_email, facts from noted
    on conflict (tenant_id, cause) do nothing`)
  if (rowCount > 0) return
  const here = await connection.maybeOne(rows(v.object({ tenant_id: v.string() }))`
    select tenant_id from tenant_streams where tenant_id = ${quota.tenantId}::bigint`)
  if (here === null) throw new TenantNotHere()
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
 * Takes a due mail. Other processes do not get it for `leaseS` seconds; by then it is noted as sent, or is due again. Locked rows are
 * skipped, so that processes share the work. Null when no mail is due.
 */
export async function takeMail(pool: Pool, leaseS: number): Promise<DueMail | null> {
  return pool.maybeOne(rows(DueRow)`
    with due as (
      select tenant_id, id from mails
      where sent_at is null and next_attempt_at <= now()
        and tenant_id <> all (array(select tenant_id from tenants where moving is not null))
      order by next_attempt_at
      limit 1
      for update skip locked
    ), taken as (
      update mails m
      set attempts = m.attempts + 1, next_attempt_at = now() + make_interval(secs => ${leaseS})
      from due
      where m.tenant_id = due.tenant_id and m.id = due.id
      returning m.*
    )
    select tenant_id::text as "tenantId", id::text as id, kind, recipient, facts::text as facts, attempts,
      iso(created_at) as "createdAt"
    from taken`)
}

export async function markSent(pool: Pool, { tenantId, id }: DueMail): Promise<void> {
  await pool.query(
    statement`update mails set sent_at = now() where tenant_id = ${tenantId}::bigint and id = ${id}::bigint`,
  )
}

/** Makes the mail due again in `waitS` seconds. */
export async function postponeMail(pool: Pool, { tenantId, id }: DueMail, waitS: number): Promise<void> {
  await pool.query(statement`
    update mails set next_attempt_at = now() + make_interval(secs => ${waitS})
    where tenant_id = ${tenantId}::bigint and id = ${id}::bigint`)
}
