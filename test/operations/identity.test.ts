/** How operators tell the processes of a service apart: by their metrics, and by their connections in PostgreSQL. */
import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { connectionString, withOptions } from '../../lib/platform/postgres/address.ts'
import { listMigrations, migrate } from '../../lib/platform/postgres/migrate.ts'
import { createPool, statement } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { isAtLength } from '../at-length.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { startProcess } from '../support/processes.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })
const longTest = isAtLength ? test : test.skip

const services = ofTests(test, testServices)
let observer: Client
test.before(async () => {
  observer = new Client({ connectionString: connectionString(services.databaseUrl), application_name: 'observer' })
  await observer.connect()
})
test.after.always(() => observer.end())

async function namesOfConnections(): Promise<string[]> {
  const { rows } = await observer.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() order by 1`,
  )
  return rows.map(({ name }) => name)
}

longTest('each process says which program it is, and each connection whose it is and what for', async t => {
  const east = new URL(services.databaseUrl)
  east.searchParams.set('schema', 'east')
  await migrate(east.href)
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  const migration = (await listMigrations()).at(-1)?.name.slice(0, 6)
  const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl, CELL_EAST_URL: east.href }
  const kinds = ['web', 'worker', 'webhook'] as const
  const processes = await Promise.all(
    kinds.map(kind => startProcess(kind, { ...env, MILLRACE_PROCESS: `${kind}.7`, MILLRACE_BUILD: 'a1b2c3' })),
  )
  for (const [at, { adminUrl }] of processes.entries()) {
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text()
    const [, labels = ''] = /^millrace_build_info\{(.*)\} 1$/m.exec(metrics) ?? []
    const kind = kinds[at]
    t.deepEqual(Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value])), {
      ...{ kind, version, build: 'a1b2c3', migration, node: process.version, process: `${kind}.7` },
    })
    await fetch(`${adminUrl}/readyz`)
  }
  // An unknown key is looked up in all cells.
  const [web] = processes
  t.deepEqual(await (await fetch(`${web?.url}/livez`)).json(), { status: 'ok', version })
  await fetch(`${web?.url}/api/external/v1/stock`, { headers: { authorization: `Bearer mrk_${'0'.repeat(40)}` } })
  const uses = ['web.7 keys', 'worker.7 chores', 'webhook.7 deliveries', 'web.7:east keys', 'worker.7:east chores']
  const wanted = uses.map(use => `${use} ${version}`)
  await eventually(async () => {
    const names = await namesOfConnections()
    return wanted.every(name => names.includes(name))
  })
  const pattern = /^(web|worker|webhook)\.7(:east)? (keys|reads|units|alone|patient|chores|deliveries) \d+\.\d+\.\d+$/
  for (const name of await namesOfConnections()) t.regex(name, pattern)
  await Promise.all(processes.map(each => each.end('SIGTERM')))
})

test('an address that names its connections is left as it is', async t => {
  const timeouts = { statementTimeoutMs: 60_000, idleInTransactionTimeoutMs: 60_000 }
  const namesOver = async (databaseUrl: string) => {
    const pool = await createPool(databaseUrl, { ...timeouts, name: 'ours 1', size: 1 })
    const trips = new RoundTripPool(databaseUrl, { ...timeouts, name: 'ours 2', size: 1 })
    await pool.query(statement`select 1`)
    await trips.use(connection => connection.send([{ text: 'select 1', values: [] }]))
    const names = await namesOfConnections()
    await Promise.all([pool.end(), trips.end()])
    await eventually(async () => (await namesOfConnections()).length === 0)
    return names
  }
  t.deepEqual(await namesOver(services.databaseUrl), ['ours 1', 'ours 2'])
  const named = new URL(withOptions(services.databaseUrl))
  named.searchParams.set('application_name', 'theirs')
  t.deepEqual(await namesOver(named.href), ['theirs'])
})
