/**
 * PostgreSQL or Redis stops and starts again: requests are answered with 503 meanwhile, all figures are exact afterwards, and no process
 * ends.
 */

import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { eventually } from '../support/eventually.ts'
import { createNotesTable, notesOf, testEndpoints } from '../support/pipeline.ts'
import { privatePostgres, privateRedis } from '../support/servers.ts'
import { type Client, startService } from '../support/service.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

async function bench() {
  const [postgres, redis] = await Promise.all([privatePostgres(), privateRedis()])
  await migrate(postgres.url)
  const service = await startService(
    { databaseUrl: postgres.url, redisUrl: redis.url },
    { endpoints: testEndpoints, env: { COMMAND_DEADLINE_MS: '4000' } },
  )
  await createNotesTable(service.pool)
  const close = async () => {
    await service.close()
    await redis.close()
    await postgres.close()
  }
  return { postgres, redis, service, close }
}

/** Writes notes from several clients until `stop`. Each client retries with the same key until the note is acknowledged. */
function load(client: Client, name: string, clients = 8) {
  let stopped = false
  const acknowledged: string[] = []
  const refusals = new Set<string>()
  const loops = Array.from({ length: clients }, async (_, lane) => {
    for (let n = 0; !stopped; n++) {
      const note = `${name} ${lane} ${n}`
      for (;;) {
        const reply = await client.post('/notes', { text: note }, note).catch(() => null)
        if (reply?.status === 201) break
        if (reply)
          refusals.add(`${reply.status} ${reply.headers.get('retry-after') === null ? 'without' : 'with'} Retry-After`)
        await new Promise(resolve => setTimeout(resolve, 20))
      }
      acknowledged.push(note)
    }
  })
  return {
    acknowledged,
    refusals,
    stop: async () => {
      stopped = true
      await Promise.all(loops)
    },
  }
}

const readyz = async (url: string) => (await fetch(`${url}/readyz`)).status

test('Redis away: 503 with Retry-After, not ready; back: ready, and every acknowledged command exactly once', async t => {
  const { redis, service, close } = await bench()
  const client = await service.tenant()
  const running = load(client, 'note')
  await eventually(() => running.acknowledged.length > 50, { what: 'work before the kill' })
  await redis.kill()
  t.is(await eventually(async () => (await readyz(service.url)) === 503 && 503), 503)
  t.is((await client.get('/unknown')).status, 404, 'what needs no Redis is answered')
  await eventually(() => running.refusals.has('503 with Retry-After'))
  await redis.start()
  const killed = running.acknowledged.length
  await eventually(() => running.acknowledged.length > killed + 50, { what: 'service' })
  t.is(await eventually(async () => (await readyz(service.url)) === 200 && 200), 200)
  await running.stop()
  t.deepEqual((await notesOf(service.pool, client.tenantId)).sort(), [...running.acknowledged].sort())
  t.deepEqual([...running.refusals], ['503 with Retry-After'])
  await close()
})

test('Postgres killed and restarted: 503 with Retry-After meanwhile, every acknowledged command exactly once', async t => {
  const { postgres, service, close } = await bench()
  const client = await service.tenant()
  const running = load(client, 'note')
  for (let kill = 0; kill < 2; kill++) {
    const before = running.acknowledged.length
    await eventually(() => running.acknowledged.length > before + 50, { what: 'work before the kill' })
    await postgres.kill()
    t.is(await eventually(async () => (await readyz(service.url)) === 503 && 503), 503)
    await postgres.start()
    const killed = running.acknowledged.length
    await eventually(() => running.acknowledged.length > killed + 50, { what: 'service after the restart' })
  }
  await running.stop()
  const notes = await notesOf(service.pool, client.tenantId)
  t.deepEqual([...notes].sort(), [...running.acknowledged].sort())
  t.true(running.refusals.has('503 with Retry-After'))
  t.deepEqual(
    [...running.refusals].filter(refusal => refusal !== '503 with Retry-After'),
    [],
  )
  t.log(`${running.acknowledged.length} commands, 2 kills of Postgres`)
  await close()
})
