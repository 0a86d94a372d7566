/** Processes are killed, frozen and stopped under load: nothing is lost, nothing happens twice, a stop exits 0. */
import test from 'ava'
import * as v from 'valibot'
import { rows } from '../../lib/store/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess } from '../support/processes.ts'
import { type Client, startService, type TestService } from '../support/service.ts'
import { testServices } from '../support/services.ts'

const BACK_WITHIN_MS = 10_000

async function bench() {
  const services = await testServices()
  const service = await startService(services, { workers: 0 })
  const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl }
  const close = async () => {
    await service.close()
    await services.close()
  }
  return { service, env, close }
}

/** Creates places from several clients, each retrying with the same key until it is acknowledged. */
function load(client: Client, clients = 8) {
  let stopped = false
  const acknowledged: string[] = []
  const statuses = new Map<number, number>()
  const loops = Array.from({ length: clients }, async (_, lane) => {
    for (let n = 0; !stopped; n++) {
      const title = `place ${lane}-${n}`
      for (;;) {
        const reply = await client.post('/storage-places', { title }, title).catch(() => null)
        statuses.set(reply?.status ?? 0, (statuses.get(reply?.status ?? 0) ?? 0) + 1)
        if (reply?.status === 201) break
        await new Promise(resolve => setTimeout(resolve, 50))
      }
      acknowledged.push(title)
    }
  })
  return {
    acknowledged,
    statuses,
    stop: async () => {
      stopped = true
      await Promise.all(loops)
    },
  }
}

const placesOf = async (service: TestService, tenantId: string) =>
  (
    await service.pool.any(
      rows(v.object({ title: v.string() }))`select title from storage_places where tenant_id = ${tenantId}`,
    )
  ).map(row => row.title)

const moreThan = (list: readonly unknown[], count: number, what: string) =>
  eventually(() => list.length > count, { timeoutMs: BACK_WITHIN_MS, what })

test.serial('a worker killed again and again loses nothing and repeats nothing', async t => {
  const { service, env, close } = await bench()
  const client = await service.tenant()
  let worker = await startProcess('worker', env)
  const running = load(client)
  for (let kill = 0; kill < 3; kill++) {
    await moreThan(running.acknowledged, running.acknowledged.length + 40, 'work before the kill')
    await worker.end('SIGKILL')
    worker = await startProcess('worker', env)
  }
  await moreThan(running.acknowledged, running.acknowledged.length + 40, 'work after the last kill')
  await running.stop()
  t.deepEqual((await placesOf(service, client.tenantId)).sort(), [...running.acknowledged].sort())
  t.log(`${running.acknowledged.length} commands, 3 kills`)
  t.is(await worker.end('SIGTERM'), 0)
  await close()
})

test.serial('a second worker takes over from a dead one within seconds', async t => {
  const { service, env, close } = await bench()
  const client = await service.tenant()
  const [first, second] = await Promise.all([startProcess('worker', env), startProcess('worker', env)])
  const running = load(client)
  await moreThan(running.acknowledged, 40, 'work before the kill')
  await first.end('SIGKILL')
  await moreThan(running.acknowledged, running.acknowledged.length + 40, 'work after the kill')
  await running.stop()
  t.deepEqual((await placesOf(service, client.tenantId)).sort(), [...running.acknowledged].sort())
  t.is(await second.end('SIGTERM'), 0)
  await close()
})

test.serial('a frozen worker frees its tenant, and does no harm when it wakes', async t => {
  const { service, env, close } = await bench()
  const client = await service.tenant()
  const frozen = await startProcess('worker', env)
  const running = load(client)
  await moreThan(running.acknowledged, 40, 'work before it freezes')
  frozen.signal('SIGSTOP')
  const other = await startProcess('worker', env)
  await moreThan(running.acknowledged, running.acknowledged.length + 40, 'work of the other worker')
  frozen.signal('SIGCONT')
  await moreThan(running.acknowledged, running.acknowledged.length + 40, 'work of both')
  await running.stop()
  t.deepEqual((await placesOf(service, client.tenantId)).sort(), [...running.acknowledged].sort())
  t.deepEqual(await Promise.all([frozen.end('SIGTERM'), other.end('SIGTERM')]), [0, 0])
  await close()
})

test.serial(
  'SIGTERM under load: a worker finishes its batch, a web process answers what runs; both exit 0',
  async t => {
    const { service, env, close } = await bench()
    const client = await service.tenant()
    const [web, worker] = await Promise.all([startProcess('web', env), startProcess('worker', env)])
    const requests = Array.from({ length: 100 }, (_, n) =>
      fetch(`${web.url}/api/external/v1/storage-places`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${client.token}`,
          'content-type': 'application/json',
          'idempotency-key': `stop-${n}`,
        },
        body: JSON.stringify({ title: `stop ${n}` }),
      }).then(
        async reply => {
          await reply.arrayBuffer()
          return reply.status
        },
        () => 0, // not accepted any more
      ),
    )
    await eventually(async () => (await placesOf(service, client.tenantId)).length > 0)
    const webEnd = web.end('SIGTERM')
    const statuses = await Promise.all(requests)
    t.is(await webEnd, 0)
    t.is(await worker.end('SIGTERM'), 0)
    const created = statuses.filter(status => status === 201).length
    t.true(created > 0)
    t.is((await placesOf(service, client.tenantId)).length, created, 'what was done was acknowledged')
    t.deepEqual(
      [...new Set(statuses)].filter(status => status !== 201 && status !== 0),
      [],
    )
    t.log(`${created} of 100 acknowledged, the rest not accepted`)
    await close()
  },
)
