/**
 * The SQL of deliveries as endpoints and commands need it: pages, test events, redelivery. Sending is due.ts's and
 * outcomes.ts's business.
 */
import * as v from 'valibot'
import type { Json, Row } from '../api/endpoint.ts'
import { pageStart } from '../api/list-page.ts'
import { type Connection, object, rows, sql } from '../store/postgres.ts'
import type { SubscriptionKey } from './queries.ts'

/** Pending, but of a generation before a disabling: it is not sent any more, and shown so without touching a million rows. */
const isDropped = sql.fragment`(d.status = 'pending' and d.generation <> s.generation)`

/** JSON of the delivery `d` of the subscription `s`. */
const deliveryDocument = object(sql.fragment`select
  d.id::text as id,
  d.event_id,
  d.event_type,
  d.sequence,
  case when ${isDropped} then 'failed' else d.status end as status,
  d.attempts,
  d.response_status,
  d.duration_ms,
  case when ${isDropped} then 'the subscription was disabled' else d.error end as error,
  case when ${isDropped} then null else iso(d.next_attempt_at) end as next_attempt_at,
  iso(d.created_at) as created_at,
  case when ${isDropped} then iso(s.disabled_at) else iso(d.completed_at) end as completed_at
`)

/** A page of a subscription's deliveries in id order; null where there is no such subscription. */
export async function listDeliveries(
  connection: Connection,
  { tenantId, id }: SubscriptionKey,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly Row[] | null> {
  // One row even without deliveries tells an empty list from an absent subscription.
  const found = await connection.any(rows(v.object({ id: v.nullable(v.string()), document: v.nullable(v.string()) }))`
    select d.id::text as id, d.document
    from webhook_subscriptions s
    left join lateral (
      select d.id, ${deliveryDocument}::text as document
      from webhook_deliveries d
      where d.tenant_id = s.tenant_id and d.subscription_id = s.id and d.id > ${pageStart(after)}::bigint
      order by d.id
      limit ${limit}
    ) d on true
    where s.tenant_id = ${tenantId}::bigint and s.id = ${id}::bigint and s.deleted_at is null
    order by d.id`)
  if (found.length === 0) return null
  return found.flatMap(({ id, document }) => (id === null || document === null ? [] : [{ id, document }]))
}

const DocumentRow = v.object({ document: v.string() })

/** Adds a delivery of an event that stands in no outbox; null where there is no such subscription. */
export async function insertOwnDelivery(
  connection: Connection,
  { tenantId, id }: SubscriptionKey,
  event: { readonly id: string; readonly type: string; readonly body: string; readonly now: string },
): Promise<Json | null> {
  const made = await connection.maybeOne(rows(DocumentRow)`
    with s as (
      select * from webhook_subscriptions
      where tenant_id = ${tenantId}::bigint and id = ${id}::bigint and deleted_at is null
    ), d as (
      insert into webhook_deliveries (
        tenant_id, subscription_id, generation, event_id, event_type, body, next_attempt_at, created_at
      )
      select tenant_id, id, generation, ${event.id}, ${event.type}, ${event.body}, ${event.now}::timestamptz, ${event.now}::timestamptz
      from s
      returning *
    )
    select ${deliveryDocument}::text as document from d, s`)
  return made?.document ?? null
}

/** Whether a delivery can be sent again: `expired` when its event is not kept any more; null where there is none. */
export async function findRedeliverable(
  connection: Connection,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<'yes' | 'expired' | null> {
  const found = await connection.maybeOne(rows(v.object({ kept: v.boolean() }))`
    select d.body is not null or exists (
      select from events e where e.tenant_id = d.tenant_id and e.sequence = d.sequence
    ) as kept
    from webhook_deliveries d join webhook_subscriptions s on s.tenant_id = d.tenant_id and s.id = d.subscription_id
    where d.tenant_id = ${tenantId}::bigint and d.id = ${id}::bigint and s.deleted_at is null`)
  return found === null ? null : found.kept ? 'yes' : 'expired'
}

/** Schedules a delivery anew, from the first gap on. */
export async function scheduleAnew(
  connection: Connection,
  { tenantId, id, now }: { readonly tenantId: string; readonly id: string; readonly now: string },
): Promise<Json> {
  const { document } = await connection.one(rows(DocumentRow)`
    with d as (
      update webhook_deliveries
      set status = 'pending', round_attempts = 0, next_attempt_at = ${now}::timestamptz, completed_at = null,
        generation = (
          select generation from webhook_subscriptions s
          where s.tenant_id = webhook_deliveries.tenant_id and s.id = webhook_deliveries.subscription_id
        )
      where tenant_id = ${tenantId}::bigint and id = ${id}::bigint
      returning *
    )
    select ${deliveryDocument}::text as document
    from d join webhook_subscriptions s on s.tenant_id = d.tenant_id and s.id = d.subscription_id`)
  return document
}
