/**
 * The SQL of webhook subscriptions and their secrets, as endpoints and commands need it. It must not decide anything; what
 * the attempts change is outcomes.ts's business.
 */
import * as v from 'valibot'
import type { Json, Row } from '../api/endpoint.ts'
import { pageStart } from '../api/list-page.ts'
import { type Connection, object, rows, sql, statement } from '../store/postgres.ts'
import type { OtherSubscription, SubscriptionValues } from './subscription-rules.ts'

export type SubscriptionKey = { readonly tenantId: string; readonly id: string }

/** JSON of the subscription `s`: GET, lists and answers show it so. */
const subscriptionDocument = object(sql.fragment`select
  s.id::text as id,
  s.url,
  s.description,
  to_json(s.events) as events,
  s.enabled,
  s.status,
  s.consecutive_failures,
  iso(s.created_at) as created_at,
  iso(s.last_delivery_at) as last_delivery_at,
  iso(s.last_failure_at) as last_failure_at,
  s.last_failure_reason
`)

const DocumentRow = v.object({ document: v.string() })

export async function listSubscriptions(
  connection: Connection,
  { tenantId, after, limit }: { readonly tenantId: string; readonly after: string | null; readonly limit: number },
): Promise<readonly Row[]> {
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select s.id::text as id, ${subscriptionDocument}::text as document
    from webhook_subscriptions s
    where s.tenant_id = ${tenantId}::bigint and s.id > ${pageStart(after)}::bigint and s.deleted_at is null
    order by s.id
    limit ${limit}`)
}

export async function findSubscription(
  connection: Connection,
  { tenantId, id }: SubscriptionKey,
): Promise<Json | null> {
  const found = await connection.maybeOne(rows(DocumentRow)`
    select ${subscriptionDocument}::text as document
    from webhook_subscriptions s
    where s.tenant_id = ${tenantId}::bigint and s.id = ${id}::bigint and s.deleted_at is null`)
  return found?.document ?? null
}

/** The tenant's subscriptions but this one: under the tenant's row lock, so nobody adds one meanwhile. */
export async function loadOthers(
  connection: Connection,
  { tenantId, id }: SubscriptionKey,
): Promise<readonly OtherSubscription[]> {
  const found = await connection.any(rows(v.object({ id: v.string(), url: v.string(), events: v.string() }))`
    select id::text as id, url, to_json(events)::text as events from webhook_subscriptions
    where tenant_id = ${tenantId}::bigint and id <> ${id}::bigint and deleted_at is null
    order by id`)
  return found.map(other => ({ ...other, events: JSON.parse(other.events) as string[] }))
}

/** Before the row: the secret is sealed for it. */
export async function newSubscriptionId(connection: Connection): Promise<string> {
  return (await connection.one(rows(v.object({ id: v.string() }))`select nextval('ids')::text as id`)).id
}

/** Makes a subscription with its secret; from now on the worker tells of the tenant's events, and the relay follows them. */
export async function insertSubscription(
  connection: Connection,
  { tenantId, id }: SubscriptionKey,
  values: SubscriptionValues & {
    readonly sealedSecret: Buffer
    readonly lastEventSequence: string
    readonly now: string
  },
): Promise<Json> {
  const { now, lastEventSequence } = values
  const { document } = await connection.one(rows(DocumentRow)`
    with s as (
      insert into webhook_subscriptions (
        tenant_id, id, url, description, events, enabled, status, from_sequence, good_since, created_at, disabled_at
      ) values (
        ${tenantId}::bigint, ${id}::bigint, ${values.url}, ${values.description}, ${sql.array([...values.events], 'text')},
        ${values.enabled}, ${values.enabled ? 'active' : 'disabled'}, ${lastEventSequence}::bigint, ${now}::timestamptz,
        ${now}::timestamptz, case when ${values.enabled} then null else ${now}::timestamptz end
      ) returning *
    ), secret as (
      insert into webhook_secrets (tenant_id, subscription_id, sealed, created_at)
      values (${tenantId}::bigint, ${id}::bigint, decode(${values.sealedSecret.toString('hex')}, 'hex'), ${now}::timestamptz)
    ), relay as (
      insert into webhook_relays (tenant_id, relayed_sequence) values (${tenantId}::bigint, ${lastEventSequence}::bigint)
      on conflict do nothing
    ), told as (
      update tenant_streams set has_webhooks = true where tenant_id = ${tenantId}::bigint and not has_webhooks
    )
    select ${subscriptionDocument}::text as document from s`)
  return document
}

const CurrentRow = v.object({
  url: v.string(),
  description: v.nullable(v.string()),
  events: v.string(),
  enabled: v.boolean(),
})

/** What a change meets. Locked: the results of attempts change the row beside the tenant's commands. */
export async function lockSubscription(
  connection: Connection,
  { tenantId, id }: SubscriptionKey,
): Promise<SubscriptionValues | null> {
  const row = await connection.maybeOne(rows(CurrentRow)`
    select url, description, to_json(events)::text as events, enabled
    from webhook_subscriptions
    where tenant_id = ${tenantId}::bigint and id = ${id}::bigint and deleted_at is null
    for no key update`)
  return row && { ...row, events: JSON.parse(row.events) as string[] }
}

/**
 * Stores a change. `switched` on: active without failures, and, where it was off, for events from now on only. Off: a new
 * generation, so that nothing more is sent of what waits.
 */
export async function updateSubscription(
  connection: Connection,
  { tenantId, id }: SubscriptionKey,
  change: SubscriptionValues & {
    readonly switched: 'on' | 'off' | null
    readonly lastEventSequence: string
    readonly now: string
  },
): Promise<Json> {
  const { switched, now } = change
  const health =
    switched === null
      ? sql.fragment``
      : switched === 'on'
        ? sql.fragment`, enabled = true, status = 'active', consecutive_failures = 0, good_since = ${now}::timestamptz,
            from_sequence = case when enabled then from_sequence else ${change.lastEventSequence}::bigint end`
        : sql.fragment`, enabled = false, status = 'disabled', generation = generation + 1, disabled_at = ${now}::timestamptz`
  const { document } = await connection.one(rows(DocumentRow)`
    update webhook_subscriptions s
    set url = ${change.url}, description = ${change.description}, events = ${sql.array([...change.events], 'text')} ${health}
    where tenant_id = ${tenantId}::bigint and id = ${id}::bigint
    returning ${subscriptionDocument}::text as document`)
  return document
}

/** Hides a subscription and forgets its secrets; housekeeping removes the rest. False when there is none. */
export async function deleteSubscription(
  connection: Connection,
  { tenantId, id }: SubscriptionKey,
  now: string,
): Promise<boolean> {
  const gone = await connection.maybeOne(rows(v.object({ id: v.string() }))`
    with gone as (
      update webhook_subscriptions
      set deleted_at = ${now}::timestamptz, enabled = false, status = 'disabled', generation = generation + 1,
        disabled_at = ${now}::timestamptz
      where tenant_id = ${tenantId}::bigint and id = ${id}::bigint and deleted_at is null
      returning tenant_id, id
    ), secrets as (
      delete from webhook_secrets s using gone where s.tenant_id = gone.tenant_id and s.subscription_id = gone.id
    ), recoveries as (
      delete from webhook_recoveries r using gone where r.tenant_id = gone.tenant_id and r.subscription_id = gone.id
    )
    select id::text as id from gone`)
  return gone !== null
}

/** How many secrets sign now; null where there is no such subscription. */
export async function countSecrets(
  connection: Connection,
  { tenantId, id }: SubscriptionKey,
  now: string,
): Promise<number | null> {
  const row = await connection.maybeOne(rows(v.object({ count: v.number() }))`
    select (
      select count(*)::int from webhook_secrets w
      where w.tenant_id = s.tenant_id and w.subscription_id = s.id
        and (w.expires_at is null or w.expires_at > ${now}::timestamptz)
    ) as count
    from webhook_subscriptions s
    where s.tenant_id = ${tenantId}::bigint and s.id = ${id}::bigint and s.deleted_at is null`)
  return row?.count ?? null
}

/** Adds a secret; the earlier ones end with the overlap, if not before. Ended ones are removed. */
export async function replaceSecret(
  connection: Connection,
  { tenantId, id }: SubscriptionKey,
  given: { readonly sealedSecret: Buffer; readonly now: string; readonly overlapSeconds: number },
): Promise<void> {
  const { now } = given
  await connection.query(statement`
    with ended as (
      delete from webhook_secrets
      where tenant_id = ${tenantId}::bigint and subscription_id = ${id}::bigint
        and (expires_at <= ${now}::timestamptz or ${given.overlapSeconds} = 0)
    ), overlapping as (
      update webhook_secrets
      set expires_at = least(expires_at, ${now}::timestamptz + make_interval(secs => ${given.overlapSeconds}))
      where tenant_id = ${tenantId}::bigint and subscription_id = ${id}::bigint
        and (expires_at is null or expires_at > ${now}::timestamptz) and ${given.overlapSeconds} > 0
    )
    insert into webhook_secrets (tenant_id, subscription_id, sealed, created_at)
    values (${tenantId}::bigint, ${id}::bigint, decode(${given.sealedSecret.toString('hex')}, 'hex'), ${now}::timestamptz)`)
}

const EventRow = v.object({ id: v.string(), document: v.string() })

/** A page of the event feed: bodies as delivered. The positions come from the index alone, also where few are of the kind. */
export async function listEvents(
  connection: Connection,
  page: {
    readonly tenantId: string
    readonly type: string | undefined
    readonly afterSequence: string
    readonly limit: number
  },
): Promise<readonly Row[]> {
  const ofType = page.type === undefined ? sql.fragment`` : sql.fragment`and type = ${page.type}`
  return connection.any(rows(EventRow)`
    with found as materialized (
      select tenant_id, sequence from events
      where tenant_id = ${page.tenantId}::bigint and sequence > ${page.afterSequence}::bigint ${ofType}
      order by sequence
      limit ${page.limit}
    )
    select e.sequence::text as id, e.body as document
    from found join events e using (tenant_id, sequence)
    order by e.sequence`)
}
