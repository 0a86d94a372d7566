/** The migrations from 1.0 on, while its processes serve and somebody reads for long, as a backup does. */
import { join } from 'node:path'
import { Client } from 'pg'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import { type Answer, ask, type Fleet, type startFleet } from '../scaling/fleet.ts'
import { eventually } from '../support/eventually.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { databaseOf, filesOf, version1 } from './versions.ts'

const test = apart(import.meta)

const TENANTS = 6
/** The promise: so much longer than without a migration, on whatever machine. */
const WAIT_MS_MAX = 2_000
/** Rounds of requests of each tenant before, while the reader is in the way, and after. */
const ROUNDS = 5

const commit = version1()
/** A clone without the history (as CI may make) cannot know 1.0. */
const declareTest = commit ? test : test.skip
const needsHistory = commit ? '' : ' (needs the history of the repository)'

type Request = { readonly what: string; readonly answer: Answer }

const slowestOf = (requests: readonly Request[]): number =>
  Math.round(Math.max(...requests.map(({ answer }) => answer.ms)))

/** Every tenant writes and reads without a pause. `rounds` resolves when each has done so many more. */
async function load(fleet: Fleet) {
  const [web] = fleet.webs
  const requests: Request[] = []
  const rounds = new Array<number>(2 * TENANTS).fill(0)
  let isOver = false
  const repeat = async (caller: number, round: () => Promise<readonly Request[]>) => {
    while (!isOver) {
      requests.push(...(await round()))
      rounds[caller] = (rounds[caller] ?? 0) + 1
    }
  }
  const callers = await Promise.all(
    Array.from({ length: TENANTS }, async (_, at) => {
      const { token } = await fleet.tenant()
      const send = async (path: string, body?: unknown): Promise<Request> => {
        const answer = await ask(web, token, path, body === undefined ? undefined : { body })
        return { what: `${body === undefined ? 'GET' : 'POST'} ${path}`, answer }
      }
      const { answer: product } = await send('/products', { title: 'Screw' })
      const { answer: customer } = await send('/customers', { title: 'Shop' })
      const item = { item_variant_id: product.body.variants[0].id }
      const order = { customer_id: customer.body.id, items: [{ ...item, quantity: 1, price: 9.99 }] }
      const receipt = { items: [{ ...item, quantity: 3, unit_cost: 1 }] }
      return [
        repeat(2 * at, async () => [await send('/stock-adjustments', receipt), await send('/sales-orders', order)]),
        repeat(2 * at + 1, async () => [await send('/stock'), await send('/sales-orders'), await send('/events')]),
      ]
    }),
  )
  const running = Promise.all(callers.flat())
  return {
    requests,
    more: async () => {
      const reached = rounds.map(done => done + ROUNDS)
      await eventually(async () => rounds.every((done, at) => done >= (reached[at] ?? 0)))
    },
    end: async () => {
      isOver = true
      await running
    },
  }
}

/** Holds every table as pg_dump does, but no snapshot, for which the indexes would wait before any table is locked. */
async function backup(databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'pg_dump' })
  await client.connect()
  await client.query('begin')
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  )
  await client.query(`lock table ${rows.map(({ name }) => name).join(', ')} in access share mode`)
  return client
}

declareTest(
  `1.0 serves while it is migrated beside an open reader: no request fails or waits longer than 2 s${needsHistory}`,
  async t => {
    const services = await testServices()
    const root = await filesOf(commit ?? '')
    const { databaseUrl, drop } = await databaseOf(root, services.databaseUrl)
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: services.redisUrl, WEBHOOK_SECRET_KEY: 'b'.repeat(64) }
    const { startFleet: start } = (await import(join(root, 'test/scaling/fleet.ts'))) as {
      startFleet: typeof startFleet
    }
    const fleet = await start(env, { webs: 1, workers: 1 })
    t.teardown(() => fleet.close())
    const { requests, more, end } = await load(fleet)
    await more()
    const calm = slowestOf(requests)
    const reader = await backup(databaseUrl)

    const said: string[] = []
    const say = (text: string) => void said.push(text)
    // As if all tables were large: indexes are made concurrently where they can be.
    const migrated = migrate(databaseUrl, { progress: { show: say, end: say }, largeBytes: 1 })
    const waiting = /^000025_fewer_keys.sql: try \d+ waits: pid \d+ \(pg_dump, /
    await eventually(async () => said.some(text => waiting.test(text)))
    await more()
    await reader.query('commit')
    const { applied } = await migrated
    await more()
    await end()

    t.true(applied.length > 10)
    t.true(said.some(text => text.includes('create unique index concurrently')))
    t.deepEqual(
      requests.filter(({ answer }) => answer.status >= 300).map(({ what, answer }) => `${what}: ${answer.text}`),
      [],
    )
    const slowest = slowestOf(requests)
    t.log(`${requests.length} requests, the slowest in ${slowest} ms, before the migration in ${calm} ms`)
    t.true(slowest < WAIT_MS_MAX + calm)
    const { rows } = await reader.query(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    )
    t.deepEqual(rows, [{ deadlocks: 0 }])
    await reader.end()
    t.deepEqual((await reconcile(databaseUrl)).faults, [])
    await fleet.close()
    await drop()
    await services.close()
  },
)
