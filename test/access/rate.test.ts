import test from 'ava'
import { RateLimit, rateHeaders, rateRefusal } from '../../lib/access/rate.ts'
import { closeRedis, connectRedis } from '../../lib/store/redis.ts'
import { eventually } from '../support/eventually.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const redis = connectRedis(services.redisUrl, 'producer', 'test')
const rate = new RateLimit(redis)
test.after.always(async () => {
  await closeRedis(redis)
  await services.close()
})

/** One a minute: during the test nothing comes back. */
const slow = (keyId: string, burst: number) => ({ tenantId: '1', keyId, ratePerMinute: 1, burst })

async function redisTimeUs(): Promise<number> {
  const [seconds, microseconds] = await redis.time()
  return Number(seconds) * 1_000_000 + Number(microseconds)
}

test('a burst is allowed to its last request, and each answer tells what is left', async t => {
  const remaining: number[] = []
  for (let n = 0; n < 5; n++) {
    const decision = await rate.take(slow('burst', 5))
    t.true(decision.allowed)
    t.is(decision.retryAfterSeconds, 0)
    // Each request takes a minute to come back.
    t.is(decision.resetSeconds, 60 * (n + 1))
    remaining.push(decision.remaining)
  }
  t.deepEqual(remaining, [4, 3, 2, 1, 0])
  const refused = await rate.take(slow('burst', 5))
  t.false(refused.allowed)
  t.is(refused.remaining, 0)
  t.is(refused.retryAfterSeconds, 60)
  t.is(refused.resetSeconds, 300)
})

test('a refused request costs nothing', async t => {
  await rate.take(slow('free', 1))
  for (let n = 0; n < 10; n++) t.is((await rate.take(slow('free', 1))).resetSeconds, 60)
})

test('of 20 requests at once, exactly the burst is allowed', async t => {
  const decisions = await Promise.all(Array.from({ length: 20 }, () => rate.take(slow('race', 10))))
  t.is(decisions.filter(decision => decision.allowed).length, 10)
})

test('what was spent comes back at the steady rate', async t => {
  const key = { tenantId: '1', keyId: 'back', ratePerMinute: 60, burst: 1 }
  t.true((await rate.take(key)).allowed)
  t.false((await rate.take(key)).allowed)
  t.true(await eventually(async () => (await rate.take(key)).allowed, { timeoutMs: 2_000 }))
})

test('Retry-After counts to the next request, reset to the whole burst', async t => {
  // 150 s ahead: of a burst of 3 at one a minute, half a request is left.
  await redis.set('rate:1:half', String((await redisTimeUs()) + 150_000_000))
  const decision = await rate.take(slow('half', 3))
  t.false(decision.allowed)
  t.is(decision.retryAfterSeconds, 30)
  t.is(decision.resetSeconds, 150)
})

test('Retry-After is never 0 on a refusal', async t => {
  const key = { tenantId: '1', keyId: 'soon', ratePerMinute: 1_000_000, burst: 1 }
  const decisions = await Promise.all(Array.from({ length: 200 }, () => rate.take(key)))
  const refused = decisions.filter(decision => !decision.allowed)
  t.true(refused.length > 0)
  t.true(refused.every(decision => decision.retryAfterSeconds === 1))
})

test('a rate that does not divide a minute keeps its burst exact', async t => {
  const key = { tenantId: '1', keyId: 'seven', ratePerMinute: 7, burst: 100 }
  const remaining: number[] = []
  for (let n = 0; n < 100; n++) remaining.push((await rate.take(key)).remaining)
  t.deepEqual(
    remaining,
    Array.from({ length: 100 }, (_, n) => 99 - n),
  )
  t.false((await rate.take(key)).allowed)
})

test('a burst that was lowered, or a clock set back, locks a key out for no longer than one request', async t => {
  await redis.set('rate:1:lowered', String((await redisTimeUs()) + 3_600_000_000))
  const decision = await rate.take(slow('lowered', 2))
  t.false(decision.allowed)
  t.is(decision.retryAfterSeconds, 60)
})

test('keys, and tenants, do not share a rate', async t => {
  t.true((await rate.take({ tenantId: '1', keyId: 'a', ratePerMinute: 1, burst: 1 })).allowed)
  t.true((await rate.take({ tenantId: '1', keyId: 'b', ratePerMinute: 1, burst: 1 })).allowed)
  t.true((await rate.take({ tenantId: '2', keyId: 'a', ratePerMinute: 1, burst: 1 })).allowed)
})

test('a rate leaves nothing in Redis once the burst is whole again', async t => {
  await rate.take({ tenantId: '1', keyId: 'gone', ratePerMinute: 60_000, burst: 5 })
  t.true(await eventually(async () => (await redis.exists('rate:1:gone')) === 0, { timeoutMs: 2_000 }))
})

test('after SCRIPT FLUSH the rate is still counted', async t => {
  t.is((await rate.take(slow('flushed', 2))).remaining, 1)
  await redis.script('FLUSH')
  t.is((await rate.take(slow('flushed', 2))).remaining, 0)
})

test('headers and refusal say the rate per minute, what is left, and the seconds', t => {
  const decision = { allowed: false, ratePerMinute: 600, remaining: 0, resetSeconds: 10, retryAfterSeconds: 1 }
  t.deepEqual(rateHeaders(decision), {
    'RateLimit-Limit': '600',
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': '10',
  })
  t.is(rateRefusal({ ...decision, allowed: true }), undefined)
  t.like(rateRefusal(decision), { refusal: 'rate_limited', headers: { 'Retry-After': '1' } })
})

test('two processes that take a large burst ahead together never allow more than the burst', async t => {
  const twin = new RateLimit(redis)
  const decisions = await Promise.all(
    Array.from({ length: 5_000 }, (_, n) => (n % 2 === 0 ? rate : twin).take(slow('ahead', 4_000))),
  )
  const allowed = decisions.filter(decision => decision.allowed).length
  t.true(allowed <= 4_000, `${allowed} were allowed`)
  // What a process took ahead and nobody asked it for again: at most 4 in each of the calls at once.
  t.true(decisions.some(decision => !decision.allowed))
})

test('taken ahead, one request after the other counts exactly', async t => {
  const remaining: number[] = []
  for (let n = 0; n < 20; n++) remaining.push((await rate.take(slow('ahead serial', 5_000))).remaining)
  t.deepEqual(
    remaining,
    Array.from({ length: 20 }, (_, n) => 4_999 - n),
  )
})
