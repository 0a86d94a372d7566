/** Tenants whose commands take all the time that PostgreSQL gives them occupy a part of a worker, and the other tenants keep the rest. */
import type { ExecutionContext } from 'ava'
import { Redis } from 'ioredis'
import pg from 'pg'
import * as v from 'valibot'
import { type Pool, rows } from '../../lib/platform/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { createNotesTable, noteEndpointThat, notesOf, runs } from '../support/pipeline.ts'
import { column } from '../support/records.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

/** More tenants than a worker runs alone at the same time. */
const TENANTS = 6
/** Half of the places: the other half is for tenants that a slow one held up. */
const SLOW_AT_ONCE = 2

/** `slow` runs until its statement is cancelled: it waits for a lock that the test holds. */
const endpoint = noteEndpointThat({
  asks: text => (text === 'slow' ? { lock: runs('select pg_advisory_xact_lock_shared(1)') } : {}),
})

/** A service of the test's own, on which `slow` is slow until `beQuick`. */
async function slowService(t: ExecutionContext) {
  const services = await testServices()
  const service = await startService(services, { endpoints: [endpoint] })
  await createNotesTable(service.pool)
  const holder = new pg.Client(services.databaseUrl)
  await holder.connect()
  await holder.query('select pg_advisory_lock(1)')
  const redis = new Redis(services.redisUrl)
  t.teardown(async () => {
    redis.disconnect()
    await holder.end()
    await service.close()
    await services.close()
  })
  return { service, redis, beQuick: () => holder.query('select pg_advisory_unlock(1)') }
}

/** How many slow commands are running. */
const running = async (pool: Pool) =>
  (
    await pool.any(rows(v.object({ pid: v.number() }))`
      select pid from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`)
  ).length

test('the neighbours of a slow command are done, each once, and the slow one may be tried again', async t => {
  const { service, beQuick } = await slowService(t)
  const client = await service.tenant()
  const texts = ['a', 'b', 'slow', 'c', 'd']
  const replies = await Promise.all(texts.map(text => client.post('/notes', { text }, text)))
  t.deepEqual(column(replies, 'status'), [201, 201, 503, 201, 201])
  t.deepEqual((await notesOf(service.pool, client.tenantId)).sort(), ['a', 'b', 'c', 'd'])
  await beQuick()
  t.is((await client.post('/notes', { text: 'slow' }, 'slow')).status, 201)
})

test('beside tenants whose every command is slow, a calm one writes as often as it likes', async t => {
  const { service, redis, beQuick } = await slowService(t)
  const slow = await Promise.all(Array.from({ length: TENANTS }, () => service.tenant()))
  const calm = await service.tenant()
  let stopped = false
  let ended = 0
  const loops = slow.map(async client => {
    while (!stopped) {
      const { status } = await client.post('/notes', { text: 'slow' })
      if (stopped) return
      t.is(status, 503)
      ended++
    }
  })
  const known = async () => (await redis.keys('*:t*:slow')).length === TENANTS
  await eventually(known, { what: 'all of them known as slow' })
  const begun = ended
  let [writes, most] = [0, 0]
  // Two may end now. A third one has been slow meanwhile.
  for (; ended < begun + 3; writes++) {
    t.is((await calm.post('/notes', { text: 'calm' })).status, 201)
    most = Math.max(most, await running(service.pool))
  }
  t.log(`${writes} calm writes while ${ended - begun} slow ones ended; at most ${most} ran at once`)
  t.true(most <= SLOW_AT_ONCE, `${most} slow ones ran at once`)
  t.true(ended - begun < writes, `${writes} calm writes while ${ended - begun} slow ones ended`)
  stopped = true
  await beQuick()
  await Promise.all(loops)
})

/** The time to live of the tenant's mark in ms, if a worker has put the tenant's command back and still has the tenant. */
const LIFE_WHEN_PUT_BACK = `
  local job = redis.call('GET', '{s0}:ready:de:' .. ARGV[1])
  local held = job and redis.call('EXISTS', '{s0}:ready:' .. job .. ':lock') == 1
  if not held or redis.call('LLEN', '{s0}:t' .. ARGV[1] .. ':wait') == 0 then return false end
  return redis.call('PTTL', '{s0}:t' .. ARGV[1] .. ':slow')`
const HOUR_MS = 3_600_000

test('a slow tenant that finds no room keeps what is left of its mark', async t => {
  const { service, redis, beQuick } = await slowService(t)
  const slow = await Promise.all(Array.from({ length: TENANTS }, () => service.tenant()))
  const waiting = await service.tenant()
  const noteSlow = (tenantId: string) => redis.set(`{s0}:t${tenantId}:slow`, '1', 'PX', HOUR_MS)
  await Promise.all(slow.map(({ tenantId }) => noteSlow(tenantId)))
  let stopped = false
  const loops = slow.map(async client => {
    while (!stopped) await client.post('/notes', { text: 'slow' })
  })
  // The tenant gets a place in its turn. Then it is no longer slow, and is noted again.
  const write = async () => {
    while (!stopped) {
      await noteSlow(waiting.tenantId)
      await waiting.post('/notes', { text: 'calm' })
    }
  }
  loops.push(write())
  const life = await eventually(async () => {
    const ms = await redis.eval(LIFE_WHEN_PUT_BACK, 0, waiting.tenantId)
    return ms !== null && Number(ms)
  })
  t.true(life > HOUR_MS / 2, `${life} ms are left of an hour`)
  stopped = true
  await beQuick()
  await Promise.all(loops)
})
