/** Tenants whose commands take all the time that Postgres gives them hold a part of a worker, and not the others. */
import test from 'ava'
import { Redis } from 'ioredis'
import * as v from 'valibot'
import { type CommandEndpoint, defineCommand, type Endpoint } from '../../lib/api/endpoint.ts'
import { rows } from '../../lib/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { createNotesTable, noteEndpoint, notesOf } from '../support/pipeline.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'

const TENANTS = 20
const WRITES = 30

/** `slow` runs until its statement is given up. */
const endpoint = defineCommand({
  ...noteEndpoint,
  execute: async (context, request) => {
    if ((request.body as { text: string }).text === 'slow')
      await context.connection.query(rows(v.looseObject({}))`select pg_sleep(60)::text as slept`)
    return noteEndpoint.execute(context, request)
  },
}) as CommandEndpoint & Endpoint

const services = await testServices()
const service = await startService(services, { endpoints: [endpoint] })
await createNotesTable(service.pool)
const redis = new Redis(services.redisUrl)
test.after.always(async () => {
  redis.disconnect()
  await service.close()
  await services.close()
})

test.serial('the neighbours of a slow command are done, each once, and the slow one may be tried again', async t => {
  const client = await service.tenant()
  const texts = ['a', 'b', 'slow', 'c', 'd']
  const replies = await Promise.all(texts.map(text => client.post('/notes', { text }, text)))
  t.deepEqual(
    replies.map(({ status }) => status),
    [201, 201, 503, 201, 201],
  )
  t.deepEqual((await notesOf(service.pool, client.tenantId)).sort(), ['a', 'b', 'c', 'd'])
})

test.serial('beside twenty tenants whose every command is slow, a calm one writes as often as it likes', async t => {
  t.timeout(240_000)
  const slow = await Promise.all(Array.from({ length: TENANTS }, () => service.tenant()))
  const calm = await service.tenant()
  let stopped = false
  let ended = 0
  const loops = slow.map(async client => {
    while (!stopped) {
      const { status } = await client.post('/notes', { text: 'slow' })
      t.is(status, 503)
      ended++
    }
  })
  const known = async () => (await redis.keys('*:t*:slow')).length > TENANTS - 1
  await eventually(known, { timeoutMs: 120_000, what: 'all of them known as slow' })
  const before = ended
  for (let n = 0; n < WRITES; n++) t.is((await calm.post('/notes', { text: `calm ${n}` })).status, 201)
  const during = ended - before
  t.log(`${WRITES} calm writes while ${during} slow ones ended`)
  t.true(during < WRITES, `${during} slow ones ended meanwhile: each calm write had to wait for one`)
  stopped = true
  await Promise.all(loops)
})
