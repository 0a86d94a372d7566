/**
 * Tenants and their accounting periods, as operators manage them. What a tenant's commands may read of it is loaded with
 * its lock (lib/store/command-log.ts).
 */
import * as v from 'valibot'
import { type Connection, rows } from '../store/postgres.ts'

export type NewTenant = {
  readonly name: string
  readonly ownerEmail: string
  readonly plan: 'free' | 'pro'
  /** ISO 4217 code. */
  readonly currency: string
}

/** Makes a tenant and the row that its command batches lock; returns its id. */
export async function createTenant(connection: Connection, tenant: NewTenant): Promise<string> {
  const made = await connection.one(rows(v.object({ tenant_id: v.string() }))`
    with made as (
      insert into tenants (name, owner_email, plan, currency)
      values (${tenant.name}, ${tenant.ownerEmail}, ${tenant.plan}, ${tenant.currency})
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
  closed_through: v.nullable(v.string()),
  created_at: v.string(),
})

/** All tenants, the oldest first. */
export async function listTenants(connection: Connection) {
  return connection.any(rows(TenantSummary)`
    select tenant_id, name, owner_email, plan, currency, closed_through::text, iso(created_at) as created_at
    from tenants
    order by tenant_id`)
}

/** Whether there is such a tenant. */
export async function tenantExists(connection: Connection, tenantId: string): Promise<boolean> {
  return connection.exists(rows(v.object({}))`select from tenants where tenant_id = ${tenantId}`)
}

/**
 * Closes the accounting period through a day (`2026-10-31`), or opens it (null); false when there is no such tenant. It
 * takes the tenant's lock, as a command batch does: batches before it are committed, batches after it see the new day.
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
