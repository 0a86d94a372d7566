/** Owns a test file's own database: a clone of a template that is migrated once per run, dropped at the end, leaks told. */
import { createHash, randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { connectionString, readAddress } from '../../lib/platform/postgres/address.ts'
import { listMigrations, migrate } from '../../lib/platform/postgres/migrate.ts'
import { references } from '../../lib/tools/reconcile/references.ts'
import { eventually, PATIENCE_MS } from './eventually.ts'

const TEMPLATE_LOCK = 5_143_201

export type TestDatabase = { url: string; close(patienceMs?: number): Promise<void> }

/** Clones the migrated template on the given server. `close` drops the clone and rejects when connections to it remain. */
export async function testDatabase(serverUrl: string): Promise<TestDatabase> {
  if (readAddress(serverUrl).isDistributed) return distributedSchema(serverUrl)
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await asAdmin(serverUrl, async admin => {
    // CREATE DATABASE refuses a template that somebody is connected to, so migration and cloning take turns.
    await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const template = await ensureTemplate(admin, serverUrl)
    // Files are copied for a fifth of the processor time that logging their pages takes.
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  })
  return { url: withDatabase(serverUrl, name), close: patienceMs => drop(serverUrl, name, patienceMs) }
}

/** On Citus (test/scaling/citus.ts): a schema that it keeps on one of its nodes. */
async function distributedSchema(clusterUrl: string): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  const url = new URL(clusterUrl)
  url.searchParams.set('schema', name)
  await migrate(url.href)
  const drop = () =>
    as(connectionString(clusterUrl), async client => void (await client.query(`DROP SCHEMA ${name} CASCADE`)))
  return { url: url.href, close: drop }
}

async function ensureTemplate(admin: Client, serverUrl: string): Promise<string> {
  const checksums = (await listMigrations()).map(({ checksum }) => checksum)
  const keys = foreignKeys()
  const name = `template_${createHash('sha256')
    .update([...checksums, keys].join())
    .digest('hex')
    .slice(0, 12)}`
  const found = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name])
  if (found.rowCount === 1) return name
  // Under another name until it is complete: a failed migration must not leave half a template.
  const draft = `${name}_draft`
  await admin.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
  await admin.query(`CREATE DATABASE ${draft}`)
  await migrate(withDatabase(serverUrl, draft))
  await as(withDatabase(serverUrl, draft), client => client.query(keys))
  await eventually(() => admin.query(`ALTER DATABASE ${draft} RENAME TO ${name}`))
  return name
}

/** What the service proves by `reconcile` only: here a write that names what is not there fails at once. */
const foreignKeys = (): string =>
  references
    .map(
      ({ table, columns, of, key }) =>
        `ALTER TABLE ${table} ADD FOREIGN KEY (tenant_id, ${columns}) REFERENCES ${of} (tenant_id, ${key});`,
    )
    .join('\n')

async function drop(serverUrl: string, name: string, patienceMs = PATIENCE_MS): Promise<void> {
  await asAdmin(serverUrl, async admin => {
    const open = () =>
      admin.query<{ application_name: string; query: string }>(
        `SELECT application_name, left(query, 200) AS query FROM pg_stat_activity
         WHERE datname = $1 AND backend_type = 'client backend'`,
        [name],
      )
    // A closed connection takes the server a moment to notice.
    const leaked = await eventually(async () => (await open()).rowCount === 0 || null, { timeoutMs: patienceMs })
      .then(() => [])
      .catch(async () => (await open()).rows)
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    if (leaked.length === 0) return
    const list = leaked.map(row => `  ${row.application_name || 'unnamed'}: ${row.query}`).join('\n')
    throw new Error(`${leaked.length} database connections were left open:\n${list}`)
  })
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

const asAdmin = <T>(serverUrl: string, use: (admin: Client) => Promise<T>): Promise<T> =>
  as(withDatabase(serverUrl, 'postgres'), use)

async function as<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
