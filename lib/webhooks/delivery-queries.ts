/** A subscription's deliveries, as their list shows them. */
import * as v from 'valibot'
import type { Row } from '../api/endpoint.ts'
import { type Beginning, behind, rowOrder } from '../api/page-order.ts'
import { documentJson } from '../documents/render.ts'
import { type Connection, fixedFragment, rows, sql } from '../postgres/postgres.ts'
import { Delivery } from './document.ts'

/** Pending, but of a generation before a disabling: it is not sent any more, and shown so without touching a million rows. */
const isDropped = sql.fragment`(d.status = 'pending' and d.generation <> s.generation)`

const shown = fixedFragment(documentJson(Delivery, 'shown'))

/** A page of a subscription's deliveries; null where there is no such subscription. */
export async function listDeliveries(
  connection: Connection,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  page: Beginning & { readonly limit: number },
): Promise<readonly Row[] | null> {
  // One row even without deliveries tells an empty list from an absent subscription.
  const found = await connection.any(rows(v.object({ id: v.nullable(v.string()), document: v.nullable(v.string()) }))`
    select shown.id::text as id, case when shown.id is not null then ${shown} end as document
    from webhook_subscriptions s
    left join lateral (
      select d.id, d.event_id, d.event_type, d.sequence, d.attempts, d.response_status, d.duration_ms, d.created_at,
        case when ${isDropped} then 'failed' else d.status end as status,
        case when ${isDropped} then 'the subscription was disabled' else d.error end as error,
        case when not ${isDropped} then d.next_attempt_at end as next_attempt_at,
        case when ${isDropped} then s.disabled_at else d.completed_at end as completed_at
      from webhook_deliveries d
      where d.tenant_id = s.tenant_id and d.subscription_id = s.id and ${behind(sql.fragment`d.id`, page)}
      order by ${rowOrder('d', page)}
      limit ${page.limit}
    ) shown on true
    where s.tenant_id = ${tenantId}::bigint and s.id = ${id}::bigint and s.deleted_at is null
    order by ${rowOrder('shown', page)}`)
  if (found.length === 0) return null
  return found.flatMap(({ id, document }) => (id === null || document === null ? [] : [{ id, document }]))
}
