/**
 * Metrics of the stores: how full they are, whether PostgreSQL takes writes, how old the last checked backup is, and the result of the last
 * reconcile. A store that does not answer has no values, and other metrics show that it cannot be reached.
 */
import * as v from 'valibot'
import { type Pool, rows } from '../../lib/platform/postgres/postgres.ts'
import { refusedWrites } from '../../lib/platform/postgres/refused-writes.ts'
import { type Redis, serversOf } from '../../lib/platform/redis/redis.ts'
import { gauge } from '../../lib/platform/telemetry/metrics.ts'
import { within } from '../../lib/platform/within.ts'
import { lastGoodChecks } from '../../lib/tools/backup/noted.ts'
import { memoryOf, readInfo } from '../../lib/tools/doctor/redis.ts'
import { lastWholeRun } from '../../lib/tools/reconcile/noted.ts'
import { type Repeating, repeat } from '../repeat.ts'
import type { Cells } from '../worker-process.ts'

const EVERY_MS = 30_000
/** A check ends after this time, so that a slow store does not delay the next check. */
const PATIENCE_MS = 5_000

type Services = { readonly cells: Cells; readonly redis: Redis }
type Memory = { readonly node: string; readonly used: number; readonly limit: number }
type Backup = {
  readonly cell: string
  readonly check: number
  readonly data: number | null
  readonly isChecked: boolean
}
type Sizes = { readonly cell: string; readonly database: number; readonly wal?: number; readonly walLimit: number }
type Books = { readonly cell: string; readonly age: number; readonly faults: number | null }
type Writes = { readonly cell: string; readonly isRefused: boolean }

export function startStoreWatch({ cells, redis }: Services, { everyMs = EVERY_MS } = {}): Repeating {
  let memories: readonly Memory[] = []
  let sizes: readonly Sizes[] = []
  let writes: readonly Writes[] = []
  let backups: readonly Backup[] = []
  let books: readonly Books[] = []
  gauge('millrace_redis_memory_bytes', 'Memory that Redis compares with its maxmemory, by node', ['node'], set => {
    for (const { node, used } of memories) set({ node }, used)
  })
  gauge(
    'millrace_redis_memory_max_bytes',
    'maxmemory of Redis by node; left out where there is none',
    ['node'],
    set => {
      for (const { node, limit } of memories) if (limit > 0) set({ node }, limit)
    },
  )
  gauge('millrace_postgres_database_bytes', 'Size of the database of a cell', ['cell'], set => {
    for (const { cell, database } of sizes) set({ cell }, database)
  })
  gauge(
    'millrace_postgres_wal_bytes',
    'Size of the write-ahead log (pg_wal) by cell; left out where the user lacks the role pg_monitor',
    ['cell'],
    set => {
      for (const { cell, wal } of sizes) if (wal !== undefined) set({ cell }, wal)
    },
  )
  gauge(
    'millrace_postgres_wal_expected_bytes',
    'How large the write-ahead log gets by its settings (max_wal_size, wal_keep_size), by cell',
    ['cell'],
    set => {
      for (const { cell, walLimit } of sizes) set({ cell }, walLimit)
    },
  )
  gauge(
    'millrace_postgres_refuses_writes',
    '1 while PostgreSQL of a cell takes no writes: its disk is full, or it is read-only; else 0',
    ['cell'],
    set => {
      for (const { cell, isRefused } of writes) set({ cell }, Number(isRefused))
    },
  )
  gauge(
    'millrace_backup_age_seconds',
    'Since the last good "backup check" of a cell (of="check"; where there was none, since its first migration), and since the newest command in that backup (of="data")',
    ['cell', 'of'],
    set => {
      for (const { cell, check, data } of backups) {
        set({ cell, of: 'check' }, check)
        if (data !== null) set({ cell, of: 'data' }, data)
      }
    },
  )
  gauge(
    'millrace_backup_was_checked',
    '1 where "backup check" has ever found a backup of the cell good, else 0',
    ['cell'],
    set => {
      for (const { cell, isChecked } of backups) set({ cell }, Number(isChecked))
    },
  )
  gauge(
    'millrace_reconcile_age_seconds',
    'Since the last whole run of reconcile --share or of the nightly one, by cell; where there was none, since the first migration',
    ['cell'],
    set => {
      for (const { cell, age } of books) set({ cell }, age)
    },
  )
  gauge('millrace_reconcile_faults', 'What that run found, by cell; left out where there was none', ['cell'], set => {
    for (const { cell, faults } of books) if (faults !== null) set({ cell }, faults)
  })
  const [main] = cells
  const look = async (): Promise<void> => {
    const looks = [
      memoryOfNodes(redis).then(found => {
        memories = found
      }),
      Promise.all(cells.map(cell => orNothing(sizesOf(cell)))).then(found => {
        sizes = found.flat()
      }),
      Promise.all(cells.map(cell => orNothing(writesOf(cell)))).then(found => {
        writes = found.flat()
      }),
      Promise.all(cells.map(cell => orNothing(booksOf(cell)))).then(found => {
        books = found.flat()
      }),
      orNothing(backupsOf(main.pool, cells)).then(found => {
        backups = found
      }),
    ]
    await Promise.all(looks)
  }
  return repeat(look, { pauseMs: () => everyMs })
}

const orNothing = <T>(work: Promise<readonly T[]>): Promise<readonly T[]> => within(PATIENCE_MS, work).catch(() => [])

/** A lost connection would keep each question until it is connected again. */
async function memoryOfNodes(redis: Redis): Promise<readonly Memory[]> {
  const ready = serversOf(redis).filter(({ status }) => status === 'ready')
  const memories = await Promise.all(
    ready.map(server => {
      const { host, port } = (server as Redis & { options: { host?: string; port?: number } }).options
      // Each node is asked separately, so that a silent node hides no other.
      return orNothing(server.info('memory').then(info => [{ node: `${host}:${port}`, ...memoryOf(readInfo(info)) }]))
    }),
  )
  return memories.flat()
}

const writesOf = async ({ name: cell, pool }: Cells[number]): Promise<[Writes]> => [
  { cell, isRefused: (await refusedWrites(pool)) !== undefined },
]

const booksOf = async ({ name: cell, pool }: Cells[number]): Promise<[Books]> => {
  const { age_seconds: age, faults } = await lastWholeRun(pool)
  return [{ cell, age, faults }]
}

/** If no backup of a cell was ever checked, the age is that of the cell. */
async function backupsOf(main: Pool, cells: Cells): Promise<readonly Backup[]> {
  const checked = (await lastGoodChecks(main)).map(({ cell, check_age_seconds: check, data_age_seconds: data }) => {
    return { cell, check, data, isChecked: true }
  })
  const unchecked = cells.filter(({ name }) => checked.every(({ cell }) => cell !== name))
  const never = unchecked.map(async ({ name: cell, pool }) => {
    const { check } = await pool.one(rows(v.object({ check: v.number() }))`
      select extract(epoch from now() - min(applied_at))::float8 as check from migrations`)
    return { cell, check, data: null, isChecked: false }
  })
  return [...checked, ...(await Promise.all(never))]
}

const Size = v.object({ database: v.number(), wal_limit: v.number(), sees_wal: v.boolean() })
const Wal = v.object({ wal: v.number() })

async function sizesOf({ name: cell, pool }: { readonly name: string; readonly pool: Pool }): Promise<[Sizes]> {
  const { database, wal_limit, sees_wal } = await pool.one(rows(Size)`
    select pg_database_size(current_database())::float8 as database,
      greatest(
        pg_size_bytes(current_setting('max_wal_size')), pg_size_bytes(current_setting('wal_keep_size'))
      )::float8 as wal_limit,
      has_function_privilege('pg_catalog.pg_ls_waldir()', 'execute') as sees_wal`)
  const sizes = { cell, database, walLimit: wal_limit }
  if (!sees_wal) return [sizes]
  // A statement of its own: PostgreSQL checks the right to a function even if the function would not be called.
  const { wal } = await pool.one(rows(Wal)`select coalesce(sum(size), 0)::float8 as wal from pg_ls_waldir()`)
  return [{ ...sizes, wal }]
}
