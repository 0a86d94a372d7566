/** Looks at PostgreSQL: version, durability, connections, migrations, long transactions, retention. It changes nothing. */
import * as v from 'valibot'
import { listMigrations } from '../../platform/postgres/migrate.ts'
import { isDistributed, type Pool, rows } from '../../platform/postgres/postgres.ts'
import { choreStates, FAILURES_OF_A_FAULT } from '../../platform/telemetry/chores.ts'
import { duration, type Finding, fault, fine, judgeVersion, warning } from './finding.ts'

const TRANSACTION_AGE_MS_MAX = 300_000
const CONNECTIONS_SHARE_MAX = 0.9
/** Commands are kept for 30 days, and removed in periods of ten days. Older commands were not removed in time. */
const COMMAND_AGE_DAYS_MAX = 42

const Server = v.object({
  version: v.string(),
  fsync: v.string(),
  full_page_writes: v.string(),
  synchronous_commit: v.string(),
  isolation: v.string(),
  encoding: v.string(),
  has_collation: v.boolean(),
  connections: v.number(),
  connections_max: v.number(),
  transaction_age_ms: v.number(),
})

export async function checkPostgres(pool: Pool): Promise<Finding[]> {
  const server = await pool.one(rows(Server)`
    select
      current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit,
      current_setting('default_transaction_isolation') as isolation, current_setting('server_encoding') as encoding,
      exists (select from pg_collation where collname = 'pg_c_utf8' and collnamespace = 'pg_catalog'::regnamespace) as has_collation,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as connections_max,
      coalesce((
        select max(extract(epoch from clock_timestamp() - xact_start) * 1000)::float8
        from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      ), 0) as transaction_age_ms`)
  return [
    judgePostgres(server.version, { hasCollation: server.has_collation, isDistributed: isDistributed(pool) }),
    durability(server),
    ...(server.isolation === 'read committed'
      ? []
      : [
          fault(
            'postgres isolation',
            server.isolation,
            "alter database ... set default_transaction_isolation = 'read committed': the workers' locks rely on it",
          ),
        ]),
    ...(server.encoding === 'UTF8'
      ? []
      : [
          fault(
            'postgres encoding',
            server.encoding,
            'move to a database in UTF8: other encodings cannot hold every text',
          ),
        ]),
    connections(server),
    server.transaction_age_ms > TRANSACTION_AGE_MS_MAX
      ? warning(
          'postgres transactions',
          `one has been open for ${duration(server.transaction_age_ms)}`,
          'find it in pg_stat_activity and end it: it keeps tables from being cleaned, and perhaps a tenant from writing',
        )
      : fine('postgres transactions', 'none is long'),
  ]
}

/**
 * Searches need the collation pg_c_utf8 (sql/000001_tenants.sql). PostgreSQL has it from 17 on; before that an operator makes it. Cells of
 * Citus are tested on 15 (test/scaling/citus.ts), everything else on 18 only.
 */
export function judgePostgres(
  version: string,
  { hasCollation, isDistributed }: { readonly hasCollation: boolean; readonly isDistributed: boolean },
): Finding {
  const check = 'postgres version'
  const major = Number.parseInt(version, 10)
  if (major >= 15 && !hasCollation)
    return fault(
      check,
      `${version}, without the collation pg_c_utf8`,
      `upgrade to 18 or newer, or on every server: create collation pg_catalog.pg_c_utf8 (locale = 'C.UTF-8')`,
    )
  if (major >= 15 && isDistributed) return fine(check, `${version}, with Citus`)
  return judgeVersion(check, version, { needed: 15, tested: 18 })
}

function durability(server: v.InferOutput<typeof Server>): Finding {
  const check = 'postgres durability'
  const off = (['fsync', 'full_page_writes'] as const).filter(name => server[name] !== 'on')
  if (off.length > 0)
    return fault(check, `${off.join(' and ')} off`, 'switch on: a crash of the machine would damage the database')
  if (server.synchronous_commit === 'off')
    return fault(
      check,
      'synchronous_commit off',
      'switch on: writes that were answered with success could be lost in a crash',
    )
  return fine(check, `fsync on, synchronous_commit ${server.synchronous_commit}`)
}

function connections({ connections, connections_max }: v.InferOutput<typeof Server>): Finding {
  const found = `${connections} of ${connections_max}`
  return connections > CONNECTIONS_SHARE_MAX * connections_max
    ? warning('postgres connections', found, 'raise max_connections, or lower DATABASE_POOL_SIZE')
    : fine('postgres connections', found)
}

/** @returns whether the tables for the other checks exist */
export async function checkMigrations(pool: Pool): Promise<{ finding: Finding; isCurrent: boolean }> {
  const check = 'migrations'
  const table = await pool.one(rows(v.object({ is_there: v.boolean() }))`
    select to_regclass('migrations') is not null as is_there`)
  const done = table.is_there
    ? await pool.any(rows(v.object({ name: v.string(), checksum: v.string() }))`select name, checksum from migrations`)
    : []
  const known = await listMigrations()
  const found = (finding: Finding) => ({ finding, isCurrent: finding.status === 'ok' })
  const changed = known.filter(({ name, checksum }) => done.some(row => row.name === name && row.checksum !== checksum))
  if (changed.length > 0)
    return found(
      fault(
        check,
        `${changed.map(({ name }) => name).join(', ')} was changed after it was applied`,
        'deploy the released files: this program and the database do not belong together',
      ),
    )
  const unknown = done.filter(row => !known.some(({ name }) => name === row.name))
  if (unknown.length > 0)
    return found(
      fault(check, `the database is ahead by ${unknown.length}`, 'deploy the version that migrated it, or a newer one'),
    )
  const missing = known.filter(({ name }) => !done.some(row => row.name === name))
  if (missing.length > 0)
    return found(
      fault(check, `${missing.length} of ${known.length} are missing`, 'run bin/millrace migrate (the release step)'),
    )
  return found(fine(check, `all ${known.length} are applied`))
}

/** The chores of housekeeping that fail again and again: nothing else shows what they leave undone. */
export async function checkChores(pool: Pool): Promise<Finding[]> {
  const failing = (await choreStates(pool)).filter(({ failures }) => failures >= FAILURES_OF_A_FAULT)
  return failing.map(({ name, failures, failing_ms: ms, error }) =>
    fault(
      'housekeeping',
      `${name} has failed ${failures} times in a row, for ${duration(ms ?? 0)} (${error})`,
      'look for "housekeeping failed" with this chore in the logs of worker and webhook processes: what it should remove stays',
    ),
  )
}

/** Whether the workers' housekeeping keeps up. */
export async function checkRetention(pool: Pool): Promise<Finding> {
  const Old = v.object({ old_commands: v.boolean(), old_keys: v.boolean(), old_counts: v.boolean() })
  const { old_commands, old_keys, old_counts } = await pool.one(rows(Old)`
    select
      exists (select from commands where created_at < now() - make_interval(days => ${COMMAND_AGE_DAYS_MAX})) as old_commands,
      exists (select from security_network_keys where day < (now() at time zone 'UTC')::date - 9) as old_keys,
      exists (select from security_recent where hour < extract(epoch from now())::bigint / 3600 - 4) as old_counts`)
  // Separate from the tables: on Citus their node would run it, which has no search path.
  const Next = v.object({ has_periods: v.boolean(), has_next_week: v.boolean() })
  const { has_periods, has_next_week } = await pool.one(rows(Next)`
    select (
        select every(ends > now() + interval '7 days') from (
          select max(period_end(inhrelid)) as ends from pg_inherits
          where inhparent in ('commands'::regclass, 'events'::regclass) group by inhparent
        ) periods
      ) as has_periods,
      to_regclass('security_hours_' || to_char(date_trunc('week', now() at time zone 'UTC') + interval '7 days', 'YYYYMMDD'))
        is not null as has_next_week`)
  const late = [
    ...(old_commands ? ['commands older than 30 days'] : []),
    ...(has_periods ? [] : ['no period of commands or events for next week']),
    ...(old_keys ? ['network keys older than 8 days'] : []),
    ...(old_counts ? ['telemetry of hours ago that is not added up'] : []),
    ...(has_next_week ? [] : ['no telemetry partition for next week']),
  ]
  return late.length === 0
    ? fine('housekeeping', 'up to date')
    : warning(
        'housekeeping',
        late.join(', '),
        'let a worker process run, and look for "housekeeping failed" in its log',
      )
}
