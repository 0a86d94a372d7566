/** One tenant's flood does not keep the others waiting; two web processes share one truth. */
import test from 'ava'
import { createNotesTable, notesOf, testEndpoints } from '../support/pipeline.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const service = await startService(services, {
  endpoints: testEndpoints,
  env: { WORKER_CONCURRENCY: '1', COMMAND_DEADLINE_MS: '60000' },
})
await createNotesTable(service.pool)
/** A second web process on the same Postgres and Redis. */
const other = await startService(services, { endpoints: testEndpoints, workers: 0 })

test.after.always(async () => {
  await other.close()
  await service.close()
  await services.close()
})

test.serial('while one tenant floods, another is served long before the flood is over', async t => {
  const [flooder, other] = await Promise.all([service.tenant(), service.tenant()])
  // No more connections than a busy machine opens in time.
  const begun = Promise.withResolvers<void>()
  const flood = Array.from({ length: 500 }, async (_, lane) => {
    const statuses: number[] = []
    while (statuses.length < 6) {
      statuses.push((await flooder.post('/notes', { text: `flood ${lane}-${statuses.length}` })).status)
      begun.resolve()
    }
    return statuses
  })
  await begun.promise
  for (let n = 0; n < 5; n++) t.is((await other.post('/notes', { text: `calm ${n}` })).status, 201)
  const flooded = (await notesOf(service.pool, flooder.tenantId)).length
  t.true(flooded < 3_000, `${flooded} of the flood were done when the other had its five`)
  t.log(`${flooded} of 3000 were done`)
  t.true((await Promise.all(flood)).flat().every(status => status === 201))
})

test.serial('two hundred identical requests over two web processes have one effect and one answer', async t => {
  const client = await service.tenant()
  const twin = (await other.key(client.tenantId)).client
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? client : twin).post('/notes', { text: 'once' }, 'same')),
  )
  t.true(replies.every(reply => reply.status === 201))
  t.is(new Set(replies.map(reply => reply.text)).size, 1)
  t.deepEqual(await notesOf(service.pool, client.tenantId), ['once'])
})

test.serial('twenty bodies under one key at once: one wins, the others are conflicts', async t => {
  const client = await service.tenant()
  const twin = (await other.key(client.tenantId)).client
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      (n % 2 === 0 ? client : twin).post('/notes', { text: `body ${n}` }, 'one key'),
    ),
  )
  t.is(replies.filter(reply => reply.status === 201).length, 1)
  t.is(replies.filter(reply => reply.status === 409 && reply.body.error === 'conflict').length, 19)
  t.is((await notesOf(service.pool, client.tenantId)).length, 1)
})
