/** The guarantees of `key update` on a running service: changes are in force, for waiting callers too. */
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

async function run(redisUrl: string, ...args: string[]) {
  const out: string[] = []
  const status = await runCommandLine([...args, '--json'], {
    env: { DATABASE_URL: service.databaseUrl, REDIS_URL: redisUrl },
    root: '/nonexistent',
    out: text => out.push(text),
    err: () => {},
  })
  if (status !== 0) throw new Error(`exit ${status}`)
  return JSON.parse(out.join('')) as Record<string, string>
}
const update = (keyId: string, ...args: string[]) => run(service.redisUrl, 'key', 'update', keyId, ...args)

test('a key that waits for its low rate is served at once under a higher one', async t => {
  const client = await service.tenant({ key: { ratePerMinute: 1, burst: 2 } })
  for (const status of [200, 200, 429]) t.is((await client.get('/products')).status, status)
  await update(client.keyId, '--rate-per-minute', '6000', '--burst', '50')
  const answer = await eventually(async () => {
    const answer = await client.get('/products')
    return answer.status === 200 && answer
  })
  t.is(answer.headers.get('ratelimit-limit'), '6000')
})

test('a scope that is taken away is 403, also where no message arrives, and the end is an end', async t => {
  const client = await service.tenant()
  t.is((await client.get('/products')).status, 200)
  await run('redis://127.0.0.1:1', 'key', 'update', client.keyId, '--scopes', 'read:stock')
  await eventually(async () => (await client.get('/products')).status === 403)
  await update(client.keyId, '--expires-at', '2020-01-01')
  await eventually(async () => (await client.get('/stock')).status === 401)
  await update(client.keyId, '--expires-at', 'never')
  await eventually(async () => (await client.get('/stock')).status === 200)
})

test('a spent quota that is raised lets all keys of the rotation go on, up to its new end together', async t => {
  const client = await service.tenant({ key: { dailyDocuments: 1 } })
  const rotated = await run(service.redisUrl, 'key', 'rotate', client.keyId)
  const post = async (token: string, title: string) =>
    (await client.request('POST', '/products', { token, body: { title } })).status
  const successor = rotated['token'] ?? ''
  t.deepEqual([await post(client.token, 'a'), await post(successor, 'b')], [201, 429])
  await update(client.keyId, '--daily-documents', '3')
  await eventually(async () => (await post(successor, 'c')) === 201)
  t.deepEqual(
    [await post(client.token, 'd'), await post(client.token, 'e'), await post(successor, 'f')],
    [201, 429, 429],
  )
})
