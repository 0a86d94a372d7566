/**
 * Tenants move from cell to cell while callers write and read them, follow their events and get their webhooks. Each step is interrupted
 * and done again.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { connectionString, readAddress } from '../../lib/platform/postgres/address.ts'
import { createPool } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { registry } from '../../lib/platform/telemetry/metrics.ts'
import { securityReport } from '../../lib/security/report.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { moveTenant } from '../../lib/tools/moves/move.ts'
import { lockKeyOf, MOVING_LOCK } from '../../lib/tools/moves/mover.ts'
import { type Step, steps } from '../../lib/tools/moves/options.ts'
import { clear } from '../../lib/tools/moves/source.ts'
import { startMoveWatch } from '../../workers/commands/move-watch.ts'
import { startAllWebhooks } from '../../workers/webhooks/webhook-worker.ts'
import type { Cell } from '../../workers/worker-process.ts'
import type { Loose } from '../support/command-context.ts'
import { testDatabase } from '../support/database.ts'
import { openStream, StreamRefused } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import { testConfig } from '../support/pipeline.ts'
import { columns } from '../support/records.ts'
import { type Client, startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { wayTo } from '../support/way.ts'
import { type Arrival, receiver } from '../webhooks/receiver.ts'

const test = apart(import.meta, { isOneStory: true })

/** The pause between reads of a caller, so that writes have time. */
const PAUSE_MS = 50

const services = await testServices()
const other = await testDatabase(services.databaseUrl)
const west = await wayTo(other.url)
const east = new URL(services.databaseUrl)
east.searchParams.set('schema', 'cell_east')
const root = await mkdtemp(join(tmpdir(), 'millrace-drain-'))
const env = {
  DATABASE_URL: services.databaseUrl,
  REDIS_URL: services.redisUrl,
  CELL_EAST_URL: east.href,
  CELL_WEST_URL: west.url,
  WEBHOOK_SECRET_KEY: 'a'.repeat(64),
  WEBHOOK_ALLOWED_NETWORKS: 'loopback',
}
const urlOf: Record<string, string> = { main: env.DATABASE_URL, east: env.CELL_EAST_URL, west: env.CELL_WEST_URL }

async function run(line: string) {
  const said: string[] = []
  const say = (text: string) => said.push(text)
  const status = await runCommandLine(line.split(' '), { env, root, out: say, err: say })
  return { status, said: said.join('\n') }
}
async function json(line: string): Promise<Record<string, Loose>> {
  const { status, said } = await run(`${line} --json`)
  if (status !== 0) throw new Error(said)
  return JSON.parse(said.slice(said.indexOf('{')))
}
async function connectedTo<T>(cell: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: connectionString(urlOf[cell] ?? '') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const sqlIn = (cell: string, text: string, values: unknown[] = []): Promise<Loose[]> =>
  connectedTo(cell, async client => (await client.query(text, values)).rows)

await json('cell add east')
await json('cell add west')
/** From a cell on Citus all rows are copied while the writes are paused. */
const isCopiedWhilePaused = readAddress(services.databaseUrl).isDistributed
const config = testConfig(services, env)
const service = await startService(services, { env })
const options = { size: 6, statementTimeoutMs: 10_000, idleInTransactionTimeoutMs: 10_000 }
const cells = (await Promise.all(
  Object.entries(urlOf).map(async ([name, databaseUrl]) => ({
    ...{ name, databaseUrl },
    pool: await createPool(databaseUrl, options),
  })),
)) as unknown as readonly [Cell, ...Cell[]]
const redis = connectRedis(services.redisUrl, 'worker', 'test webhooks')
const log = createLog({ level: 'silent', processName: 'test' })
const webhooks = await startAllWebhooks({ config, cells, redis, log })
// The receiver is slower than the writes, so that there is always a webhook to send.
const hook = await receiver(response => setTimeout(() => response.writeHead(200).end(), 100))

async function newTenant(cell: string): Promise<Client> {
  const made = await json(`tenant create --name Acme --owner-email o@acme.example --plan pro --cell ${cell}`)
  const id = String(made['tenant_id'])
  const limits = '--rate-per-minute 1000000 --burst 100000 --daily-documents 100000'
  const key = await json(`key issue --tenant ${id} ${limits}`)
  return service.client(id, { keyId: String(key['key_id']), token: String(key['token']) })
}

const moveOptions = {
  cells: cells.map(cell => ({ ...cell, pool: async () => cell.pool })),
  redis,
  queueShards: config.queueShards,
  keptMs: 0,
  // Moves the tenant as if it had millions of rows.
  fewRows: 0,
}
/**
 * All rows are copied while the writes are paused, which makes no trigger. The rest of such a move is the same as that of a large tenant.
 */
const whilePaused = { ...moveOptions, fewRows: 1_000_000, pauseMsMax: 60_000 }
const poolOf = (name: string) => (cells.find(cell => cell.name === name) ?? cells[0]).pool
class Stopped extends Error {}
/** Moves a tenant. With `at` the move is interrupted after that step. */
const move = (
  tenantId: string,
  to: string,
  at?: Step | 'in the copy',
  { options = moveOptions, onStop = () => {} }: { options?: typeof moveOptions; onStop?: () => void } = {},
) =>
  moveTenant(
    { tenantId, to },
    {
      ...options,
      onStep: step => {
        if (step !== at) return
        onStop()
        throw new Stopped()
      },
      onRows: rows => {
        if (at === 'in the copy' && rows > 20) throw new Stopped()
      },
    },
  )

const moveWhilePaused = (tenantId: string, to: string, at?: Step, onStop?: () => void) =>
  move(tenantId, to, at, { options: whilePaused, ...(onStop ? { onStop } : {}) })

/** Every table with rows of tenants, found in the catalogue, and a digest of this tenant's rows in it. */
const digests = (cell: string, tenantId: string): Promise<Record<string, string>> =>
  connectedTo(cell, async client => {
    const { rows: tables } = await client.query(
      `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and c.relname not in ('key_changes', 'cell_tenants', 'cell_keys', 'tenant_moves') order by 1`,
    )
    const found: Record<string, string> = {}
    for (const { relname } of tables) {
      const { rows } = await client.query(
        `select count(*)::text || ' ' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as digest from ${relname} t where tenant_id = $1`,
        [tenantId],
      )
      found[relname] = rows[0].digest
    }
    return found
  })

/** A caller as the documentation advises: it sends the same key again while the answer is 503. */
function callerOf(client: Client) {
  const acknowledged = new Map<string, Loose>()
  const statuses = new Map<number, number>()
  const faults: string[] = []
  let lastEvent = 0n
  let reads = 0
  let isOver = false
  const note = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const write = async (at: number) => {
    let last = 0n
    for (let n = 0; !isOver; n++) {
      const key = randomUUID()
      for (;;) {
        const reply = await client.post('/suppliers', { title: `S-${at}-${n}` }, key)
        note(reply.status)
        if (reply.status === 503) {
          await delay(PAUSE_MS)
          continue
        }
        if (reply.status !== 201) faults.push(`a write was answered ${reply.status}: ${reply.text}`)
        acknowledged.set(key, reply.body)
        if (BigInt(reply.body.id) <= last) faults.push(`id ${reply.body.id} came behind ${last}`)
        last = BigInt(reply.body.id)
        break
      }
      await read(String(last))
      await delay(PAUSE_MS)
    }
  }
  const readOn = async () => {
    for (; !isOver; await delay(PAUSE_MS)) {
      const made = [...acknowledged.values()].at(-1)
      await (made === undefined ? eventually(() => acknowledged.size > 0) : read(made.id))
    }
  }
  const read = async (id: string) => {
    const before = lastEvent
    const reply = await client.get(`/suppliers/${id}`)
    reads++
    if (reply.status === 503) return
    if (reply.status !== 200) return void faults.push(`a read of ${id} was answered ${reply.status}`)
    const sequence = BigInt(reply.headers.get('event-sequence') ?? '0')
    if (sequence < before) faults.push(`the last event was ${sequence} behind ${before}`)
    if (sequence > lastEvent) lastEvent = sequence
  }
  const running = [...[0, 1, 2].map(write), readOn()]
  return {
    acknowledged,
    statuses,
    faults,
    reads: () => reads,
    stop: async () => {
      isOver = true
      await Promise.all(running)
    },
  }
}

function follow(client: Client, from: number) {
  const faults: string[] = []
  let [last, streams] = [from, 0]
  let isOver = false
  const running = (async () => {
    while (!isOver) {
      const stream = await openStream(client, '/events/stream', { 'last-event-id': String(last) }).catch(error => {
        if (error instanceof StreamRefused && error.status === 503) return null
        throw error
      })
      if (stream === null) continue
      streams++
      let taken = 0
      await eventually(
        () => {
          for (const { id } of stream.received.slice(taken)) {
            if (id !== last + 1) faults.push(`event ${id} came behind ${last}`)
            last = id
            taken++
          }
          return stream.isClosed || isOver
        },
        // A stream ends when its tenant leaves the cell.
        { what: 'the end of a stream' },
      )
      stream.close()
    }
  })()
  return {
    faults,
    last: () => last,
    streams: () => streams,
    stop: async () => {
      isOver = true
      await running
    },
  }
}

const big = await newTenant('main')
await sqlIn(
  'main',
  'create table added_later (tenant_id bigint references tenants, id bigint, primary key (tenant_id, id))',
)
for (const cell of ['east', 'west'])
  await sqlIn(
    cell,
    'create table added_later (tenant_id bigint references tenants, id bigint, primary key (tenant_id, id))',
  )
await sqlIn('main', 'insert into added_later values ($1, 7)', [big.tenantId])

// After the last top-level await, since AVA runs the first hook that is registered first.
test.after.always(async () => {
  await west.mend().catch(() => {})
  await webhooks.close()
  await service.close()
  await Promise.all([hook.close(), closeRedis(redis), ...cells.map(({ pool }) => pool.end())])
  await west.close()
  await other.close()
  await services.close()
  await rm(root, { recursive: true })
})

test('a tenant moves under load, broken off again and again, and nobody notices but by waiting', async t => {
  let demoSuppliers = 0
  const send = async (method: string, path: string, body?: unknown, key?: string) => {
    if (path === '/suppliers' && method === 'POST') demoSuppliers++
    const reply =
      method === 'GET' ? await big.get(path) : await big.request(method, path, { body, ...(key ? { key } : {}) })
    if (reply.status >= 400) throw new Error(reply.text)
    return reply.body
  }
  await fillDemo(send, line => t.fail(line))
  const subscription = await big.post('/webhook-subscriptions', { url: hook.url, events: ['supplier.created'] })
  t.is(subscription.status, 201)
  const { body: before } = await big.get('/events?limit=1&order=desc')
  const begun = Number(before.data[0].sequence)
  const [caller, follower] = [callerOf(big), follow(big, begun)]
  await eventually(() => caller.acknowledged.size > 10 && follower.last() > begun)

  const online = ['watched', 'copied', 'caught up']
  // The other steps leave nothing that these steps do not leave too. `npm run torture` kills movers before all kinds of statements.
  const few = steps.filter(step => !['noted', 'copied', 'webhooks are paused'].includes(step))
  const taken = isCopiedWhilePaused ? few.filter(step => !online.includes(step)) : few
  const paused = [
    'writes are paused',
    'complete',
    'switched',
    'left the source',
    ...(isCopiedWhilePaused ? ['in the copy'] : []),
  ]
  const copying = taken.indexOf(isCopiedWhilePaused ? 'writes are paused' : 'watched') + 1
  for (const at of [...taken.slice(0, copying), 'in the copy', ...taken.slice(copying)] as const) {
    const count = caller.acknowledged.size
    await t.throwsAsync(move(big.tenantId, 'west', at), { instanceOf: Stopped }, at)
    // The source counts requests that read for as long as it answers them.
    if (at === 'complete') {
      const sent = hook.arrivals.length
      const requests = async () => (await sqlIn('main', 'select count(*)::int from security_recent'))[0].count
      const before = await requests()
      await eventually(async () => (await requests()) > before, { what: 'requests counted' })
      t.is(hook.arrivals.length, sent, 'webhooks are paused, though there are some to send')
    }
    // The tenant is served as usual before its writes are paused, and after it has arrived.
    if (!paused.includes(at)) await eventually(() => caller.acknowledged.size > count, { what: `a write after ${at}` })
  }
  t.like(await move(big.tenantId, 'west'), { was: 'none' })
  await eventually(() => follower.streams() > 1, { what: 'the stream begins anew' })
  await caller.stop()

  t.deepEqual(caller.faults, [])
  const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text()
  t.regex(metrics, /outcome="done"/)
  t.notRegex(metrics, /outcome="service_unavailable"/, 'no command is refused for the move')
  t.deepEqual(
    [...caller.statuses.keys()].filter(status => status !== 201 && status !== 503),
    [],
  )
  for (const [key, made] of [...caller.acknowledged].slice(-20).concat([...caller.acknowledged].slice(0, 20))) {
    const again = await big.post('/suppliers', { title: made.title }, key)
    t.is(again.headers.get('idempotent-replayed'), 'true')
    t.deepEqual(again.body, made)
  }
  const [{ count }] = await sqlIn(
    'west',
    `select count(*)::int from suppliers where tenant_id = $1 and title like 'S-%'`,
    [big.tenantId],
  )
  t.is(count, caller.acknowledged.size, 'each acknowledged command is there once')

  const [{ last }] = await sqlIn(
    'west',
    'select event_sequence::int as last from tenant_streams where tenant_id = $1',
    [big.tenantId],
  )
  await eventually(() => follower.last() >= last, { what: 'all events' })
  await follower.stop()
  t.deepEqual(follower.faults, [])
  const delivered = () => Map.groupBy(hook.arrivals, ({ headers }: Arrival) => headers['webhook-id'] ?? '')
  await eventually(() => delivered().size === caller.acknowledged.size, { what: 'all webhooks' })
  t.true(
    [...delivered().values()].every(of => of.length === 1),
    'each webhook came once',
  )

  const left = await digests('main', big.tenantId)
  t.deepEqual(
    Object.entries(left).filter(([, digest]) => digest !== '0 '),
    [],
    'nothing stays in the source',
  )
  t.deepEqual(await sqlIn('west', 'select id::int from added_later'), [{ id: 7 }])
  t.like(await json('reconcile'), { faults: [] })
  // The counts of requests are written a few seconds later, in whichever cell the request was answered.
  const writes = [...caller.statuses.values()].reduce((sum, some) => sum + some, 0) + 40 + demoSuppliers
  const day = new Date().toISOString().slice(0, 10)
  const asked = {
    windowStart: `${day}T00:00:00.000Z`,
    windowEnd: `${day}T23:59:59.000Z`,
    now: new Date().toISOString(),
  }
  const counted = async () => {
    const { by_route: routes } = await securityReport(poolOf('west'), { tenantId: big.tenantId, ...asked })
    const of = (method: string, path: string) =>
      routes.find(each => each.method === method && each.route === path)?.requests
    return { writes: of('POST', '/suppliers'), reads: of('GET', '/suppliers/{id}') }
  }
  const expected = { writes, reads: caller.reads() }
  await eventually(async () => isDeepStrictEqual(await counted(), expected)).catch(async () =>
    t.deepEqual(await counted(), expected),
  )
})

test('every table with rows of tenants is copied to the last row, and ids rise from there', async t => {
  const before = await digests('west', big.tenantId)
  const [{ top }] = await sqlIn('west', 'select max(id)::text as top from suppliers where tenant_id = $1', [
    big.tenantId,
  ])
  t.like(await move(big.tenantId, 'east'), { from: 'west', to: 'east', was: 'moved' })
  const after = await digests('east', big.tenantId)
  const { security_recent: counted, ...rows } = after
  const { security_recent: _, ...rowsBefore } = before
  t.truthy(counted)
  t.deepEqual(rows, rowsBefore)
  const empty = Object.keys(rows).filter(table => rows[table] === '0 ')
  t.true(empty.length < Object.keys(rows).length / 3, `tables without rows: ${empty}`)
  const made = await big.post('/suppliers', { title: 'risen' })
  t.true(BigInt(made.body.id) > BigInt(top))
  t.is(BigInt(made.body.id) % 1024n, 1n)
})

test('a cell that is away takes no tenant and loses none; a move that is not decided is given up', async t => {
  await west.cut()
  const refused = await run(`tenant move --tenant ${big.tenantId} --cell west`)
  t.is(refused.status, 1)
  t.regex(refused.said, /(?:does not answer|ended|terminated|refused).*nothing has happened/i)
  t.is((await big.post('/suppliers', { title: 'meanwhile' })).status, 201)
  await west.mend()
  // While the writes are paused the move would end for the silence of the mover. Here the copy itself must fail.
  const cutWithin = moveTenant(
    { tenantId: big.tenantId, to: 'west' },
    { ...moveOptions, onRows: () => void west.cut() },
  )
  await t.throwsAsync(cutWithin)
  await west.mend()
  await t.throwsAsync(moveWhilePaused(big.tenantId, 'west', 'complete'), { instanceOf: Stopped })
  const listed = await json('cell list')
  t.like(listed['moves'][0], {
    tenant_id: big.tenantId,
    from: 'east',
    to: 'west',
    is_switched: false,
    is_under_way: false,
  })
  t.regex((await run(`key revoke ${big.keyId}`)).said, /is being moved to another cell/)
  t.regex((await run(`tenant move --tenant ${big.tenantId} --cell main`)).said, /is on its way to west/)
  const doctor = (await run('doctor')).said
  t.regex(doctor, new RegExp(`FAULT +tenant ${big.tenantId} is on its way from east to west: its reads go on`))
  t.regex(doctor, /--cell west goes on with it, --cell east gives it up/)
  const mover = new pg.Client({ connectionString: connectionString(env.DATABASE_URL) })
  await mover.connect()
  await mover.query('select pg_advisory_lock($1, $2)', [MOVING_LOCK, lockKeyOf(big.tenantId)])
  t.like((await json('cell list'))['moves'][0], { is_under_way: true })
  t.regex((await run('doctor')).said, new RegExp(`ok +tenant ${big.tenantId} is on its way`))
  t.regex((await run(`tenant move --tenant ${big.tenantId} --cell west`)).said, /another is moving/)
  await mover.end()
  await west.cut()
  const goesOn = await run(`tenant move --tenant ${big.tenantId} --cell west`)
  t.regex(goesOn.said, /the move broke off: .* reads go on.* What to do: bin\/millrace tenant move/)
  const givenUp = await json(`tenant move --tenant ${big.tenantId} --cell east`)
  t.like(givenUp, { moved: false, cell: 'east', copy_left: true })
  t.is((await big.post('/suppliers', { title: 'given up' })).status, 201)
  await west.mend()
  // The interrupted copy stays in the target. The next move must not take it for its own.
  await t.throwsAsync(moveWhilePaused(big.tenantId, 'west', 'writes are paused'), { instanceOf: Stopped })
  await t.throwsAsync(moveWhilePaused(big.tenantId, 'west', 'complete'), { instanceOf: Stopped })
  t.is((await sqlIn('west', `select from suppliers where title = 'given up'`)).length, 1)
  // A failover may lose that the writes were paused. The next move must not take the copy of that move for its own either.
  await sqlIn('east', 'update tenants set moving = null')
  t.is((await big.post('/suppliers', { title: 'failed over' })).status, 201)
  await t.throwsAsync(moveWhilePaused(big.tenantId, 'west', 'writes are paused'), { instanceOf: Stopped })
  await t.throwsAsync(moveWhilePaused(big.tenantId, 'west', 'complete'), { instanceOf: Stopped })
  for (const title of ['meanwhile', 'given up', 'failed over'])
    t.is((await sqlIn('west', 'select from suppliers where title = $1', [title])).length, 1, title)
  t.like(await json(`tenant move --tenant ${big.tenantId} --cell east`), { moved: false })
  t.deepEqual(
    Object.entries(await digests('west', big.tenantId)).filter(([, digest]) => digest !== '0 '),
    [],
  )
})

test('a failover of the source is known in the target: its generation is no earlier, and the same numbers are left out', async t => {
  // As after a failover: replays of before are not believed, and numbers are left out with the next event.
  await sqlIn('east', 'select begin_generation(true)')
  const key = randomUUID()
  const [{ last }] = await sqlIn(
    'east',
    'select event_sequence::text as last from tenant_streams where tenant_id = $1',
    [big.tenantId],
  )
  await moveWhilePaused(big.tenantId, 'west')
  const [{ east, west }] = await sqlIn(
    'west',
    'select (select max(generation)::text from generations) as west, $1::text as east',
    [(await sqlIn('east', 'select max(generation)::text as g from generations'))[0].g],
  )
  t.true(BigInt(west) >= BigInt(east))
  const made = await big.post('/suppliers', { title: 'gap' }, key)
  t.is(made.status, 201)
  const [gap] = await sqlIn('west', 'select * from event_gaps where tenant_id = $1', [big.tenantId])
  t.is(gap.after_sequence, last)
  t.true(BigInt(gap.until_sequence) - BigInt(last) >= 1_000_000n)
  const next = await big.get(`/events?after_sequence=${last}`)
  t.is(next.status, 200, next.text)
})

test('what a failover or a restore takes from a move, or brings back, is never taken for the tenant', async t => {
  const small = await newTenant('main')
  const of = [small.tenantId]
  const write = async (title: string) => t.is((await small.post('/suppliers', { title })).status, 201, title)
  const titlesIn = async (cell: string) =>
    (await sqlIn(cell, 'select title from suppliers where tenant_id = $1 order by id', of)).map(({ title }) => title)
  const byHand = (cell: string) => run(`tenant move --tenant ${small.tenantId} --cell ${cell}`)
  await write('one')

  // The source loses that its writes are paused, though the cells are switched.
  await t.throwsAsync(moveWhilePaused(small.tenantId, 'east', 'switched'), { instanceOf: Stopped })
  await sqlIn('main', 'update tenants set moving = null where tenant_id = $1', of)
  await write('two')
  t.like(await moveWhilePaused(small.tenantId, 'east'), { was: 'moved' })
  t.deepEqual(await titlesIn('east'), ['one', 'two'])

  // The target loses that the tenant has arrived.
  await t.throwsAsync(moveWhilePaused(small.tenantId, 'main', 'arrived'), { instanceOf: Stopped })
  await sqlIn('main', 'delete from tenant_streams where tenant_id = $1', of)
  await t.throwsAsync(moveWhilePaused(small.tenantId, 'main'), { message: /main has lost the tenant/ })
  t.regex((await run('doctor')).said, /FAULT +tenant \d+ is on its way from east to main and cannot go back/)
  t.like(await moveWhilePaused(small.tenantId, 'main'), { was: 'moved' })
  await write('three')
  t.deepEqual(await titlesIn('main'), ['one', 'two', 'three'])

  // The main cell loses that a tenant is on its way.
  await t.throwsAsync(moveWhilePaused(small.tenantId, 'east', 'writes are paused'), { instanceOf: Stopped })
  await sqlIn('main', 'delete from tenant_moves')
  t.regex(
    (await run('doctor')).said,
    new RegExp(`tenant ${small.tenantId} is paused in main for a move that main has lost`),
  )
  t.regex((await byHand('main')).said, /lives in main already/)
  await write('four')
  await t.throwsAsync(moveWhilePaused(small.tenantId, 'east', 'left the source'), { instanceOf: Stopped })
  await sqlIn('main', 'update tenant_moves set switched_at = null')
  await t.throwsAsync(moveWhilePaused(small.tenantId, 'main'), {
    message: /has left main: finish its move, with --cell east/,
  })
  await t.throwsAsync(moveWhilePaused(small.tenantId, 'east', 'arrived'), { instanceOf: Stopped })
  await sqlIn('main', 'update tenant_moves set switched_at = null, arrived_at = null')
  t.like(await moveWhilePaused(small.tenantId, 'east'), { was: 'moved' })
  t.like(await moveWhilePaused(small.tenantId, 'main'), { was: 'moved' })

  // A restored target has it, too.
  await sqlIn('east', `insert into tenants (tenant_id, name, owner_email) values ($1, 'Acme', 'o@acme.example')`, of)
  await sqlIn('east', 'insert into tenant_streams (tenant_id) values ($1)', of)
  for (const _ of ['at first', 'again']) t.regex((await byHand('east')).said, /lives in main and in east/)
  t.deepEqual((await json('cell list'))['moves'], [])
  await write('five')
  await sqlIn('east', 'delete from tenant_streams where tenant_id = $1', of)

  // The target loses it when half of the source is removed already: what is left there is not all of it.
  await t.throwsAsync(moveWhilePaused(small.tenantId, 'east', 'arrived'), { instanceOf: Stopped })
  const source = new pg.Client({ connectionString: connectionString(env.DATABASE_URL) })
  await source.connect()
  const query = source.query.bind(source)
  source.query = ((text: string, ...rest: []) => {
    if (/delete from items/.test(text)) throw new Stopped()
    return query(text, ...rest)
  }) as typeof source.query
  await t.throwsAsync(clear(source, small.tenantId), { instanceOf: Stopped })
  await source.end()
  await sqlIn('east', 'delete from tenant_streams where tenant_id = $1', of)
  await t.throwsAsync(moveWhilePaused(small.tenantId, 'east'), { message: /east has lost the tenant/ })
  t.regex((await byHand('east')).said, /is in neither cell/)
  t.deepEqual(await titlesIn('east'), ['one', 'two', 'three', 'four', 'five'], 'nor is what the target has removed')

  await sqlIn('east', 'insert into tenant_streams (tenant_id) values ($1)', of)
  t.like(await moveWhilePaused(small.tenantId, 'east'), { was: 'moved' })
  await sqlIn('main', 'delete from cell_tenants where tenant_id = $1', of)
  await sqlIn('main', 'delete from cell_keys where tenant_id = $1', of)
  await sqlIn('east', 'delete from tenant_streams where tenant_id = $1', of)
  const east = new pg.Client({ connectionString: connectionString(env.CELL_EAST_URL) })
  await east.connect()
  await clear(east, small.tenantId)
  await east.end()
})

test('a move that cannot be taken up is told until it is over, and so is a pause that main has lost', async t => {
  const lines: string[] = []
  const watch = startMoveWatch(
    { config, cells, redis, log: pino({}, { write: line => void lines.push(line) }) },
    { lookEveryMs: 50, tryEveryMs: 200, keptMs: 0 },
  )
  const listed = async () => (await json('cell list'))['moves'] as unknown[]
  const counted = async (state: string) =>
    new RegExp(`^millrace_tenant_moves\\{state="${state}"[^}]*} (\\d+)$`, 'm').exec(await registry.metrics())?.[1]
  await t.throwsAsync(
    moveWhilePaused(big.tenantId, 'main', 'switched', () => void west.cut()),
    { instanceOf: Stopped },
  )
  await eventually(async () => (await counted('broken_off')) === '1', { what: 'the metric' })
  await eventually(() => lines.some(line => /"level":50.*cannot be taken up/.test(line)), { what: 'the log line' })
  const doctor = await run('doctor')
  t.is(doctor.status, 1)
  t.regex(doctor.said, new RegExp(`FAULT +tenant ${big.tenantId} is on its way from west to main and cannot go back`))
  await west.mend()
  await eventually(async () => (await counted('broken_off')) === '0', { what: 'the move goes on' })
  t.is((await big.post('/suppliers', { title: 'taken up' })).status, 201)
  // The tenant is served before its source is cleared.
  await eventually(async () => (await listed()).length === 0, { what: 'the end of the move' })

  await watch.close()
  await t.throwsAsync(moveWhilePaused(big.tenantId, 'west', 'writes are paused'), { instanceOf: Stopped })
  await sqlIn('main', 'delete from tenant_moves')
  const lost = await run('doctor')
  t.is(lost.status, 1)
  t.regex(lost.said, new RegExp(`FAULT +tenant ${big.tenantId} is paused in main for a move that main has lost`))
  const again = startMoveWatch({ config, cells, redis, log }, { lookEveryMs: 50 })
  await eventually(async () => (await big.post('/suppliers', { title: 'goes on' })).status === 201)
  await again.close()
  // Nobody can go on with it before the target answers.
  await t.throwsAsync(
    move(big.tenantId, 'west', isCopiedWhilePaused ? 'webhooks are paused' : 'copied', {
      onStop: () => void west.cut(),
    }),
    { instanceOf: Stopped },
  )
  const third = startMoveWatch({ config, cells, redis, log }, { lookEveryMs: 50 })
  await eventually(async () => (await sqlIn('main', 'select from tenant_moves')).length === 0, {
    what: 'it is given up',
  })
  await eventually(async () => (await sqlIn('main', 'select from tenant_watches')).length === 0, { what: 'no watch' })
  t.is((await big.post('/suppliers', { title: 'given up by a worker' })).status, 201)
  await third.close()
  await west.mend()
  t.like(await moveWhilePaused(big.tenantId, 'west'), { was: 'moved' })
})

test('a cell is drained of all its tenants, and the same again changes nothing', async t => {
  const small = [await newTenant('west'), await newTenant('west')]
  for (const client of small) await client.post('/suppliers', { title: 'small' })
  t.like(await json('cell drain west --to main'), { name: 'west', moved: 3 })
  t.like(await json('cell drain west'), { moved: 0 })
  const { cells: listed } = await json('cell list')
  t.deepEqual(columns(listed, 'name', 'weight', 'tenants'), [
    ['main', 1, 3],
    ['east', 1, 0],
    ['west', 0, 0],
  ])
  for (const client of [big, ...small]) {
    t.is((await client.get('/suppliers')).status, 200)
    const made = await client.post('/suppliers', { title: 'in main' })
    t.is(made.status, 201)
    t.is(BigInt(made.body.id) % 1024n, 0n)
  }
  const { key_id: keyId, token } = await json(`key rotate ${big.keyId}`)
  t.is((await service.client(big.tenantId, { keyId, token }).get('/suppliers')).status, 200)
  t.like(await json('reconcile'), { tenants: 3, faults: [] })
})
