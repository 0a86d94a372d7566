/** The list of a subscription's deliveries. */
import * as v from 'valibot'
import type { Row } from '../kit/api/endpoint.ts'
import { type Beginning, behind, rowOrder } from '../kit/api/page-order.ts'
import { arrayOf, ofEach } from '../kit/api/same.ts'
import { documentJson } from '../kit/documents/render.ts'
import { type Connection, type Fragment, fixedFragment, rows, sql } from '../platform/postgres/postgres.ts'
import type { DeliveryFilters } from './delivery-schemas.ts'
import { Delivery } from './noun.ts'

/**
 * The delivery is pending, but from before the subscription was disabled, so it is no longer sent. This condition shows it as dropped,
 * without a change of up to a million rows.
 */
const isDropped = sql.fragment`(d.status = 'pending' and d.generation <> s.generation)`

const shown = fixedFragment(documentJson(Delivery, 'shown'))

/** A page of a subscription's deliveries. Null if there is no such subscription. */
export async function listDeliveries(
  connection: Connection,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  page: Page,
): Promise<readonly Row[] | null> {
  // The query returns one row even without deliveries, so that an empty list differs from an absent subscription.
  const found = await connection.any(rows(v.object({ id: v.nullable(v.string()), document: v.nullable(v.string()) }))`
    select shown.id::text as id, case when shown.id is not null then ${shown} end as document
    from webhook_subscriptions s
    left join lateral (
      select d.id, d.event_id, d.event_type, d.sequence, d.attempts, d.response_status, d.duration_ms, d.created_at,
        case when ${isDropped} then 'failed' else d.status end as status,
        case when ${isDropped} then 'the subscription was disabled' else d.error end as error,
        case when not ${isDropped} then d.next_attempt_at end as next_attempt_at,
        case when ${isDropped} then s.disabled_at else d.completed_at end as completed_at
      from ${deliveries(page)} d
      ${page.filters.id && page.filters.status ? isShownWith(page.filters.status) : sql.fragment``}
      order by ${rowOrder('d', page)}
      limit ${page.limit}
    ) shown on true
    where s.tenant_id = ${tenantId}::bigint and s.id = ${id}::bigint and s.deleted_at is null
    order by ${rowOrder('shown', page)}`)
  if (found.length === 0) return null
  return found.flatMap(({ id, document }) => (id === null || document === null ? [] : [{ id, document }]))
}

type Page = Beginning & { readonly filters: DeliveryFilters; readonly limit: number }
type Statuses = NonNullable<DeliveryFilters['status']>

/** The deliveries of subscription `s` on this page: those with the given ids, or with the given statuses. */
function deliveries(page: Page): Fragment {
  const { id, status } = page.filters
  if (id) return byId(page, id)
  return status ? ofStatus(page, status) : all(page)
}

const isShownWith = (status: Statuses): Fragment =>
  sql.fragment`where case when ${isDropped} then 'failed' else d.status end = any (${arrayOf(status, 'text')})`

const byId = (page: Beginning, ids: readonly string[]): Fragment => sql.fragment`(
  select r.* from ${ofEach(
    arrayOf(ids, 'int8'),
    sql.fragment`select * from webhook_deliveries where tenant_id = s.tenant_id and id = wanted.value limit 1`,
  )}
  where r.subscription_id = s.id and ${behind(sql.fragment`r.id`, page)}
)`

const all = (page: Beginning): Fragment => sql.fragment`(
  select d.* from webhook_deliveries d
  where d.tenant_id = s.tenant_id and d.subscription_id = s.id and ${behind(sql.fragment`d.id`, page)}
)`

/**
 * The deliveries that are shown with one of these statuses. Each status has an index of its own. Pending ones are found by generation,
 * because those of earlier generations are dropped.
 */
function ofStatus(page: Page, status: Statuses): Fragment {
  const isWanted = (one: Statuses[number]) =>
    sql.fragment`${fixedFragment(`'${one}'`)} = any (${arrayOf(status, 'text')})`
  const ids = (condition: Fragment) => sql.fragment`(
    select r.id from webhook_deliveries r
    where r.tenant_id = s.tenant_id and r.subscription_id = s.id and ${condition} and ${behind(sql.fragment`r.id`, page)}
    order by ${rowOrder('r', page)} limit ${page.limit}
  )`
  return sql.fragment`(
    select d.*
    from (
      select id from (
        ${ids(sql.fragment`r.status = 'succeeded' and ${isWanted('succeeded')}`)}
        union all
        ${ids(sql.fragment`r.status = 'failed' and ${isWanted('failed')}`)}
        union all
        ${ids(sql.fragment`r.status = 'pending' and r.generation = s.generation and ${isWanted('pending')}`)}
        union all
        select r.id from generate_series(0, s.generation - 1) earlier (generation)
        cross join lateral ${ids(
          sql.fragment`r.status = 'pending' and r.generation = earlier.generation and ${isWanted('failed')}`,
        )} r
      ) found
      order by ${rowOrder('found', page)} limit ${page.limit}
    ) page
    cross join lateral (select * from webhook_deliveries where tenant_id = s.tenant_id and id = page.id limit 1) d
  )`
}
