/** A Redis that runs and refuses: because of the password, its rights, TLS or its number of databases, or because it is no Redis. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { ConfigError } from '../../lib/platform/config-error.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { refuseWrongRedis } from '../../lib/platform/redis/start-check.ts'
import { checkRedis } from '../../lib/tools/doctor/redis.ts'
import { authority, tlsInFrontOf } from '../support/certificates.ts'
import { eventually } from '../support/eventually.ts'
import { privateRedis } from '../support/servers.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta, { isSerial: true })

/** The least rights that docs/settings.md names. */
const LEAST = '~* &* +@read +@write +@connection +@transaction +@pubsub +@scripting -@dangerous +info +time'.split(' ')

const services = await testServices()
const server = await privateRedis({ durable: false })
const admin = new Redis(server.url)
const user = (...rules: string[]) => admin.call('ACL', 'SETUSER', 'least', ...rules)
await user('on', '>first', ...LEAST)
/** The address of the server with some parts replaced. */
const at = (parts: Partial<URL>) => Object.assign(new URL(server.url), parts).href
const redisUrl = at({ username: 'least', password: 'first' })
const service = await startService({ ...services, redisUrl }, { env: { COMMAND_DEADLINE_MS: '2000' } })
const client = await service.tenant()
test.after.always(async () => {
  await service.close()
  admin.disconnect()
  await server.close()
  await services.close()
})

async function readiness() {
  const answer = await fetch(`${service.url}/readyz`)
  const { checks } = (await answer.json()) as { checks: { redis: string } }
  return [answer.status, checks.redis] as const
}
const make = () => client.post('/products', { title: 'Bolt' })
const isServing = () => eventually(async () => (await readiness())[0] === 200 && (await make()).status === 201)

test('the rights that the settings name are enough', async t => {
  t.is((await make()).status, 201)
  t.is((await client.get('/products')).status, 200)
  t.deepEqual(await readiness(), [200, 'ok'])
  await t.notThrowsAsync(refuseWrongRedis(redisUrl))
  const redis = connectRedis(redisUrl, 'producer', 'test doctor')
  t.true((await checkRedis(redis)).every(({ check }) => check !== 'redis rights'))
  await user('-lpos', '-info')
  const found = (await checkRedis(redis)).filter(({ check }) => check === 'redis rights')
  t.like(found, [{ status: 'fault', found: 'refuses its user the commands info, lpos (ACL)' }])
  await user('+lpos', '+info')
  await closeRedis(redis)
})

for (const [what, take, give, said] of [
  ['a command', ['-hget'], ['+hget'], /^refuses its user the commands hget \(ACL\)$/],
  ['scripts', ['-evalsha', '-eval'], ['+evalsha', '+eval'], /^refuses its user the command evalsha \(NOPERM\)$/],
  ['all keys', ['resetkeys'], ['~*'], /^refuses its user /],
  ['its password', ['resetpass'], ['>first'], /^refuses the user or password \(WRONGPASS\)$/],
] as const)
  test(`a Redis that refuses ${what} is 503 and not ready, with the reason, until it allows it again`, async t => {
    await user(...take)
    if (what === 'its password') await admin.call('CLIENT', 'KILL', 'USER', 'least')
    const [status, reason] = await eventually(async () => {
      const found = await readiness()
      return found[1] !== 'ok' && found[1] !== 'no answer' && found
    })
    t.is(status, 503)
    t.regex(reason, said)
    const statuses = new Set([(await make()).status, (await client.get('/products')).status])
    t.deepEqual(
      [...statuses].filter(each => each !== 503 && each !== 200),
      [],
    )
    await user(...give)
    t.true(await isServing())
  })

test('no process starts with an address that no waiting mends, and each is told in one line', async t => {
  const [ours, web] = [await authority(), createServer((_, response) => response.end('hello'))]
  const tls = await tlsInFrontOf(Number(new URL(server.url).port), await ours.issue({ names: 'DNS:localhost' }))
  await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    await tls.close()
    await new Promise(resolve => web.close(resolve))
  })
  const refusals: [string, RegExp][] = [
    [at({ password: 'wrong' }), /refuses the user or password \(WRONGPASS\)$/],
    [at({ password: '' }), /asks for a password \(NOAUTH\)$/],
    [at({ pathname: '/600' }), /has no database of this number$/],
    [at({}).replace('redis:', 'rediss:'), /TLS/],
    [at({ port: String(tls.port) }), /speaks TLS: say rediss:\/\/$/],
    [
      at({ port: String(tls.port), hostname: 'localhost' }).replace('redis:', 'rediss:'),
      /has a certificate that is not trusted \(\w+\)$/,
    ],
    [`redis://127.0.0.1:${(web.address() as AddressInfo).port}`, /is no Redis: it answers in another protocol$/],
    [`redis://${new URL(services.databaseUrl).host}`, /is PostgreSQL$/],
  ]
  for (const [url, said] of refusals) {
    const error = await t.throwsAsync(refuseWrongRedis(url), { instanceOf: ConfigError }, url)
    t.regex(error?.message ?? '', said)
    t.regex(error?.message ?? '', /^REDIS_URL .*: the server [^\n]*$/)
    t.false(error?.message.includes(new URL(server.url).password))
  }
  await t.notThrowsAsync(refuseWrongRedis('redis://127.0.0.1:1'), 'one that may be back in a moment')
})
