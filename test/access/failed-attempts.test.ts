import { FailedAttempts } from '../../lib/access/failed-attempts.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const { redisUrl } = await serviceOfFile()
const redis = connectRedis(redisUrl, 'worker', 'test')
const attempts = new FailedAttempts(redis)
test.after.always(() => closeRedis(redis))

async function fail(address: string, count: number) {
  return Promise.all(Array.from({ length: count }, () => attempts.note(address)))
}

test('a hundred failures in a minute are noted, the next is refused until the first of them is a minute old', async t => {
  t.true((await fail('203.0.113.1', 100)).every(refusal => refusal === undefined))
  const refusal = await attempts.note('203.0.113.1')
  t.is(refusal?.refusal, 'rate_limited')
  const seconds = Number(refusal?.headers?.['Retry-After'])
  t.true(Number.isInteger(seconds) && seconds > 50 && seconds <= 60, `${seconds}`)
})

test('of 120 failures at once, 20 are refused', async t => {
  const refusals = (await fail('203.0.113.2', 120)).filter(refusal => refusal !== undefined)
  t.is(refusals.length, 20)
})

test('an address that is known to be over its limit is refused without asking Redis', async t => {
  t.false(attempts.isLimited('203.0.113.7'))
  await fail('203.0.113.7', 101)
  t.true(attempts.isLimited('203.0.113.7'))
  await redis.del('failed-attempts:203.0.113.7')
  t.is((await attempts.note('203.0.113.7'))?.refusal, 'rate_limited')
  t.is(await redis.exists('failed-attempts:203.0.113.7'), 0)
  t.is(await new FailedAttempts(redis).note('203.0.113.7'), undefined, 'another process asks for itself')
})

test('addresses are counted apart', async t => {
  await fail('203.0.113.3', 101)
  t.is(await attempts.note('203.0.113.4'), undefined)
})

test('a failure that is a minute old no longer counts, and refused ones never did', async t => {
  const key = 'failed-attempts:203.0.113.5'
  const [seconds] = await redis.time()
  const now = Number(seconds) * 1_000
  // 99 attempts half a minute ago, and one a little more than a minute ago: the list as Redis would have it then.
  await redis.rpush(key, ...Array.from({ length: 99 }, () => String(now - 30_000)), String(now - 61_000))
  t.is(await attempts.note('203.0.113.5'), undefined)
  const refusal = await attempts.note('203.0.113.5')
  t.is(refusal?.refusal, 'rate_limited')
  t.true(Number(refusal?.headers?.['Retry-After']) <= 30)
  t.is(await redis.llen(key), 100)
})

test('the memory of an address ends by itself', async t => {
  await fail('203.0.113.6', 3)
  const ttl = await redis.pttl('failed-attempts:203.0.113.6')
  t.true(ttl > 50_000 && ttl <= 60_000)
})
