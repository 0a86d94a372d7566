/**
 * The migration runner: numbered .sql files of `sql/`, each once and in order, under an advisory lock. A file that was applied must never
 * change; its checksum is compared.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { isBefore, VERSION } from '../version.ts'
import { readAddress } from './address.ts'
import { openClient } from './client.ts'
import { distribute, isOnNodes } from './distribute.ts'
import { makeLater, tellWork } from './migrations/beside.ts'
import { type Migration, type Progress, rolloutBefore } from './migrations/migration.ts'
import { refuseOlder } from './migrations/older.ts'
import { runMigration } from './migrations/run.ts'

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../sql/', import.meta.url))
/** Any constant: one lock for all who migrate this database. */
const ADVISORY_LOCK = 7_236_112
const LOCK_LOOK_MS = 200
const PATIENCE_MS = 10 * 60_000
/** A server that is asked nothing has no connection but that of its readiness check. */
const LOOK_FOR_OLDER_MS = 10_000
/** Work on a smaller table is done in a fraction of a second. */
const LARGE_BYTES = 2 ** 20

export type MigrateOptions = {
  readonly folder?: string
  readonly progress?: Progress
  readonly patienceMs?: number
  readonly largeBytes?: number
  /**
   * Whether what would break the version before is applied too (`rolloutBefore`). Default: in a new database alone. That of earlier
   * versions is applied in any case.
   */
  readonly finishes?: boolean | undefined
  /** Of these migrations, if not this one: for tests. */
  readonly version?: string
  /** For so long it looks for connections of older processes before that, in ms. */
  readonly lookMs?: number
}

/** The migrations of this version in order. */
export async function listMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => /^\d{6}_.*\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async name => {
      const text = await readFile(`${folder}/${name}`, 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Brings the database to this version; the schema of the address is made where it is not there.
 * @returns the names applied now, and those that wait for the end of the rollout.
 * @throws LocksNotHad when a table is held for too long, OlderProcesses when what they need would go, Error when an applied file has
 * changed, or the database is newer than this version.
 */
export async function migrate(
  databaseUrl: string,
  options: MigrateOptions = {},
): Promise<{ applied: string[]; waiting: string[] }> {
  const {
    folder,
    progress = { show: () => {}, end: () => {} },
    patienceMs = PATIENCE_MS,
    largeBytes = LARGE_BYTES,
    lookMs = LOOK_FOR_OLDER_MS,
    version = VERSION,
  } = options
  const migrations = await listMigrations(folder)
  const { schema, isDistributed } = readAddress(databaseUrl)
  const { client, end } = await connect(databaseUrl)
  try {
    await waitForOthers(client, progress)
    // Looked for first: whose user may not make schemas is given one.
    const isThere = (await client.query('select from pg_namespace where nspname = $1', [schema])).rowCount === 1
    if (schema !== null && !isThere) await client.query(`create schema ${schema}`)
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const done = new Map(
      (await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')).rows.map(
        row => [row.name, row.checksum],
      ),
    )
    refuseDrift(migrations, done)
    const toDistribute = isDistributed ? schema : null
    const onNodes = toDistribute !== null && (await isOnNodes(client, toDistribute)) ? toDistribute : null
    const run = { client, connect: () => connect(databaseUrl), progress, patienceMs, largeBytes, onNodes }
    const missing = migrations.filter(({ name }) => !done.has(name))
    const { finishes = done.size === 0 } = options
    const waits = (migration: Migration) =>
      !finishes && !isBefore(rolloutBefore(migration) ?? '0.0.0', minorOf(version))
    const [open, waiting] = [missing.filter(migration => !waits(migration)), missing.filter(waits)]
    await tellWork(run, open)
    await makeLater(run)
    for (const migration of open) {
      const needed = rolloutBefore(migration)
      if (needed !== undefined && done.size > 0)
        await refuseOlder(run, { migration: migration.name, version: needed, lookMs })
      await runMigration(run, migration)
    }
    if (toDistribute !== null && onNodes === null) await distribute(client, toDistribute)
    return { applied: open.map(({ name }) => name), waiting: waiting.map(({ name }) => name) }
  } finally {
    await end()
  }
}

/** Patches of a minor version serve beside each other. */
const minorOf = (version: string): string => version.replace(/\d+$/, '0')

const connect = (databaseUrl: string) => openClient(databaseUrl, { fallback_application_name: 'millrace migrate' })

/** Without a statement that waits: an index that another run makes would wait for this one. */
async function waitForOthers(client: pg.Client, progress: Progress): Promise<void> {
  const isMine = async () =>
    (await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [ADVISORY_LOCK])).rows[0]?.mine
  while (!(await isMine())) {
    progress.show('waits for another run on this database')
    await sleep(LOCK_LOOK_MS)
  }
}

function refuseDrift(migrations: readonly Migration[], done: ReadonlyMap<string, string>): void {
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  for (const [name, checksum] of done) {
    if (!known.has(name))
      throw new Error(`the database has migration ${name}, which this version does not know: deploy a newer version`)
    if (known.get(name) !== checksum) throw new Error(`migration ${name} was changed after it was applied`)
  }
}
