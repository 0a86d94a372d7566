import { type RateDecision, RateLimit, rateHeaders, rateRefusal } from '../../lib/access/rate.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const { redisUrl } = await serviceOfFile()
const redis = connectRedis(redisUrl, 'worker', 'test')
const tagOf = () => '{s0}'
const rate = new RateLimit(redis, tagOf)
test.after.always(() => closeRedis(redis))

/** One request a minute: during the test the key gets none back. */
const slow = (keyId: string, burst: number) => ({ tenantId: '1', keyId, ratePerMinute: 1, burst })

/** On a busy machine up to half a minute of these seconds may have passed. */
const isAbout = (seconds: number, said: number) => said <= seconds && said > seconds - 30

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
    t.true(isAbout(60 * (n + 1), decision.resetSeconds))
    remaining.push(decision.remaining)
  }
  t.deepEqual(remaining, [4, 3, 2, 1, 0])
  const refused = await rate.take(slow('burst', 5))
  t.false(refused.allowed)
  t.is(refused.remaining, 0)
  t.true(isAbout(60, refused.retryAfterSeconds))
  t.true(isAbout(300, refused.resetSeconds))
})

test('a refused request costs nothing', async t => {
  await rate.take(slow('free', 1))
  for (let n = 0; n < 10; n++) t.true(isAbout(60, (await rate.take(slow('free', 1))).resetSeconds))
})

test('of 20 requests at once, exactly the burst is allowed', async t => {
  const decisions = await Promise.all(Array.from({ length: 20 }, () => rate.take(slow('race', 10))))
  t.is(decisions.filter(decision => decision.allowed).length, 10)
})

test('what was spent comes back at the steady rate', async t => {
  const key = slow('back', 2)
  for (const allowed of [true, true, false]) t.is((await rate.take(key)).allowed, allowed)
  // Moves the stored time back by a minute, as if a minute had passed.
  await redis.set('{s0}:rate:1:back', String(Number(await redis.get('{s0}:rate:1:back')) - 60_000_000))
  for (const allowed of [true, false]) t.is((await rate.take(key)).allowed, allowed)
})

test('Retry-After counts to the next request, reset to the whole burst', async t => {
  // 150 s ahead: of a burst of 3 at one a minute, half a request is left.
  await redis.set('{s0}:rate:1:half', String((await redisTimeUs()) + 150_000_000))
  const decision = await rate.take(slow('half', 3))
  t.false(decision.allowed)
  t.true(isAbout(30, decision.retryAfterSeconds))
  t.true(isAbout(150, decision.resetSeconds))
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
  await redis.set('{s0}:rate:1:lowered', String((await redisTimeUs()) + 3_600_000_000))
  const decision = await rate.take(slow('lowered', 2))
  t.false(decision.allowed)
  t.true(isAbout(60, decision.retryAfterSeconds))
})

test('keys, and tenants, do not share a rate', async t => {
  t.true((await rate.take({ tenantId: '1', keyId: 'a', ratePerMinute: 1, burst: 1 })).allowed)
  t.true((await rate.take({ tenantId: '1', keyId: 'b', ratePerMinute: 1, burst: 1 })).allowed)
  t.true((await rate.take({ tenantId: '2', keyId: 'a', ratePerMinute: 1, burst: 1 })).allowed)
})

test('a rate leaves nothing in Redis once the burst is whole again', async t => {
  await rate.take({ tenantId: '1', keyId: 'gone', ratePerMinute: 60_000, burst: 5 })
  t.true(await eventually(async () => (await redis.exists('{s0}:rate:1:gone')) === 0))
})

test('after SCRIPT FLUSH the rate is still counted', async t => {
  t.is((await rate.take(slow('flushed', 2))).remaining, 1)
  await redis.script('FLUSH')
  t.is((await rate.take(slow('flushed', 2))).remaining, 0)
})

test('headers and refusal say the rate per minute, what is left, and the seconds', t => {
  const decision = { allowed: false, ratePerMinute: 600, remaining: 0, resetSeconds: 10, retryAfterSeconds: 1 }
  t.deepEqual(rateHeaders(decision), { 'RateLimit-Limit': '600', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '10' })
  t.is(rateRefusal({ ...decision, allowed: true }), undefined)
  t.like(rateRefusal(decision), { refusal: 'rate_limited', headers: { 'Retry-After': '1' } })
})

/** The most that a process may reserve of a key before requests use it: a thousandth of the burst. */
const heldMax = (burst: number) => burst / 1_000

/** Callers that each ask again as soon as they are answered. Returns the decisions in the order in which they were made. */
async function ask(callers: number, requests: number, take: (n: number) => Promise<RateDecision>) {
  const decisions: RateDecision[] = []
  let asked = 0
  const caller = async () => {
    while (asked < requests) decisions.push(await take(asked++))
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return decisions
}

/** The requests that Redis counts as taken. At one a minute the key gets none back meanwhile. */
const consumed = async (keyId: string) =>
  Math.ceil((Number(await redis.get(`{s0}:rate:1:${keyId}`)) - (await redisTimeUs())) / 60_000_000)

for (const callers of [16, 64])
  for (const burst of callers === 16 ? [2_000, 20_000] : [5_000, 10_000]) {
    test(`${callers} callers at once use up a burst of ${burst}, and no request costs more than one`, async t => {
      const key = slow(`${callers} use up ${burst}`, burst)
      const first = await ask(callers, 1_900, () => rate.take(key))
      const taken = await consumed(key.keyId)
      t.true(taken >= 1_900 && taken <= 1_900 + heldMax(burst), `1,900 requests cost ${taken}`)
      const rest = await ask(callers, burst - 1_900, () => rate.take(key))
      t.is(
        rest.findIndex(decision => !decision.allowed),
        -1,
        'nobody is refused before the burst is used',
      )
      t.deepEqual(
        [...first, ...rest].map(decision => decision.remaining),
        Array.from({ length: burst }, (_, n) => burst - 1 - n),
      )
      const late = await ask(callers, 100, () => rate.take(key))
      t.true(late.every(decision => !decision.allowed && decision.remaining === 0))
    })

    test(`${callers} callers at once of two processes share a burst of ${burst}`, async t => {
      const key = slow(`${callers} share ${burst}`, burst)
      const twin = new RateLimit(redis, tagOf)
      const decisions = await ask(callers, burst + 100, n => (n % 2 === 0 ? rate : twin).take(key))
      const allowed = decisions.filter(decision => decision.allowed).length
      t.true(allowed <= burst && allowed >= burst - heldMax(burst), `${allowed} were allowed`)
      const served = decisions.findIndex(decision => !decision.allowed)
      t.true(served >= burst - heldMax(burst) - callers, `the first to be refused was request ${served}`)
    })

    test(`${callers} callers at once of a key with a burst of ${burst} at the highest rate are all served`, async t => {
      const key = { tenantId: '1', keyId: `${callers} fast ${burst}`, ratePerMinute: 1_000_000, burst }
      const decisions = await ask(callers, burst, () => rate.take(key))
      t.true(decisions.every(decision => decision.allowed))
    })
  }

test('what was taken ahead and is not used is given back, also by a key that asks seldom', async t => {
  let now = 0
  const calm = new RateLimit(redis, tagOf, () => now)
  const key = slow('calm', 50_000)
  for (let n = 1; n <= 50; n++) {
    t.is((await calm.take(key)).remaining, 50_000 - n)
    now += 1_000
  }
  const taken = await consumed(key.keyId)
  t.true(taken <= 50 + heldMax(50_000), `50 requests cost ${taken}`)
})

test('nothing is given back that time has given back already', async t => {
  let now = 0
  const calm = new RateLimit(redis, tagOf, () => now)
  const key = slow('idle', 50_000)
  await calm.take(key)
  // The burst is full again before this time, and then another process used all of it.
  now += 24 * 3_600_000
  await redis.set('{s0}:rate:1:idle', String((await redisTimeUs()) + 50_000 * 60_000_000))
  t.false((await calm.take(key)).allowed)
})

test('while Redis is away all who wait are told so, and so is who comes later', async t => {
  const lost = connectRedis(redisUrl, 'producer', 'lost')
  const limit = new RateLimit(lost, tagOf)
  await closeRedis(lost)
  const key = slow('away', 5_000)
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => limit.take(key)))
  t.true(outcomes.every(outcome => outcome.status === 'rejected'))
  await t.throwsAsync(limit.take(key))
})
