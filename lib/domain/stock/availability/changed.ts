/**
 * The rows of a page of available stock in the order of their last change. A row changes with its balance or its place. A row of zeros
 * changes with its product or the main place. Each of these is read in the order of its own changes. A row counts with the latest of them.
 */
import { timeOf } from '../../../kit/api/page-order.ts'
import { ofEach } from '../../../kit/api/same.ts'
import { type Fragment, sql } from '../../../platform/postgres/postgres.ts'
import {
  balanceColumns,
  isPlaceWanted,
  type Page,
  shownUpdatedAt,
  variantsOf,
  wantedVariants,
  withMain,
  zeros,
} from './parts.ts'

const NEVER = sql.fragment`'-infinity'::timestamptz`

/** Where a page begins: the time, and the last row of the previous page. */
function beginningOf({ after }: Page, since: string) {
  const [micros, variant = '-1', place = '-1'] = after?.split('_') ?? []
  const time = sql.fragment`${micros === undefined ? since : timeOf(micros)}::timestamptz`
  return { time, variant, place, from: sql.fragment`greatest(${time}, ${since}::timestamptz)` }
}

/** Whether a change of a place may have changed rows of the page. */
export function placesChanged(page: Page, since: string): Fragment {
  const { from } = beginningOf(page, since)
  return sql.fragment`(exists (select from moved where sales_changed_at >= ${from}) or exists (select from main where since >= ${from}))`
}

/** The statement part `found`. The page is ascending. `isPlain`: no place has changed. */
export function changedRows(page: Page, since: string, isPlain: boolean): Fragment {
  const { tenantId, limit } = page
  const tenant = sql.fragment`${tenantId}::bigint`
  const wanted = wantedVariants(page)
  const { time, variant, place, from } = beginningOf(page, since)
  /** Whether the row with these columns comes after the page's beginning. */
  const behind = (at: Fragment, variantId: Fragment, placeKey: Fragment) =>
    sql.fragment`(${at}, ${variantId}, ${placeKey}) > (${time}, ${variant}::bigint, ${place}::bigint) and ${at} >= ${from}`
  /** The first variant of a change at this moment that is not on the previous page. */
  const first = (at: Fragment) => sql.fragment`case when ${at} = ${time} then ${variant}::bigint else 0 end`

  /** The balances `b` whose last change fits the condition. */
  const changed = (balances: Fragment, isLatest: Fragment, order: Fragment) => sql.fragment`(
      select ${sql.fragment`b.tenant_id, b.item_variant_id, b.place_key, b.quantity, b.quarantine_quantity, b.expired_quantity, b.expired_before, b.value, b.updated_at`},
        ${shownUpdatedAt('b')} as changed_at
      from (${balances}) b
      left join moved p on p.id = b.place_key
      where ${isLatest} and ${behind(shownUpdatedAt('b'), sql.fragment`b.item_variant_id`, sql.fragment`b.place_key`)}
        and ${isPlaceWanted(page, sql.fragment`b.place_key`)}
      order by ${order} limit ${limit}
    )`
  const byBalance = changed(
    sql.fragment`
      select ${balanceColumns} from stock_balances where tenant_id = ${tenant} and updated_at >= ${from}
      order by updated_at, item_variant_id, place_key offset 0`,
    sql.fragment`b.updated_at >= coalesce(p.sales_changed_at, ${NEVER})`,
    sql.fragment`b.updated_at, b.item_variant_id, b.place_key`,
  )
  /** When the last balance of a full page changed. Rows of zeros after it are not read. */
  const last = sql.fragment`(select case when count(*) = ${limit} then max(changed_at) else 'infinity' end from changed)`
  const byPlace = sql.fragment`(
      select r.* from moved m cross join lateral ${changed(
        sql.fragment`
          select ${balanceColumns} from stock_balances
          where tenant_id = ${tenant} and place_key = m.id and item_variant_id >= ${first(sql.fragment`m.sales_changed_at`)}
          order by item_variant_id offset 0`,
        sql.fragment`m.sales_changed_at > b.updated_at`,
        sql.fragment`b.item_variant_id`,
      )} r
      where m.sales_changed_at >= ${from}
    )`
  const ofWanted = (of: Fragment) =>
    changed(
      sql.fragment`select r.* from ${ofEach(
        of,
        sql.fragment`select ${balanceColumns} from stock_balances where tenant_id = ${tenant} and item_variant_id = wanted.value`,
      )}`,
      sql.fragment`true`,
      sql.fragment`changed_at, b.item_variant_id, b.place_key`,
    )

  const main = sql.fragment`coalesce(m.id, 0)`
  const at = sql.fragment`greatest(i.updated_at, m.since)`
  /** The variants `v` that have no balance at the main place. */
  const ofZeros = (variants: Fragment, isLatest: Fragment, order: Fragment) => sql.fragment`(
      select ${zeros}, ${at} as changed_at
      from ${variants} v
      ${withMain}
      where ${isLatest} and ${behind(at, sql.fragment`v.id`, main)} and ${isPlaceWanted(page, main)} and (
        select true from stock_balances where tenant_id = ${tenant} and item_variant_id = v.id and place_key = ${main} limit 1
      ) is null
      order by ${order} limit ${limit}
    )`
  const byProduct = ofZeros(
    sql.fragment`(
      select r.*, p.updated_at as product_updated_at from (
        select id, updated_at from items where tenant_id = ${tenant} and updated_at >= ${from} and updated_at <= ${last}
        order by updated_at, id offset 0
      ) p
      cross join lateral (select * from item_variants where tenant_id = ${tenant} and item_id = p.id offset 0) r
    )`,
    sql.fragment`v.product_updated_at >= coalesce(m.since, ${NEVER})`,
    sql.fragment`v.product_updated_at, v.id`,
  )
  const byMain = ofZeros(
    sql.fragment`(
      select r.* from main m cross join lateral (
        select * from item_variants where tenant_id = ${tenant} and id >= ${first(sql.fragment`m.since`)} order by id offset 0
      ) r
      where m.since >= ${from} and m.since <= ${last}
    )`,
    sql.fragment`m.since > i.updated_at`,
    sql.fragment`v.id`,
  )
  const [balances, zerosToo] =
    wanted === null
      ? [byBalance, isPlain ? [byProduct] : [byPlace, byProduct, byMain]]
      : [
          ofWanted(wanted),
          [ofZeros(variantsOf(page, wanted, sql.fragment``), sql.fragment`true`, sql.fragment`changed_at, v.id`)],
        ]
  return sql.fragment`
    changed as materialized ${balances}, found as (
      ${sql.join([sql.fragment`select * from changed`, ...zerosToo], sql.fragment` union all `)}
      order by changed_at, item_variant_id, place_key limit ${limit}
    )`
}
