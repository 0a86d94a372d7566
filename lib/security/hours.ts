/**
 * Adds up counts: from a row for each second to one for each hour, which is kept. Taking and adding commit together, so that a reader finds
 * every count once.
 */
import * as v from 'valibot'
import { type Fragment, type Pool, rows, sql, statement } from '../platform/postgres/postgres.ts'
import { KEPT_DAYS } from './store.ts'

const HOUR_S = 3_600
/** By then processes have sent the counts of an hour. Later ones are added to its row. */
const SETTLED_S = 120
/** The most rows of one statement, which takes PostgreSQL about 200 ms. */
const BATCH_ROWS = 20_000
/** An hour with this many rows is added up before it ends: a reader would have to add them. */
const MANY_ROWS = 5_000
const BUSY_MAX = 100

/**
 * Adds up one batch: of hours that have ended, then of hours with many rows. Counts too old to be shown are dropped.
 * @param now in ms since 1970
 * @returns the rows that it took; 0 when none are left
 */
export async function addUpHours(pool: Pool, now = Date.now()): Promise<number> {
  const first = 24 * (Math.floor(now / 1000 / HOUR_S / 24) - KEPT_DAYS)
  const current = Math.floor((now / 1000 - SETTLED_S) / HOUR_S)
  let taken = await addUp(pool, first, sql.fragment`hour < ${current}`)
  if (taken === BATCH_ROWS) return taken
  const busy = await pool.any(rows(v.object({ tenant_id: v.string(), hour: v.number() }))`
    select tenant_id, hour from security_recent
    group by tenant_id, hour having count(*) >= ${MANY_ROWS}
    limit ${BUSY_MAX}`)
  for (const { tenant_id, hour } of busy)
    taken += await addUp(pool, first, sql.fragment`tenant_id = ${tenant_id} and hour = ${hour}`)
  return taken
}

async function addUp(pool: Pool, firstHour: number, due: Fragment): Promise<number> {
  try {
    return await addUpRows(pool, firstHour, due)
  } catch (error) {
    if (!isWithoutPartition(error)) throw error
  }
  // Housekeeping, which makes partitions weeks ahead, has not run for weeks.
  await pool.query(statement`
    select from make_security_partitions(date '1970-01-01' + ${firstHour / 24}::int, ${Math.ceil(KEPT_DAYS / 7) + 1})`)
  return addUpRows(pool, firstHour, due)
}

/** Tenant by tenant, so that an hour's row is mostly written once. */
async function addUpRows(pool: Pool, firstHour: number, due: Fragment): Promise<number> {
  const { taken } = await pool.one(rows(v.object({ taken: v.number() }))`
    with taken as (
      delete from security_recent
      where ctid = any (array(
        select ctid from security_recent
        -- Of a tenant that is moved to another cell it is copied as it is.
        where ${due} and tenant_id <> all (array(select tenant_id from tenants where moving is not null))
        order by tenant_id, hour limit ${BATCH_ROWS}))
      returning *
    ), kept as (
      select * from taken where hour >= ${firstHour}
    ), seconds as (
      select tenant_id, hour, key_id, metric, method, route, second, sum(count)::integer as count
      from kept
      group by 1, 2, 3, 4, 5, 6, 7
    ), hours as (
      insert into security_hours as t (tenant_id, hour, key_id, metric, method, route, total, seconds, counts)
      select tenant_id, hour, key_id, metric, method, route, sum(count), array_agg(second order by second),
        case when max(count) > 1 then array_agg(count order by second) end
      from seconds
      group by 1, 2, 3, 4, 5, 6
      order by 1, 2, 3, 4, 5, 6
      on conflict (tenant_id, hour, key_id, metric, method, route) do update set
        total = t.total + excluded.total, seconds = t.seconds || excluded.seconds,
        counts = case when t.counts is not null or excluded.counts is not null then
          coalesce(t.counts, array_fill(1, array[cardinality(t.seconds)]))
          || coalesce(excluded.counts, array_fill(1, array[cardinality(excluded.seconds)])) end
    ), networks as (
      insert into security_networks as t (tenant_id, day, key_id, network, network_before, first_seen, last_seen)
      select tenant_id, date '1970-01-01' + hour / 24, key_id, network, network_before,
        to_timestamp(min(hour * 3600::bigint + second)), to_timestamp(max(hour * 3600::bigint + second))
      from kept
      where network is not null
      group by 1, 2, 3, 4, 5
      order by 1, 2, 3, 4
      on conflict (tenant_id, day, key_id, network) do update set
        first_seen = least(t.first_seen, excluded.first_seen), last_seen = greatest(t.last_seen, excluded.last_seen)
      where excluded.first_seen < t.first_seen or excluded.last_seen > t.last_seen
    )
    select count(*)::int as taken from taken`)
  return taken
}

function isWithoutPartition(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (/no partition of relation/.test(at.message)) return true
  return false
}
