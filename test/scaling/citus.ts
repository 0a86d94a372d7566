/**
 * Runs the service on a Citus cluster and says what it saw: two distributed cells on two nodes beside the main one, business in all
 * of them, and a cell that moves to the other node while its tenant writes. Not a part of `npm test`.
 *
 *   CITUS_URL=postgres://user@host:port/database node test/scaling/citus.ts
 *
 * The cluster: Citus 13 on PostgreSQL 17, or on 15 and 16 with a collation `pg_catalog.pg_c_utf8` made on every node; a
 * coordinator without shards and at least two workers; `wal_level = logical` and `citus.enable_unsafe_triggers = on`
 * everywhere. The user may make schemas and move them. The schemas `millrace_main`, `millrace_one` and `millrace_two` are made anew.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { runCommandLine } from '../../lib/cli/main.ts'
import { sendOver } from '../../lib/demo/client.ts'
import { fillDemo } from '../../lib/demo/data.ts'
import { createPool } from '../../lib/postgres/postgres.ts'
import { connectRedis } from '../../lib/redis/redis.ts'
import { createLog } from '../../lib/telemetry/log.ts'
import { startWebhooks } from '../../workers/webhooks/webhooks.ts'
import { eventually } from '../support/eventually.ts'
import { testConfig } from '../support/pipeline.ts'
import { testRedis } from '../support/redis.ts'
import { servers } from '../support/servers.ts'
import { startService } from '../support/service.ts'
import { receiver } from '../webhooks/receiver.ts'

const cluster = process.env['CITUS_URL']
if (!cluster) {
  console.log('CITUS_URL is not set: nothing is run')
  process.exit(0)
}

const WRITERS = 4
const PATIENCE_MS = 120_000

const addressOf = (schema: string): string => {
  const url = new URL(cluster)
  url.searchParams.set('schema', schema)
  url.searchParams.set('citus', 'on')
  return url.href
}
const urls = { main: addressOf('millrace_main'), one: addressOf('millrace_one'), two: addressOf('millrace_two') }

let failures = 0
function must(holds: boolean, what: string): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
  if (!holds) failures++
}

const admin = new Client({ connectionString: cluster })
await admin.connect()
for (const schema of ['millrace_main', 'millrace_one', 'millrace_two'])
  await admin.query(`drop schema if exists ${schema} cascade`)

const { redisUrl, stop } = await servers()
const redis = await testRedis(redisUrl)
const root = await mkdtemp(join(tmpdir(), 'millrace-citus-'))
const env = {
  DATABASE_URL: urls.main,
  REDIS_URL: redis.url,
  CELL_ONE_URL: urls.one,
  CELL_TWO_URL: urls.two,
  WEBHOOK_SECRET_KEY: 'a'.repeat(64),
  WEBHOOK_ALLOWED_NETWORKS: 'loopback',
}
async function json(line: string): Promise<Record<string, unknown>> {
  const said: string[] = []
  const say = (text: string) => said.push(text)
  const status = await runCommandLine(`${line} --json`.split(' '), { env, root, out: say, err: say })
  if (status !== 0) throw new Error(said.join('\n'))
  return JSON.parse(said.join('\n'))
}

await json('migrate')
for (const cell of ['one', 'two']) await json(`cell add ${cell}`)
const nodeOf = async (schema: string): Promise<string> => {
  const { rows } = await admin.query<{ node: string }>(
    `select distinct p.nodename || ':' || p.nodeport as node
     from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid join pg_dist_shard_placement p using (shardid)
     where c.relnamespace = $1::regnamespace`,
    [schema],
  )
  if (rows.length !== 1) throw new Error(`${schema} lies on ${rows.length} nodes`)
  return rows[0]?.node ?? ''
}
const { rows: workers } = await admin.query<{ node: string }>(
  `select node_name || ':' || node_port as node from citus_get_active_worker_nodes() order by 1`,
)
/** Without copying under way, which the test is about later. */
async function place(schema: string, node: string): Promise<void> {
  if ((await nodeOf(schema)) === node) return
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(node) ?? []
  await admin.query(`select citus_schema_move($1::regnamespace, $2, $3, 'block_writes')`, [schema, host, Number(port)])
}
const [first = '', second = ''] = workers.map(({ node }) => node)
await place('millrace_one', first)
await place('millrace_two', second)
must((await nodeOf('millrace_one')) !== (await nodeOf('millrace_two')), 'two cells lie on two nodes')

const service = await startService({ databaseUrl: urls.main, redisUrl: redis.url }, { env })
const log = createLog({ level: 'warn', processName: 'citus' })
const config = testConfig({ databaseUrl: urls.main, redisUrl: redis.url }, env)
const pools = await Promise.all(
  Object.entries(urls).map(async ([cell, url]) => ({
    cell,
    pool: await createPool(url, { size: 5, statementTimeoutMs: 30_000, idleInTransactionTimeoutMs: 30_000 }),
  })),
)
const waiting = connectRedis(redis.url, 'worker', 'citus webhooks')
const webhooks = await Promise.all(
  pools.map(({ cell, pool }) => startWebhooks({ config, cell, pool, redis: waiting, log })),
)
const inbox = await receiver()

for (const cell of ['main', 'one', 'two']) {
  const { tenant_id: id } = await json(
    `tenant create --name Acme --owner-email o@acme.example --plan pro --cell ${cell}`,
  )
  const { key_id: keyId, token } = await json(
    `key issue --tenant ${id} --rate-per-minute 1000000 --burst 100000 --daily-documents 1000000`,
  )
  const client = service.client(String(id), { keyId: String(keyId), token: String(token) })
  const subscription = await client.post('/webhook-subscriptions', { url: `${inbox.url}/${cell}`, events: ['*'] })
  must(subscription.status === 201, `${cell}: a subscription is made (${subscription.status})`)
  const refused: string[] = []
  await fillDemo(sendOver(service.url, String(token)), line => refused.push(line))
  must(refused.length === 0, `${cell}: the demo's whole business is written ${refused.join('; ')}`)
  const last = Number((await client.get('/events?limit=1')).headers.get('event-sequence'))
  const delivered = () =>
    new Set(inbox.arrivals.filter(({ path }) => path.endsWith(`/${cell}`)).map(({ text }) => text)).size
  await eventually(async () => delivered() >= last - 1 || null, { timeoutMs: PATIENCE_MS }).catch(() => {})
  must(delivered() >= last - 1, `${cell}: ${delivered()} of ${last} events are delivered`)

  // The other node may give ids of any range; those of the coordinator go on.
  if (cell === 'main') continue
  const schema = `millrace_${cell}`
  const target = (await nodeOf(schema)) === first ? second : first
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(target) ?? []
  let isMoving = true
  const done: { readonly key: string; readonly id: bigint; readonly ms: number }[] = []
  const writers = Array.from({ length: WRITERS }, async () => {
    for (let last = 0n; isMoving; ) {
      const key = randomUUID()
      const began = performance.now()
      const reply = await eventually(
        async () => {
          const answer = await client.post('/customers', { title: key }, key)
          return answer.status === 201 ? answer : null
        },
        { timeoutMs: PATIENCE_MS },
      )
      const made = BigInt(reply.body.id)
      if (made <= last) must(false, `${cell}: the id ${made} rises above ${last}`)
      last = made
      done.push({ key, id: made, ms: performance.now() - began })
    }
  })
  const began = performance.now()
  await admin.query(`select citus_schema_move($1::regnamespace, $2, $3, 'force_logical')`, [schema, host, Number(port)])
  const movedS = (performance.now() - began) / 1_000
  isMoving = false
  await Promise.all(writers)
  const after = await client.post('/customers', { title: 'after' })
  must(after.status === 201 && done.every(({ id }) => id < BigInt(after.body.id)), `${cell}: ids rise after the move`)
  const longest = Math.max(...done.map(({ ms }) => ms))
  console.log(
    `     moved from node to node in ${movedS.toFixed(1)} s; ${done.length} writes meanwhile, the longest ${(longest / 1_000).toFixed(1)} s`,
  )
  must((await nodeOf(schema)) === target, `${cell}: it lies on the other node`)
  const { rows } = await admin.query<{ title: string; count: string }>(
    `select title, count(*) from ${schema}.customers group by title`,
  )
  const counts = new Map(rows.map(({ title, count }) => [title, Number(count)]))
  must(
    done.every(({ key }) => counts.get(key) === 1),
    `${cell}: each of ${done.length} acknowledged commands is there once`,
  )
}
const { faults, tenants } = (await json('reconcile')) as { faults: unknown[]; tenants: number }
must(faults.length === 0, `reconcile: ${tenants} tenants of three cells, ${faults.length} faults`)

await Promise.all(webhooks.map(each => each.close()))
await service.close()
await Promise.all(pools.map(({ pool }) => pool.end()))
waiting.disconnect()
await inbox.close()
await admin.end()
await redis.close()
await stop()
await rm(root, { recursive: true })
console.log(failures === 0 ? 'all held' : `${failures} failed`)
process.exit(failures === 0 ? 0 : 1)
