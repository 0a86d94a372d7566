/**
 * What a write costs where no page of its tenant was touched since the last checkpoint: thousands of tenants, copied from one as rows, write
 * one after another, and the write-ahead log is measured, by each compression that this build of PostgreSQL has.
 */

import * as v from 'valibot'
import { withOptions } from '../lib/platform/postgres/address.ts'
import { fixedFragment, type Pool, rows, sql, statement, withPlansByKey } from '../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../lib/platform/postgres/round-trip-pool.ts'
import { runTogether } from './commands.ts'
import type { Bench, Say } from './in-turn.ts'
import type { Result } from './table.ts'
import type { BenchTenant, World } from './types.ts'
import { makeTenant } from './world.ts'

const TENANTS = 50_000
const TENANTS_QUICK = 5_000
/** Writes that each tenant has behind it. */
const HISTORY = 10
/** Commands of a unit of work, each of another tenant. */
const TOGETHER = 16
const UNITS = 200

export async function coldRows({ world, isQuick }: Bench, say: Say): Promise<Result[]> {
  const count = isQuick ? TENANTS_QUICK : TENANTS
  const tenant = await makeTenant(world)
  const adjustment = (of: Pick<BenchTenant, 'placeId' | 'variantId'>) => ({
    storage_place_id: of.placeId,
    items: [{ item_variant_id: of.variantId, quantity: 1 }],
  })
  const adjust = (numbers: readonly number[], { connections }: Pick<World, 'connections'> = world) =>
    runTogether(
      { ...world, connections },
      'createStockAdjustment',
      numbers.map(number => {
        const [id = '', placeId = '', variantId = ''] = [tenant.id, tenant.placeId, tenant.variantId].map(id =>
          shifted(id, number),
        )
        return { tenantId: id, body: adjustment({ placeId, variantId }) }
      }),
    )
  for (let n = 0; n < HISTORY; n++) await adjust([0])
  say(0, `copying a tenant to ${count}`)
  await copyTenant(world.pool, tenant.id, count)
  await world.pool.query(statement`vacuum analyze`)
  const results: Result[] = []
  for (const compression of await compressions(world.pool)) {
    const url = withOptions(withPlansByKey(world.databaseUrl), `wal_compression=${compression}`)
    const connections = new RoundTripPool(url, {
      statementTimeoutMs: 60_000,
      idleInTransactionTimeoutMs: 60_000,
      size: 1,
    })
    await world.pool.query(statement`checkpoint`)
    say(results.length, `writing with wal_compression ${compression}`)
    const before = await position(world.pool)
    for (let unit = 0; unit < UNITS; unit++)
      await adjust(
        Array.from({ length: TOGETHER }, () => 1 + Math.floor(Math.random() * count)),
        { connections },
      )
    const bytes = Number((await position(world.pool)) - before) / (UNITS * TOGETHER)
    await connections.end()
    const name = `Log (WAL) of a one-line adjustment, ${count} cold tenants, wal_compression ${compression}`
    results.push({ name, service: bytes / 1024, unit: ' KiB' })
  }
  return results
}

/** What this build can do about the log; `off` is what PostgreSQL does unless told. */
async function compressions(pool: Pool): Promise<string[]> {
  const known = await pool.any(rows(v.object({ value: v.string() }))`
    select value from pg_settings, unnest(enumvals) value where name = 'wal_compression' and value in ('off', 'pglz', 'lz4', 'zstd')
    order by value = 'off' desc, value`)
  return known.map(({ value }) => value)
}

/** Ids of copies lie so far apart. */
const STEP = 10_000_000_000n
const shifted = (id: string, number: number): string => (BigInt(id) + BigInt(number) * STEP).toString()

const position = async (pool: Pool): Promise<bigint> =>
  BigInt(
    (
      await pool.one(
        rows(v.object({ at: v.string() }))`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as at`,
      )
    ).at,
  )

/** Every row of the tenant again for each copy: ids are shifted, texts that are unique beyond it get its number. */
async function copyTenant(pool: Pool, tenantId: string, count: number): Promise<void> {
  const columns = await pool.any(rows(v.object({ table: v.string(), column: v.string(), type: v.string() }))`
    select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and not c.relispartition and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
      and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
    order by c.relname, a.attnum`)
  await pool.connect(async connection => {
    await connection.query(statement`set session_replication_role = replica`)
    await connection.query(statement`set statement_timeout = 0`)
    for (const [table, of] of Map.groupBy(columns, ({ table }) => table)) {
      const names = of.map(({ column }) => `"${column}"`).join(', ')
      const values = of.map(({ column, type }) =>
        type === 'bigint' && /(^|_)id$/.test(column)
          ? `"${column}" + n * ${STEP}`
          : column === 'token_hash'
            ? `sha256(convert_to(n::text, 'UTF8'))`
            : `"${column}"`,
      )
      await connection.query(statement`
        insert into ${sql.identifier([table])} (${fixedFragment(names)})
        select ${fixedFragment(values.join(', '))} from ${sql.identifier([table])}, generate_series(1, ${count}::bigint) n
        where tenant_id = ${tenantId}::bigint order by n`)
    }
    await connection.query(statement`reset session_replication_role`)
  })
}
