/** Records with a limited life are removed without a command, in PostgreSQL and in Redis. */

import { Redis } from 'ioredis'
import * as v from 'valibot'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { runChore } from '../../workers/housekeeping/housekeeping.ts'
import { endedKeys, oldQuotaCounts, oldRefusals } from '../../workers/housekeeping/retention.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests, ownService } from '../support/of-file.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

/** A service of its own, since the test counts the rows of whole tables. */
const service = ofTests(test, () => ownService({ env: { REPLAY_CACHE_SECONDS: '60' } }))

test('refusals go after an hour, younger ones stay', async t => {
  const { tenantId } = await service.tenant()
  await service.pool.query(statement`
    insert into refused_commands (tenant_id, claim_id, idempotency_key, refusal, created_at)
    select ${tenantId}, 'r' || n, 'k', '{}', now() - case when n <= 3 then interval '61 minutes' else interval '59 minutes' end
    from generate_series(1, 5) n`)
  t.is(await runChore(service.pool, oldRefusals), 3)
  t.is(await runChore(service.pool, oldRefusals), 0)
})

test('counts of quotas go by their days, thousands in batches, and those of the same key stay', async t => {
  const { tenantId } = await service.tenant()
  await service.pool.query(statement`
    insert into spent_documents (tenant_id, quota_group, quota_day, documents)
    select ${tenantId}, n, current_date - day, 1 from generate_series(1, 1500) n, generate_series(0, 4) day`)
  t.is(await runChore(service.pool, oldQuotaCounts), 3_000)
  t.is(await runChore(service.pool, oldQuotaCounts), 0)
})

test('keys go 98 days after their end, thousands in batches; valid, younger and still tried ones stay', async t => {
  const { tenantId, keyId } = await service.tenant()
  const keys = (name: string, key: { made?: string; expired?: string; revoked?: string }, many = 1) =>
    service.pool.query(statement`
      insert into api_keys (tenant_id, name, user_name, token_hash, scopes, quota_group, created_at, expires_at, revoked_at)
      select ${tenantId}::bigint, ${name}, 'owner', sha256(convert_to(${name} || n, 'UTF8')), '{}', 1,
        now() - ${key.made ?? '200 days'}::interval, now() - ${key.expired ?? null}::interval,
        now() - ${key.revoked ?? null}::interval
      from generate_series(1, ${many}::int) n`)
  await keys('expired', { expired: '98 days 1 minute' }, 5_000)
  await keys('revoked', { revoked: '98 days 1 minute' })
  await keys('revoked before it would expire', { expired: '-1 day', revoked: '98 days 1 minute' })
  const staying: Record<string, Parameters<typeof keys>[1]> = {
    'made expired': { made: '97 days', expired: '99 days' },
    'ended lately': { expired: '97 days 23 hours' },
    'revoked lately, after it had expired': { expired: '150 days', revoked: '97 days' },
    'revoked lately': { revoked: '97 days 23 hours' },
    'still tried': { expired: '150 days' },
    'to end': { expired: '-1 day' },
    'without end': {},
  }
  for (const [name, key] of Object.entries(staying)) await keys(name, key)
  await service.pool.query(statement`
    insert into security_networks (tenant_id, day, key_id, network, network_before, first_seen, last_seen)
    select tenant_id, current_date, id, '\\x00', '\\x00', now(), now() from api_keys where name = 'still tried'`)
  t.is(await runChore(service.pool, endedKeys), 5_002)
  const left = await service.pool.any(rows(v.object({ id: v.string(), name: v.string() }))`
    select id::text as id, name from api_keys where tenant_id = ${tenantId}::bigint`)
  t.deepEqual(left.flatMap(({ id, name }) => (id === keyId ? [] : [name])).sort(), Object.keys(staying).sort())
  t.is(await runChore(service.pool, endedKeys), 0)
})

test('writes leave nothing in Redis that stays, but a few keys for each tenant', async t => {
  const redis = new Redis(service.redisUrl)
  const staying = async () => {
    const keys = await redis.keys('*')
    const ttls = await Promise.all(keys.map(key => redis.pttl(key)))
    // BullMQ makes this counter with the first job that it adds itself, once for each shard.
    return keys.filter((key, at) => ttls[at] === -1 && key !== '{s0}:ready:id').sort()
  }
  const settled = () => eventually(async () => (await redis.llen('{s0}:ready:active')) === 0)
  const write = (client: Client, n: number) => client.post('/products', { title: `Product ${n}` })
  const client = await service.tenant()
  for (let n = 0; n < 5; n++) await write(client, n)
  await settled()
  const before = await staying()
  await Promise.all(Array.from({ length: 50 }, (_, n) => write(client, n)))
  await settled()
  await eventually(async () => (await staying()).length <= before.length)
  t.deepEqual(await staying(), before)
  const answers = await Promise.all((await redis.keys('*:key:*')).map(key => redis.pttl(key)))
  t.true(answers.length >= 55 && answers.every(ttl => ttl > 0 && ttl <= 60_000), 'REPLAY_CACHE_SECONDS')
  t.log(before.join(' '))
  redis.disconnect()
})
