/**
 * The statements that begin a unit of work in PostgreSQL: the transaction, the locks of its tenants with their state, their quotas, and
 * ids.
 */
import type { Tenant } from '../kit/api/endpoint.ts'
import type { Due } from '../kit/documents/due.ts'
import { CLOCKS_APART_S_MAX } from '../platform/postgres/clock.ts'
import type { Query, TextRow } from '../platform/postgres/round-trip.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'
import type { QuotaSpent } from './quotas.ts'

/** A locked tenant at the begin of the unit of work. */
export type OpenedTenant = {
  readonly tenant: Tenant
  readonly eventSequence: bigint
  /** How many sequences the tenant's next event skips, because lost commits may have used them (docs/operations.md, "Failover"). */
  readonly eventGap: bigint
  /** The generation of the database in which the tenant's commands run. */
  readonly generation: number
  /** The time of the tenant's commands: this database's time, later with each unit of work (sql/000001_tenants.sql). */
  readonly now: string
  /** The database's clock in ms since 1970, for the age of a command (decide.ts). */
  readonly clockMs: number
  readonly counts: Readonly<Record<string, number>>
  readonly hasWebhooks: boolean
  /** For each kind of due work, the text that says whether something is due (due.ts). */
  readonly due: ReadonlyMap<Due, string | null>
  /** The transaction (text of an xid8). A snapshot that includes it shows what was written. */
  readonly transaction: string
}

export const begin: Query = { text: 'begin', values: [] }
export const commit: Query = { text: 'commit', values: [] }
export const rollback: Query = { text: 'rollback', values: [] }
/** Undoes what was written since `keepLock`. The tenants stay locked. */
export const keepLock: Query = { text: 'savepoint locked', values: [] }
export const rollbackToLock: Query = { text: 'rollback to savepoint locked', values: [] }

/**
 * Locks the tenants, always in the same order. NO KEY UPDATE, so that foreign keys to the row do not wait. Without `waits`, tenants that
 * another transaction has locked are left out. In READ COMMITTED the statements that follow see everything that the last holder committed.
 */
export const lockTenants = (tenantIds: readonly string[], { waits }: { readonly waits: boolean }): Query => ({
  text: `
    select tenant_id from tenant_streams where tenant_id = any ($1::bigint[]) order by tenant_id
    for no key update ${waits ? '' : 'skip locked'}`,
  values: [tenantIds],
})

/**
 * Lets one process at a time wait for a tenant to do what is due, until the end of the transaction. If ten of them waited, each would do it
 * in turn, and a command would wait for all of them.
 */
export const queueForDue = (tenantId: string): Query => ({
  text: `select pg_try_advisory_xact_lock(hashtextextended('what is due of tenant ' || $1, 0)) as is_mine`,
  values: [tenantId],
})

/**
 * Begins a new generation if the database is on another server than before (docs/operations.md, "Failover"). So it runs before ids are
 * taken. It takes some microseconds. It is a statement of its own, so that it runs on the connected server even if tables are on other
 * nodes.
 */
export const askServer: Query = { text: 'select current_generation()', values: [] }

export const readTenants = (tenantIds: readonly string[], due: readonly Pick<Due, 'next'>[]): Query => ({
  text: `
    select t.tenant_id, t.plan, t.owner_email, t.currency, t.closed_through::text, t.time_zone, s.event_sequence, iso(greatest(date_trunc('milliseconds', clock_timestamp()), s.last_command_at + interval '1 millisecond')) as now,
      extract(epoch from clock_timestamp()) * 1000 as clock_ms, s.document_counts::text, s.has_webhooks, ${due.map(({ next }, at) => `${next} as due_${at},`).join(' ')} pg_current_xact_id()::text as transaction, g.generation,
      t.moving ->> 'paused' = 'writes' as paused,
      clock_timestamp() - $2::timestamptz not between '-${CLOCKS_APART_S_MAX} s' and '${CLOCKS_APART_S_MAX} s' as is_apart,
      s.event_gap + case when s.generation = g.generation then 0 else (
        select sum(event_gap)::bigint from generations where generation > s.generation
      ) end as event_gap
    from (select generation from generations order by generation desc limit 1) g
    cross join unnest($1::bigint[]) as q (tenant_id)
    cross join lateral (select * from tenants where tenant_id = q.tenant_id limit 1) t
    cross join lateral (select * from tenant_streams where tenant_id = q.tenant_id limit 1) s`,
  values: [tenantIds, new Date().toISOString()],
})

export function openedTenant(row: TextRow, due: readonly Due[]): OpenedTenant {
  return {
    tenant: {
      id: row['tenant_id'] ?? '',
      plan: row['plan'] as Tenant['plan'],
      ownerEmail: row['owner_email'] ?? '',
      currency: row['currency'] ?? '',
      closedThrough: row['closed_through'] ?? null,
      timeZone: row['time_zone'] ?? '',
    },
    eventSequence: BigInt(row['event_sequence'] ?? '0'),
    eventGap: BigInt(row['event_gap'] ?? '0'),
    generation: Number(row['generation']),
    now: row['now'] ?? '',
    clockMs: Number(row['clock_ms']),
    counts: JSON.parse(row['document_counts'] ?? '{}') as Record<string, number>,
    hasWebhooks: row['has_webhooks'] === 't',
    due: new Map(due.map((each, at) => [each, row[`due_${at}`] ?? null])),
    transaction: row['transaction'] ?? '',
  }
}

/** Why a locked tenant's commands do not run now. */
export function restOf(row: TextRow): 'moving' | 'clock skew' | undefined {
  if (row['paused'] === 't') return 'moving'
  return row['is_apart'] === 't' ? 'clock skew' : undefined
}

/** What the quotas of commands have spent, and the limits of the keys that these quotas use. */
export const readQuotas = (
  quotas: readonly (Omit<QuotaSpent, 'spent' | 'daily_documents'> & { readonly tenantId: string })[],
): Query => ({
  text: `
    select q.tenant_id, q.key_id, q.quota_group, q.quota_day, k.daily_documents, coalesce((
      select documents from spent_documents
      where tenant_id = q.tenant_id and quota_group = q.quota_group and quota_day = q.quota_day limit 1
    ), 0) as spent
    from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::date[]) as q (tenant_id, key_id, quota_group, quota_day)
    cross join lateral (
      select daily_documents from api_keys where tenant_id = q.tenant_id and id = q.key_id limit 1
    ) k`,
  values: [
    quotas.map(({ tenantId }) => tenantId),
    quotas.map(({ key_id }) => key_id),
    quotas.map(({ quota_group }) => quota_group),
    quotas.map(({ quota_day }) => quota_day),
  ],
})

export const quotaSpent = (row: TextRow): QuotaSpent => ({
  key_id: row['key_id'] ?? '',
  quota_group: row['quota_group'] ?? '',
  quota_day: row['quota_day'] ?? '',
  spent: Number(row['spent']),
  daily_documents: Number(row['daily_documents']),
})

/** Rising ids, for commands in the order in which they run. */
export const takeIds = (count: number): Query => ({
  text: `select nextval('ids') as id from generate_series(1, $1::integer)`,
  values: [count],
})

/** Takes further ids if there were too few. */
export async function freshIds(connection: RoundTripConnection, count: number): Promise<readonly string[]> {
  const [fresh = []] = count === 0 ? [] : await connection.send([takeIds(count)])
  return fresh.map(row => row['id'] ?? '')
}
