/**
 * The migration runner: numbered .sql files of `sql/`, each once and in order, under an advisory lock. An applied file must never change;
 * its checksum is compared.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { readAddress } from './address.ts'
import { openClient } from './client.ts'
import { distribute, isOnNodes } from './distribute.ts'
import { type Migration, type Progress, runMigration } from './migrations/run.ts'

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../sql/', import.meta.url))
/** An arbitrary constant: one lock for all that migrate this database. */
const ADVISORY_LOCK = 7_236_112
const LOCK_LOOK_MS = 200
const PATIENCE_MS = 10 * 60_000

export type MigrateOptions = {
  readonly folder?: string
  readonly progress?: Progress
  readonly patienceMs?: number
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
 * Brings the database to this version. Makes the schema of the address if it is missing.
 * @returns the names of the migrations applied now
 * @throws LocksNotHad when a table is locked for too long; Error when an applied file has changed, or the database is newer than this
 * version or of a pre-release
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<readonly string[]> {
  const { folder, progress = { show: () => {}, end: () => {} }, patienceMs = PATIENCE_MS } = options
  const migrations = await listMigrations(folder)
  const { schema, isDistributed } = readAddress(databaseUrl)
  const { client, end } = await connect(databaseUrl)
  try {
    await waitForOthers(client, progress)
    // The check comes first: a user without the right to make schemas may already have one.
    const isThere = (await client.query('select from pg_namespace where nspname = $1', [schema])).rowCount === 1
    if (schema !== null && !isThere) await client.query(`create schema ${schema}`)
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')
    const done = new Map(rows.map(row => [row.name, row.checksum]))
    refuseDrift(migrations, done)
    const toDistribute = isDistributed ? schema : null
    const onNodes = toDistribute !== null && (await isOnNodes(client, toDistribute)) ? toDistribute : null
    const run = { client, connect: () => connect(databaseUrl), progress, patienceMs, onNodes }
    const missing = migrations.filter(({ name }) => !done.has(name))
    for (const migration of missing) await runMigration(run, migration)
    if (toDistribute !== null && onNodes === null) await distribute(client, toDistribute)
    return missing.map(({ name }) => name)
  } finally {
    await end()
  }
}

const connect = (databaseUrl: string) => openClient(databaseUrl, { fallback_application_name: 'millrace migrate' })

/** Polls, so that no statement waits: an index that another run makes would wait for a waiting statement. */
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
  const newest = migrations.at(-1)?.name ?? ''
  const unknown = [...done.keys()].filter(name => !known.has(name))
  const changed = [...done].find(([name, checksum]) => known.has(name) && known.get(name) !== checksum)?.[0]
  // Releases only add migrations, and never change one.
  if (unknown.some(name => name < newest) || (unknown.length > 0 && changed !== undefined))
    throw new Error('the database is of a pre-release, which no release of Millrace reads: begin with an empty one')
  if (unknown.length > 0)
    throw new Error(
      `the database has migration ${unknown[0]}, which this version does not know: deploy a newer version`,
    )
  if (changed !== undefined) throw new Error(`migration ${changed} was changed after it was applied`)
}
