/** Tenants and their accounting periods, for operators. A command reads its tenant together with the lock (lib/work/lock-tenants.ts). */
import * as v from 'valibot'
import { takeId } from '../platform/postgres/ids.ts'
import { type Connection, rows, sql } from '../platform/postgres/postgres.ts'
import type { KeyChange } from './key-changes.ts'

export const plans = { free: 'a limited number of unarchived variants', pro: 'any number of variants' } as const
export type Plan = keyof typeof plans

export type NewTenant = {
  readonly name: string
  readonly ownerEmail: string
  readonly plan: Plan
  /** ISO 4217 code. */
  readonly currency: string
  /** Default: UTC. */
  readonly timeZone?: string | undefined
}

/** Makes a tenant and the row that its commands lock. Returns the tenant's id, a new one unless `id` is given. */
export async function createTenant(connection: Connection, tenant: NewTenant, id?: string): Promise<string> {
  const made = await connection.one(rows(v.object({ tenant_id: v.string() }))`
    with made as (
      insert into tenants (tenant_id, name, owner_email, plan, currency, time_zone)
      values (
        ${id ?? (await takeId(connection))}::bigint, ${tenant.name}, ${tenant.ownerEmail}, ${tenant.plan}, ${tenant.currency},
        ${tenant.timeZone ?? 'UTC'}
      )
      returning tenant_id
    ), stream as (
      insert into tenant_streams (tenant_id) select tenant_id from made
    )
    select tenant_id from made`)
  return made.tenant_id
}

export const TenantSummary = v.object({
  tenant_id: v.string(),
  name: v.string(),
  owner_email: v.string(),
  plan: v.string(),
  currency: v.string(),
  time_zone: v.string(),
  closed_through: v.nullable(v.string()),
  /** Since when the tenant's keys are refused; null: they are accepted. */
  suspended_at: v.nullable(v.string()),
  created_at: v.string(),
})
export type TenantSummary = v.InferOutput<typeof TenantSummary>

const summary = sql.fragment`
  tenant_id, name, owner_email, plan, currency, time_zone, closed_through::text, iso(suspended_at) as suspended_at,
  iso(created_at) as created_at`

/** All tenants of this cell, the oldest first. */
export async function listTenants(connection: Connection): Promise<readonly TenantSummary[]> {
  return connection.any(rows(TenantSummary)`
    select ${summary} from tenants where tenant_id in (select tenant_id from tenant_streams) order by tenant_id`)
}

/** Undefined fields stay as they are. */
type TenantChange = {
  readonly tenantId: string
  readonly name?: string | undefined
  readonly ownerEmail?: string | undefined
  readonly plan?: Plan | undefined
  readonly timeZone?: string | undefined
  /** True suspends, false resumes. */
  readonly suspended?: boolean | undefined
}

/**
 * Changes a tenant. Null when there is no such tenant. It takes the tenant's lock, as `setClosedThrough` does, so the next tenant batch
 * runs with the new plan and time zone. `keys` are the keys that servers may have cached: publish their changes after suspending or
 * resuming, and after a new time zone.
 */
export async function updateTenant(
  connection: Connection,
  change: TenantChange,
): Promise<{ readonly tenant: TenantSummary; readonly keys: readonly KeyChange[] } | null> {
  const row = await connection.maybeOne(rows(v.object({ ...TenantSummary.entries, token_hashes: v.string() }))`
    with locked as materialized (
      -- The time here, since Citus takes no clock in a choice of an update.
      select tenant_id, now() as now from tenant_streams where tenant_id = ${change.tenantId} for no key update
    ), days as materialized (
      select t.tenant_id, local_day(t.time_zone, locked.now) as before,
        local_day(coalesce(${change.timeZone ?? null}, t.time_zone), locked.now) as after
      from locked join tenants t on t.tenant_id = locked.tenant_id
    ), turned as (
      -- What had expired in the old zone and is good in the new one may count in balances before it is told: it is judged anew.
      update batches b set expired = true
      from days where b.tenant_id = days.tenant_id and not b.expired and b.expiry_date < days.before and b.expiry_date >= days.after
    ), changed as (
      update tenants t set
        name = coalesce(${change.name ?? null}, t.name),
        owner_email = coalesce(${change.ownerEmail ?? null}, t.owner_email),
        plan = coalesce(${change.plan ?? null}, t.plan),
        time_zone = coalesce(${change.timeZone ?? null}, t.time_zone),
        suspended_at = case
          when ${change.suspended === undefined} then t.suspended_at
          when ${change.suspended === true} then coalesce(t.suspended_at, locked.now) end
      from locked where t.tenant_id = locked.tenant_id
      returning t.*
    )
    select ${summary}, (
      select coalesce(json_agg(encode(k.token_hash, 'hex')), '[]')::text
      from api_keys k where k.tenant_id = changed.tenant_id and k.revoked_at is null
    ) as token_hashes
    from changed`)
  if (!row) return null
  const { token_hashes: hashes, ...tenant } = row
  return { tenant, keys: (JSON.parse(hashes) as string[]).map(tokenHash => ({ tokenHash })) }
}

/** Whether PostgreSQL knows the time zone. */
export async function isKnownZone(connection: Connection, timeZone: string): Promise<boolean> {
  const known = await connection.maybeOne(rows(v.object({}))`
    select from pg_timezone_names where lower(name) = lower(${timeZone}) limit 1`)
  return known !== null
}

/** The tenant's today; null when there is no such tenant. */
export async function todayOfTenant(connection: Connection, tenantId: string): Promise<string | null> {
  const found = await connection.maybeOne(rows(v.object({ today: v.string() }))`
    select local_day(time_zone, now())::text as today from tenants where tenant_id = ${tenantId}`)
  return found?.today ?? null
}

/** Whether the tenant lives in this cell. */
export async function tenantExists(connection: Connection, tenantId: string): Promise<boolean> {
  return (
    (await connection.maybeOne(rows(v.object({}))`select from tenant_streams where tenant_id = ${tenantId}`)) !== null
  )
}

/**
 * Closes the accounting period through a day (`2026-10-31`), or opens it (null). False when there is no such tenant. It takes the tenant's
 * lock, as a unit of work does: earlier units are committed, later units see the new day.
 */
export async function setClosedThrough(
  connection: Connection,
  tenantId: string,
  closedThrough: string | null,
): Promise<boolean> {
  const changed = await connection.any(rows(v.object({ tenant_id: v.string() }))`
    with locked as materialized (
      select tenant_id from tenant_streams where tenant_id = ${tenantId} for no key update
    )
    update tenants t set closed_through = ${closedThrough}::date
    from locked where t.tenant_id = locked.tenant_id
    returning t.tenant_id`)
  return changed.length === 1
}
