/** Commands in all cells with their webhooks, and cells that move to the other node while their tenant writes. */
import { randomUUID } from 'node:crypto'
import { createPool } from '../../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../../lib/platform/redis/redis.ts'
import { createLog } from '../../../lib/platform/telemetry/log.ts'
import { sendOver } from '../../../lib/tools/demo/client.ts'
import { fillDemo } from '../../../lib/tools/demo/data.ts'
import { startWebhooks } from '../../../workers/webhooks/webhook-worker.ts'
import { eventually } from '../../support/eventually.ts'
import { testConfig } from '../../support/pipeline.ts'
import type { Client } from '../../support/service.ts'
import { receiver } from '../../webhooks/receiver.ts'
import { CELLS, type Cell, openCells, schemaOf } from './cells.ts'
import { type Cluster, must, say } from './cluster.ts'

const WRITERS = 4

export async function moves(cluster: Cluster, redisUrl: string): Promise<void> {
  const cells = await openCells(cluster, redisUrl)
  const [one, two] = await Promise.all([cluster.nodeOf(schemaOf('one')), cluster.nodeOf(schemaOf('two'))])
  must(one !== two, 'two cells lie on two nodes')
  const service = await cells.start()
  const log = createLog({ level: 'warn', processName: 'citus' })
  const config = testConfig({ databaseUrl: cells.urls.main, redisUrl }, cells.env)
  const redis = connectRedis(redisUrl, 'worker', 'citus webhooks')
  const limits = { size: 5, statementTimeoutMs: 30_000, idleInTransactionTimeoutMs: 30_000 }
  const pools = await Promise.all(CELLS.map(async cell => ({ cell, pool: await createPool(cells.urls[cell], limits) })))
  const webhooks = await Promise.all(pools.map(({ cell, pool }) => startWebhooks({ config, cell, pool, redis, log })))
  const inbox = await receiver()
  for (const cell of CELLS) {
    const client = await cells.tenant(service, cell)
    const subscription = await client.post('/webhook-subscriptions', { url: `${inbox.url}/${cell}`, events: ['*'] })
    must(subscription.status === 201, `${cell}: a subscription is made (${subscription.status})`)
    const refused: string[] = []
    await fillDemo(sendOver(service.url, client.token), line => refused.push(line))
    must(refused.length === 0, `${cell}: the demo's whole business is written ${refused.join('; ')}`)
    const last = Number((await client.get('/events?limit=1')).headers.get('event-sequence'))
    const delivered = () =>
      new Set(inbox.arrivals.filter(({ path }) => path.endsWith(`/${cell}`)).map(({ text }) => text)).size
    await eventually(async () => delivered() >= last - 1 || null).catch(() => {})
    must(delivered() >= last - 1, `${cell}: ${delivered()} of ${last} events are delivered`)
    const recovered = await client.post(`/webhook-subscriptions/${subscription.body.id}/recover`, {
      since: '2020-01-01T00:00:00Z',
    })
    must(recovered.status < 300, `${cell}: a recovery begins (${recovered.status})`)
    if (cell !== 'main') await moveUnderLoad(cluster, cell, client)
  }
  const { faults, tenants } = (await cells.json('reconcile')) as { faults: unknown[]; tenants: number }
  must(faults.length === 0, `reconcile: ${tenants} tenants of three cells, ${faults.length} faults`)
  await Promise.all(webhooks.map(each => each.close()))
  await service.close()
  await Promise.all(pools.map(({ pool }) => pool.end()))
  await closeRedis(redis)
  await inbox.close()
}

/** The other node may give ids of any range. Ids of the coordinator continue. */
async function moveUnderLoad(cluster: Cluster, cell: Cell, client: Client): Promise<void> {
  const schema = schemaOf(cell)
  const from = await cluster.nodeOf(schema)
  const target = cluster.nodes.find(node => node !== from) ?? ''
  let isMoving = true
  const done: { readonly key: string; readonly id: bigint; readonly ms: number }[] = []
  const writers = Array.from({ length: WRITERS }, async () => {
    for (let last = 0n; isMoving; ) {
      const key = randomUUID()
      const began = performance.now()
      const reply = await eventually(async () => {
        const answer = await client.post('/customers', { title: key }, key)
        return answer.status === 201 ? answer : null
      })
      const made = BigInt(reply.body.id)
      if (made <= last) must(false, `${cell}: the id ${made} rises above ${last}`)
      last = made
      done.push({ key, id: made, ms: performance.now() - began })
    }
  })
  const began = performance.now()
  await cluster.move(schema, target, 'force_logical')
  const movedS = (performance.now() - began) / 1_000
  isMoving = false
  await Promise.all(writers)
  const after = await client.post('/customers', { title: 'after' })
  must(after.status === 201 && done.every(({ id }) => id < BigInt(after.body.id)), `${cell}: ids rise after the move`)
  const longestS = Math.max(...done.map(({ ms }) => ms)) / 1_000
  say(
    `moved from node to node in ${movedS.toFixed(1)} s; ${done.length} writes meanwhile, the longest ${longestS.toFixed(1)} s`,
  )
  must((await cluster.nodeOf(schema)) === target, `${cell}: it lies on the other node`)
  const rows = await cluster.query<{ title: string; count: string }>(
    `select title, count(*) from ${schema}.customers group by title`,
  )
  const counts = new Map(rows.map(({ title, count }) => [title, Number(count)]))
  must(
    done.every(({ key }) => counts.get(key) === 1),
    `${cell}: each of ${done.length} acknowledged commands is there once`,
  )
}
