/** The note of runs of `reconcile` in a cell's database (sql/000001_tenants.sql): whose turn it is, how far it is, how it ended. */
import * as v from 'valibot'
import { type Connection, rows, statement, type WritingConnection } from '../../platform/postgres/postgres.ts'

/** A process that has not said anything for so long is gone. */
const HELD_SECONDS = 60
export const HOLD_EVERY_MS = 15_000

const Begun = v.object({
  begun_at: v.string(),
  last_tenant_id: v.string(),
  tenants: v.number(),
  faults: v.number(),
  is_resumed: v.boolean(),
})
export type BegunRun = v.InferOutput<typeof Begun>

/**
 * Begins a run, or goes on with the one that broke off. Null: a process works on one.
 * @param resume whether to go on; a run of another generation of the database never goes on
 */
export const beginRun = (pool: WritingConnection, resume: boolean): Promise<BegunRun | null> =>
  pool.maybeOne(rows(Begun)`
    with old as (
      select r.*, g.now_at, r.begun_at is not null and ${resume} and r.generation = g.generation as goes_on, g.generation as current
      from reconciliations r
      cross join lateral (select clock_timestamp() as now_at, max(generation) as generation from generations) g
      where r.held_until is null or r.held_until < clock_timestamp()
      for update of r
    )
    update reconciliations r set
      begun_at = case when goes_on then old.begun_at else now_at end,
      held_until = now_at + make_interval(secs => ${HELD_SECONDS}),
      generation = current,
      last_tenant_id = case when goes_on then old.last_tenant_id else 0 end,
      tenants = case when goes_on then old.tenants else 0 end,
      faults = case when goes_on then old.faults else 0 end
    from old where r.is_only = old.is_only
    returning r.begun_at::text as begun_at, r.last_tenant_id::text as last_tenant_id, r.tenants, r.faults, goes_on as is_resumed`)

/** Where the run stands. `begun_at` tells it from a later one. */
export type Standing = Pick<BegunRun, 'begun_at' | 'last_tenant_id' | 'tenants' | 'faults'>

export const noteSlice = (pool: WritingConnection, { begun_at, last_tenant_id, tenants, faults }: Standing) =>
  pool.query(statement`
    update reconciliations set last_tenant_id = ${last_tenant_id}::bigint, tenants = ${tenants}, faults = ${faults},
      held_until = clock_timestamp() + make_interval(secs => ${HELD_SECONDS})
    where begun_at = ${begun_at}::timestamptz`)

/** Says that this process still works on the run: a check of a huge tenant takes minutes. */
export const holdRun = (pool: WritingConnection, { begun_at }: Standing) =>
  pool.query(statement`
    update reconciliations set held_until = clock_timestamp() + make_interval(secs => ${HELD_SECONDS})
    where begun_at = ${begun_at}::timestamptz`)

/** Lets another process go on. */
export const leaveRun = (pool: WritingConnection, { begun_at }: Standing) =>
  pool.query(statement`update reconciliations set held_until = null where begun_at = ${begun_at}::timestamptz`)

export const endRun = (pool: WritingConnection, { begun_at, tenants, faults }: Standing) =>
  pool.query(statement`
    update reconciliations set begun_at = null, held_until = null, last_tenant_id = 0, tenants = 0, faults = 0,
      whole_begun_at = begun_at, whole_ended_at = clock_timestamp(), whole_tenants = ${tenants}, whole_faults = ${faults}
    where begun_at = ${begun_at}::timestamptz`)

const Whole = v.object({ age_seconds: v.number(), faults: v.nullable(v.number()) })

/** The last whole run; where there was none, the age is that of the database and `faults` is null. */
export const lastWholeRun = (pool: Connection): Promise<v.InferOutput<typeof Whole>> =>
  pool.one(rows(Whole)`
    select extract(
        epoch from now() - coalesce(whole_ended_at, (select min(applied_at) from migrations))
      )::float8 as age_seconds, whole_faults as faults
    from reconciliations`)

/**
 * Whether the nightly run is due: its hour came within six hours, and no run that began since then has ended. Later a process that was away
 * waits for the next night.
 * @param at `HH:MM`, UTC
 */
export async function isNightlyDue(pool: Connection, at: string): Promise<boolean> {
  const { due } = await pool.one(rows(v.object({ due: v.boolean() }))`
    select latest > now() - interval '6 hours' and latest > coalesce(whole_begun_at, '-infinity')
      and (held_until is null or held_until < now()) as due
    from reconciliations cross join lateral (
      select case when today > now() then today - interval '1 day' else today end as latest
      from (select (date_trunc('day', now() at time zone 'UTC') + ${at}::time) at time zone 'UTC' as today) t
    ) n`)
  return due
}
