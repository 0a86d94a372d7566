/**
 * The migration runner: numbered .sql files of `sql/`, each once, in order, in a transaction of its own, under an advisory
 * lock. A file that was applied must never change; its checksum is compared.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { connectionString, readAddress } from './address.ts'
import { distribute, isOnNodes, runOnNodes } from './distribute.ts'

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../sql/', import.meta.url))
const DEADLOCK = '40P01'
const TRIES_MAX = 10
/** Any constant: one lock for all who migrate this database. */
const ADVISORY_LOCK = 7_236_112

type Migration = { readonly name: string; readonly text: string; readonly checksum: string }

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
 * @returns the names applied now.
 * @throws Error when an applied file has changed, or the database is newer than this version.
 */
export async function migrate(databaseUrl: string, folder = MIGRATIONS_FOLDER): Promise<{ applied: string[] }> {
  const migrations = await listMigrations(folder)
  const { schema, isDistributed } = readAddress(databaseUrl)
  const client = new pg.Client({ connectionString: connectionString(databaseUrl) })
  client.on('error', () => {}) // what runs on it fails, and tells
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK])
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
    const applied: string[] = []
    for (const migration of migrations.filter(({ name }) => !done.has(name))) {
      await apply(client, migration, onNodes)
      applied.push(migration.name)
    }
    if (toDistribute !== null && onNodes === null) await distribute(client, toDistribute)
    return { applied }
  } finally {
    await client.end()
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

/**
 * Services run beside, and lock the tables of their statements in another order: where both wait for each other, PostgreSQL ends one.
 * @param onNodes the schema, where Citus has distributed it.
 */
async function apply(client: pg.Client, migration: Migration, onNodes: string | null): Promise<void> {
  for (let tries = 1; ; tries++) {
    await client.query('begin')
    try {
      await (onNodes === null ? client.query(migration.text) : runOnNodes(client, onNodes, migration.text))
      await client.query('insert into migrations (name, checksum) values ($1, $2)', [
        migration.name,
        migration.checksum,
      ])
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      const isDeadlock = (error as { code?: string }).code === DEADLOCK
      if (!isDeadlock || tries === TRIES_MAX) throw new Error(`migration ${migration.name} failed`, { cause: error })
    }
  }
}
