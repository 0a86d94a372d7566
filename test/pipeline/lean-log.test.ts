/** The command log names the event that holds an answer: replays have the same bytes, whatever the answer contains. */

import { Redis } from 'ioredis'
import * as v from 'valibot'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { ofTests, ownService } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

/** A service with a Redis of its own, which the test empties. */
const service = ofTests(test, () => ownService())
let redis: Redis
test.before(() => {
  redis = new Redis(service.redisUrl)
})
test.after.always(() => redis.disconnect())

const Held = v.object({ body: v.nullable(v.string()), body_sequence: v.nullable(v.string()) })
const held = (tenantId: string, key: string) =>
  service.pool.one(rows(Held)`
    select body, body_sequence::text from commands where tenant_id = ${tenantId}::bigint and idempotency_key = ${key}`)

/** Texts that a parser in between could change. */
const TITLES = ['plain', 'ö 🪵 \u2028', '","data":{"id":"0"},"previous":null}', '\\u0041 \\n "quoted"', ' \t spaces  ']

test('an answer stands once, in its event, and a replay has its bytes when Redis is emptied', async t => {
  const client = await service.tenant()
  for (const [at, title] of TITLES.entries()) {
    const key = `product-${at}`
    const made = await client.post('/products', { title, external_ref: title.trim() || null }, key)
    t.is(made.status, 201, made.text)
    const { body, body_sequence } = await held(client.tenantId, key)
    t.is(body, null)
    const { data } = (await client.get(`/events?after_sequence=${Number(body_sequence) - 1}&limit=1`)).body
    t.deepEqual(data[0].data, made.body)
    await redis.flushdb()
    const again = await client.post('/products', { title, external_ref: title.trim() || null }, key)
    t.deepEqual([again.status, again.text], [200, made.text])
  }
})

test('an answer that its event does not hold, being too large, stands in the log', async t => {
  const client = await service.tenant()
  const body = { title: 'Wide', description: 'x'.repeat(5_000), metadata: wide('ö'.repeat(300)) }
  const variants = Array.from({ length: 100 }, (_, n) => ({ title: `V${n}`, attributes: { text: 'y'.repeat(250) } }))
  const made = await client.post('/products', { ...body, variants }, 'wide')
  t.is(made.status, 201, made.text)
  t.true(made.text.length > 65_536)
  const logged = await held(client.tenantId, 'wide')
  t.deepEqual([logged.body, logged.body_sequence], [made.text, null])
  await redis.flushdb()
  t.is((await client.post('/products', { ...body, variants }, 'wide')).text, made.text)
})

const wide = (text: string) => Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`name_${n}`, text]))

test('a secret that an answer shows once is in neither', async t => {
  const client = await service.tenant()
  const hook = { url: 'https://example.com/hooks', events: ['*'] }
  const made = await client.post('/webhook-subscriptions', hook, 'hook')
  t.regex(made.body.secret, /^whsec_/)
  const { body } = await held(client.tenantId, 'hook')
  t.false((body ?? '').includes(made.body.secret))
})
