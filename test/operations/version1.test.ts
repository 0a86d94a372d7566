/**
 * A database that version 1.0 filled, with processes of both versions on it: what it answers stays the same bytes, old keys
 * replay, and every command of 1.0 works on old documents, whichever version's server hands it to whichever version's worker.
 */
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import type { CommandEndpoint, Endpoint } from '../../lib/kit/api/endpoint.ts'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { secretBox } from '../../lib/platform/secret-box.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import { secretOwner, secretText } from '../../lib/webhooks/signature.ts'
import { makeWorld } from '../contract/world.ts'
import { type Answer, ask, type Fleet, type startFleet } from '../scaling/fleet.ts'
import type { Loose } from '../support/command-context.ts'
import { startProcess, type TestProcess } from '../support/processes.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { databaseOf, filesOf, version1 } from './versions.ts'

const test = apart(import.meta)

const commit = version1()
const SECRET_KEY = 'b'.repeat(64)
/** Tenants that are filled at once. */
const AT_ONCE = 12

/** A write as it was sent, and its replay as 1.0 answered it. */
type Kept = {
  readonly token: string
  readonly path: string
  readonly method: string
  readonly body: unknown
  readonly key: string
}
type Replayed = Kept & { readonly status: number; readonly text: string }
/** A command of 1.0, as it is sent to a tenant that has what it needs. */
type Case = {
  readonly endpoint: CommandEndpoint
  readonly token: string
  readonly path: string
  readonly body: unknown
}

const byServer = (web: TestProcess | undefined, { token, path, method, body, key }: Kept): Promise<Answer> =>
  ask(web, token, path, { body, method, key })

async function each<T, R>(all: readonly T[], work: (one: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = [...all.entries()]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.shift(); next; next = left.shift()) results[next[0]] = await work(next[1], next[0])
    }),
  )
  return results
}

/** The commands of 1.0, each with the record that its path names. No tenant gets two of a collection: examples have fixed texts. */
async function casesOf(fleet: Fleet, endpoints: readonly Endpoint[], kept: Kept[]): Promise<Case[]> {
  const groups: CommandEndpoint[][] = []
  for (const endpoint of endpoints) {
    if (endpoint.kind !== 'command') continue
    const collectionOf = ({ path }: Endpoint) => path.split('/')[1]
    const free = groups.find(group => group.every(other => collectionOf(other) !== collectionOf(endpoint)))
    if (free) free.push(endpoint)
    else groups.push([endpoint])
  }
  const cases = await each(groups, async group => {
    const { token } = await fleet.tenant()
    const post = async (path: string, body: unknown) => {
      const write = { token, path, method: 'POST', body, key: `${kept.length}` }
      kept.push(write)
      return byServer(fleet.webs[0], write)
    }
    const world = await makeWorld({ post: post as never }, endpoints)
    const own: Case[] = []
    for (const endpoint of group) {
      const record = await world.recordFor(endpoint.path)
      const path = endpoint.path.replaceAll(/\{\w+\}/g, String(record?.id))
      own.push({ endpoint, token, path, body: world.bodyOf(endpoint, record) })
    }
    return own
  })
  return cases.flat()
}

/** Runs the commands; each must do as the example of 1.0 promises. */
async function runAll(t: ExecutionContext, web: TestProcess | undefined, cases: readonly Case[]): Promise<Kept[]> {
  return each(cases, async ({ endpoint, token, path, body }, at) => {
    const write = { token, path, method: endpoint.method, body: endpoint.body ? body : {}, key: `case-${at}` }
    const { status, text } = await byServer(web, write)
    t.is(status, endpoint.success, `${endpoint.method} ${path}: ${text}`)
    return write
  })
}

/** What tells of the version and not of its data: the schemas of events. */
const OF_THE_VERSION = '/webhook-event-kinds'

/** Every answer to a GET of these tenants, by path: lists, and each of their records (telemetry is no list). */
async function answersOf(
  web: TestProcess | undefined,
  tokens: readonly string[],
  endpoints: readonly Endpoint[],
): Promise<Map<string, string>> {
  const seen = new Map<string, string>()
  await each(tokens, async token => {
    const get = async (path: string): Promise<Loose> => {
      const { status, text, body } = await ask(web, token, path)
      seen.set(`${token.slice(-6)} ${path}`, `${status} ${text}`)
      return body
    }
    for (const { kind, path } of endpoints) {
      if (kind !== 'list' || path.includes('{') || path === OF_THE_VERSION) continue
      const { data } = await get(path)
      for (const below of endpoints) {
        if (below.kind === 'command' || !below.path.startsWith(`${path}/{`)) continue
        for (const row of data) await get(below.path.replace(/\{\w+\}/, row.id ?? row.sales_return?.id))
      }
    }
  })
  return seen
}

/** Whether it has all of the fields, in their order and with their values; fields may have come since. */
function holds(after: Loose, before: Loose): boolean {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null)
    return after === before
  const names = Object.keys(before)
  const kept = Object.keys(after).filter(name => name in before)
  const isAll = Array.isArray(before) ? after.length === before.length : kept.join() === names.join()
  return isAll && names.every(name => holds(after[name], before[name]))
}

/** A status and JSON of each. */
function isAsBefore(before = '', after = ''): boolean {
  const [was, is] = [before, after].map(text => ({ status: text.slice(0, 3), body: text.slice(4) }))
  if (was?.body === is?.body || !was?.body || !is?.body) return before === after
  return was.status === is.status && holds(JSON.parse(is.body), JSON.parse(was.body))
}

/** What is not the same in both, but for fields that came later. */
const differences = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter(path => !isAsBefore(before.get(path), after.get(path)))
    .map(path => ({ path, before: before.get(path), after: after.get(path) }))

/** A clone without the history (as CI may make) cannot know 1.0: the test is skipped, and its name says so. */
const declareTest = commit ? test : test.skip

declareTest(
  `a database of 1.0 is served by both versions, each server beside each worker${commit ? '' : ' (needs the history of the repository)'}`,
  async t => {
    const services = await testServices()
    const root = await filesOf(commit ?? '')
    const { databaseUrl, drop } = await databaseOf(root, services.databaseUrl)
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: services.redisUrl, WEBHOOK_SECRET_KEY: SECRET_KEY }
    const redis = new Redis(services.redisUrl)
    t.log(`1.0 is ${commit?.slice(0, 12)}`)

    // 1.0 alone: what it says of itself, and every kind of data.
    const { endpoints } = (await import(join(root, 'lib/api/endpoints.ts'))) as { endpoints: readonly Endpoint[] }
    const { startFleet: start } = (await import(join(root, 'test/scaling/fleet.ts'))) as {
      startFleet: typeof startFleet
    }
    const { fillDemo } = (await import(join(root, 'lib/demo/data.ts'))) as typeof import('../../lib/tools/demo/data.ts')
    const fleet = await start(env, { webs: 1, workers: 1 })
    t.teardown(() => fleet.close())
    const [oldWeb] = fleet.webs
    const kept: Kept[] = []
    const demo = await fleet.tenant()
    const send = async (method: string, path: string, body?: unknown, key = `more-${kept.length}`): Promise<Loose> => {
      const write = { token: demo.token, path, method, body, key }
      const answer = method === 'GET' ? await ask(oldWeb, demo.token, path) : await byServer(oldWeb, write)
      if (method !== 'GET') kept.push(write)
      if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
      return answer.body
    }
    await fillDemo(send, line => t.fail(line))
    const subscription = await fillMore(send)
    const [alone, oldWorkers, oldWebs] = [
      await casesOf(fleet, endpoints, kept),
      await casesOf(fleet, endpoints, kept),
      await casesOf(fleet, endpoints, kept),
    ] as const
    kept.push(...(await runAll(t, oldWeb, alone)))
    const short = {
      token: demo.token,
      path: '/stock-transfers',
      method: 'POST',
      key: 'short',
      body: await shortage(oldWeb, demo.token),
    }
    const refused = await byServer(oldWeb, short)
    t.is(refused.body.error, 'insufficient_stock', refused.text)
    const replays: Replayed[] = await each(kept, async write => {
      const { status, text, replayed } = await byServer(oldWeb, write)
      t.true(replayed, `${write.path}: ${text}`)
      return { ...write, status, text }
    })
    const tokensOf = (cases: readonly Case[]) => new Set(cases.map(({ token }) => token))
    const tokens = [demo.token, ...tokensOf(alone)]
    const before = await answersOf(oldWeb, tokens, endpoints)
    t.log(`${before.size} answers to GETs, ${replays.length} writes to be replayed, ${alone.length} commands`)

    const isReplayed = async (web: TestProcess | undefined) => {
      await each(replays, async ({ status, text, ...write }) => {
        const again = await byServer(web, write)
        t.deepEqual([again.status, again.text, again.replayed], [status, text, true], write.path)
      })
      const { status, body } = await byServer(web, short)
      // Words may be others; the worker that decides says them.
      t.deepEqual([status, body.error], [409, refused.body.error])
    }

    t.true(before.size > 200 && alone.length > 30, 'every kind is there')

    // The migrations, then this version's server beside the worker of 1.0.
    await migrate(databaseUrl)
    const newWeb = await startProcess('web', env)
    t.teardown(() => newWeb.end('SIGKILL'))
    t.deepEqual(differences(before, await answersOf(newWeb, tokens, endpoints)), [])
    await isReplayed(newWeb)
    await runAll(t, newWeb, oldWorkers)

    // The worker of this version beside the server of 1.0. Redis forgot: what is replayed comes from the command log.
    await Promise.all(fleet.workers.map(worker => worker.end('SIGTERM')))
    await redis.flushdb()
    const newWorker = await startProcess('worker', env)
    t.teardown(() => newWorker.end('SIGKILL'))
    t.deepEqual(differences(before, await answersOf(oldWeb, tokens, endpoints)), [])
    await isReplayed(oldWeb)
    await runAll(t, oldWeb, oldWebs)

    // What both made together both show alike.
    const all = [...tokens, ...tokensOf([...oldWorkers, ...oldWebs])]
    t.deepEqual(differences(await answersOf(oldWeb, all, endpoints), await answersOf(newWeb, all, endpoints)), [])
    t.deepEqual((await reconcile(databaseUrl)).faults, [])
    t.is(await secretOf(databaseUrl, demo.id, subscription.id), subscription.secret)

    redis.disconnect()
    await Promise.all([newWeb.end('SIGTERM'), newWorker.end('SIGTERM'), fleet.close()])
    await drop()
    await services.close()
  },
)

/** What the demo and the examples lack: other ends of orders, a receipt in part, packings, an open return, a secret. */
async function fillMore(send: (method: string, path: string, body?: unknown) => Promise<Loose>): Promise<Loose> {
  const { data: stock } = await send('GET', '/stock')
  const { data: customers } = await send('GET', '/customers')
  const { data: sales } = await send('GET', '/sales-orders')
  const { data: purchases } = await send('GET', '/purchase-orders?delivery_status=NOT_RECEIVED')
  const order = () =>
    send('POST', '/sales-orders', {
      customer_id: customers[0].id,
      items: [{ item_variant_id: sales[0].items[0].item_variant_id, quantity: 1.5, price: 9.99, tax_rate: 7 }],
    })
  await send('PATCH', `/sales-orders/${(await order()).id}`, { status: 'CANCELLED', cancel_reason: 'Too late' })
  await send('PATCH', `/sales-orders/${(await order()).id}`, { status: 'DONE' })
  const packed = await order()
  await send('POST', `/sales-orders/${packed.id}/packings`, {
    items: [{ sales_order_item_id: packed.items[0].id, quantity: 1 }],
  })
  const [line] = purchases[0].items
  await send('POST', `/purchase-orders/${purchases[0].id}/receipts`, {
    storage_place_id: stock.find((row: Loose) => row.storage_place_id !== null).storage_place_id,
    items: [{ purchase_order_item_id: line.id, quantity: 0.5 }],
  })
  const shipped = sales.find((sale: Loose) => sale.delivery_status === 'SHIPPED')
  await send('POST', '/sales-returns', {
    sales_order_id: shipped.id,
    items: [{ sales_order_item_id: shipped.items[0].id, quantity: 0.5 }],
  })
  return send('POST', '/webhook-subscriptions', { url: 'https://example.com/hooks/old', events: ['*'] })
}

/** A transfer of more than there is. */
async function shortage(web: TestProcess | undefined, token: string): Promise<unknown> {
  const { body: places } = await ask(web, token, '/storage-places')
  const { body: stock } = await ask(web, token, '/stock')
  return {
    from_storage_place_id: places.data[0].id,
    to_storage_place_id: places.data[1].id,
    items: [{ item_variant_id: stock.data[0].item_variant_id, quantity: 1_000_000 }],
  }
}

/** A subscription's secret as this version opens it. */
async function secretOf(databaseUrl: string, tenantId: string, subscriptionId: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query('select sealed from webhook_secrets where subscription_id = $1', [subscriptionId])
  await client.end()
  return secretText(
    secretBox([Buffer.from(SECRET_KEY, 'hex')]).open(rows[0].sealed, secretOwner(tenantId, subscriptionId)),
  )
}
