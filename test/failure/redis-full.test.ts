/** A Redis that refuses writes, since its memory or its disk is full: which requests are served, and which checks report it. */
import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { Redis } from 'ioredis'
import { endpoints } from '../../lib/nouns.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { eventually } from '../support/eventually.ts'
import { privateRedis } from '../support/servers.ts'
import { type Client, startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta, { isSerial: true })

const services = await testServices()
const ownRedis = await privateRedis()
const on = { databaseUrl: services.databaseUrl, redisUrl: ownRedis.url }
// A short deadline for writes that were queued before Redis was full.
const service = await startService(on, { env: { COMMAND_DEADLINE_MS: '1000' } })
const redis = new Redis(ownRedis.url)
test.after.always(async () => {
  redis.disconnect()
  await service.close()
  await ownRedis.close()
  await services.close()
})

const fill = () => redis.config('SET', 'maxmemory', '1')
const makeRoom = () => redis.config('SET', 'maxmemory', '0')
const checksOf = async (url: string) => {
  const answer = await fetch(`${url}/readyz`)
  const { checks } = (await answer.json()) as { checks: object }
  return { status: answer.status, ...checks }
}

/** The limits of its key are counted in Redis for each request. */
const tenant = () => service.tenant({ key: { ratePerMinute: 600, burst: 200 } })

async function statusOf(path: string, token: string): Promise<number> {
  const cut = new AbortController()
  const answer = await fetch(`${service.url}/api/external/v1${path}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: cut.signal,
  })
  cut.abort() // a stream would not end
  return answer.status
}

async function readsAreServed(t: ExecutionContext, client: Client): Promise<void> {
  const paths = endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path.replace(/\{\w+\}/g, '1'))
  t.true(paths.length > 30)
  const found = await Promise.all(paths.map(async path => ({ path, status: await statusOf(path, client.token) })))
  t.deepEqual(
    found.filter(({ status }) => ![200, 400, 404].includes(status)),
    [],
  )
  const write = await client.post('/storage-places', { title: 'While it is full' })
  t.is(write.status, 503)
  t.truthy(write.headers.get('retry-after'))
  for (const url of [service.url, service.adminUrl])
    t.deepEqual(await checksOf(url), {
      status: 200,
      postgres: 'ok',
      redis: 'refuses writes: reads are served, writes are answered with 503',
    })
}

async function writesAreServed(t: ExecutionContext, client: Client): Promise<void> {
  // A busy machine may take longer than the second that a write waits here.
  await eventually(async () => (await client.post('/storage-places', { title: 'Served' })).status === 201)
  t.deepEqual(await checksOf(service.url), { status: 200, postgres: 'ok', redis: 'ok' })
}

async function doctorOf(check: string) {
  const out: string[] = []
  const env = { DATABASE_URL: on.databaseUrl, REDIS_URL: on.redisUrl }
  await runCommandLine(['doctor', '--json'], { env, root: '/nowhere', out: text => out.push(text), err: () => {} })
  const { checks } = JSON.parse(out.join('')) as { checks: { check: string; status: string; found: string }[] }
  return checks.find(one => one.check === check)
}

test('with a full Redis every read is served, writes are 503, and /readyz and doctor say so', async t => {
  const client = await tenant()
  await writesAreServed(t, client)
  await fill()
  await readsAreServed(t, client)
  t.like(await doctorOf('redis memory'), { status: 'fault' })
  t.regex((await doctorOf('redis memory'))?.found ?? '', /full: reads are served, writes are answered with 503/)
  await makeRoom()
  await writesAreServed(t, client)
})

test('with a full Redis each process holds a key to its rate, and unknown keys are refused as ever', async t => {
  const client = await service.tenant({ key: { ratePerMinute: 1, burst: 5 } })
  await fill()
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.get('/me')))
  const allowed = answers.filter(({ status }) => status === 200)
  t.deepEqual(allowed.map(({ headers }) => headers.get('ratelimit-remaining')).sort(), ['0', '1', '2', '3', '4'])
  const refused = answers.filter(({ status }) => status === 429)
  t.is(refused.length, 15)
  t.true(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0))
  t.is(await statusOf('/me', `${client.token.slice(0, -1)}!`), 401)
  await makeRoom()
  t.is((await client.get('/me')).status, 200, 'Redis counts again, from a whole burst on')
})

test('with a Redis that cannot write its file the same is served, and doctor names the file', async t => {
  const client = await tenant()
  const [, folder = ''] = (await redis.config('GET', 'dir')) as string[]
  // A folder has the path of the snapshot, so no user account can write it.
  await mkdir(join(folder, 'dump.rdb'))
  await redis.config('SET', 'save', '3600 1')
  await redis.bgsave()
  await eventually(async () => (await redis.info('persistence')).includes('rdb_last_bgsave_status:err'))
  await readsAreServed(t, client)
  t.like(await doctorOf('redis persistence'), { status: 'fault', found: 'the last snapshot could not be written' })
  await rmdir(join(folder, 'dump.rdb'))
  await redis.bgsave()
  await eventually(async () => (await redis.info('persistence')).includes('rdb_last_bgsave_status:ok'))
  await writesAreServed(t, client)
})
