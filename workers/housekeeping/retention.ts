/** Chores that remove rows whose time to be kept is over. webhook-retention.ts has those of webhooks and mails. */
import * as v from 'valibot'
import { type Pool, rows, sql, statement } from '../../lib/platform/postgres/postgres.ts'
import { addUpHours } from '../../lib/security/hours.ts'
import { forgetNetworkKeys, tidySecurityTelemetry } from '../../lib/security/store.ts'
import { type Chore, deletion } from './deletion.ts'

/** How long the command log and events are kept. The hour allows for clocks that differ. */
const KEPT = '30 days 1 hour'
const FOR_EVER = '1000 years'

/** Makes the table's next periods (sql/000002_commands.sql) and drops those that are too old, in one batch. */
const periodsOf = (table: 'commands' | 'events' | 'refused_requests', kept = KEPT): Chore => {
  const keep = async (pool: Pool, keptFor: string) => {
    const { dropped } = await pool.one(rows(v.object({ dropped: v.number() }))`
      select keep_periods(${table}, ${keptFor}::interval) as dropped`)
    return dropped
  }
  return {
    name: `${table}_periods`,
    doBatch: pool => keep(pool, kept),
    // Coming periods are still made: a period that a wrong clock makes too early does no harm.
    doWithoutRemoval: pool => keep(pool, FOR_EVER),
  }
}

export const commandPeriods = periodsOf('commands')
export const eventPeriods = periodsOf('events')
export const refusalPeriods = periodsOf('refused_requests', '25 hours')

/**
 * Refused requests are listed for a day, and only the last ones of each tenant: a client that is refused in a loop must not fill the disk.
 */
const REFUSALS_OF_TENANT_MAX = 100_000

export const refusalsBeyond: Chore = {
  name: 'refused_requests',
  doBatch: async (pool, rowsMax) => {
    const { rowCount } = await pool.query(statement`
      with many as materialized (
        select tenant_id from refused_requests group by tenant_id having count(*) > ${REFUSALS_OF_TENANT_MAX}
      ), old as materialized (
        select r.* from many cross join lateral (
          select tenant_id, key_id, id from refused_requests where tenant_id = many.tenant_id
          order by id desc offset ${REFUSALS_OF_TENANT_MAX}
        ) r
        limit ${rowsMax}
      )
      delete from refused_requests r using old
      where r.tenant_id = old.tenant_id and r.key_id = old.key_id and r.id = old.id`)
    return rowCount
  },
}

/** Refusals are kept for an hour, far longer than a repeated run of a refused command can come later. */
export const oldRefusals = deletion({
  table: 'refused_commands',
  key: 'claim_id',
  old: sql.fragment`
    select tenant_id, claim_id from refused_commands where created_at < now() - interval '1 hour'
    order by created_at`,
})

/** A quota belongs to one UTC day. */
export const oldQuotaCounts: Chore = {
  name: 'spent_documents',
  doBatch: async (pool, rowsMax) => {
    const { rowCount } = await pool.query(statement`
      delete from spent_documents
      where (tenant_id, quota_group, quota_day) in (
        select tenant_id, quota_group, quota_day from spent_documents
        where quota_day < current_date - 2 order by quota_day limit ${rowsMax})`)
    return rowCount
  },
}

/**
 * Keys that ended (revoked or expired) 98 days ago. The oldest window of the telemetry began 90 days ago and counts keys made and revoked
 * in the seven days before it; one more day is for clocks. A key with recorded attempts stays as long as those attempts, because people
 * must see who has it.
 */
export const endedKeys = deletion({
  table: 'api_keys',
  old: sql.fragment`
    select tenant_id, id from api_keys k
    where (revoked_at is not null or expires_at is not null)
      and coalesce(revoked_at, expires_at) < now() - interval '98 days' and created_at < now() - interval '98 days'
      and not exists (select from security_networks n where n.tenant_id = k.tenant_id and n.key_id = k.id)
      and not exists (select from security_recent n where n.tenant_id = k.tenant_id and n.key_id = k.id)
    order by coalesce(revoked_at, expires_at)`,
})

/** Server processes ask for changed keys every few seconds. A process that did not ask for half a day forgets all keys. */
export const oldKeyChanges: Chore = {
  name: 'key_changes',
  doBatch: async pool => {
    const { rowCount } = await pool.query(
      statement`delete from key_changes where changed_at < now() - interval '1 day'`,
    )
    return rowCount
  },
}

/** The keys of network hashes are kept for 8 days, one row a day. */
export const oldNetworkKeys: Chore = { name: 'security_network_keys', doBatch: pool => forgetNetworkKeys(pool) }

/** Counts are kept for 90 days in partitions, so one batch removes them all. */
export const oldSecurityCounts: Chore = { name: 'security', doBatch: pool => tidySecurityTelemetry(pool) }

/** Adds up counts of seconds to rows of hours, which are kept for 90 days. */
export const securityHours: Chore = { name: 'security_hours', doBatch: pool => addUpHours(pool) }
