/**
 * Holds over HTTP: many at the same time on little stock, two orders at the same time for one hold, and ends in tenants without other
 * commands.
 */

import { Redis } from 'ioredis'
import * as v from 'valibot'
import { rows, sql, statement } from '../../lib/platform/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import type { Client, Reply } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile({ workers: 2 })
const { pool, redisUrl } = service

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const one = { expires_at: inMinutes(60), items: [{ sku: 'OAK', quantity: 1 }] }

async function shop(quantity: number): Promise<Client> {
  const client = await service.tenant()
  const { body } = await client.post('/products', { title: 'Oak', sku: 'OAK' })
  await client.post('/stock-adjustments', { items: [{ item_variant_id: body.variants[0].id, quantity }] })
  return client
}

const level = async (client: Client) => (await client.get('/availability')).body.data[0]
const count = (replies: readonly Reply[], status: number) => replies.filter(reply => reply.status === status).length
/** The hold has expired, whatever expiry its caller gave. */
const makeDue = ({ tenantId }: Client) =>
  pool.query(statement`update reservations set expires_at = now() - interval '1 ms' where tenant_id = ${tenantId}`)
const eventsOf = async (client: Client, type: string) => (await client.get(`/events?type=${type}&limit=200`)).body.data

test('of 64 holds of 1 at once on a stock of 10 exactly 10 are made', async t => {
  const client = await shop(10)
  const replies = await Promise.all(Array.from({ length: 64 }, () => client.post('/reservations', one)))
  t.deepEqual([count(replies, 201), count(replies, 409)], [10, 54])
  t.like(await level(client), { quantity: 10, reserved_quantity: 10, available_quantity: 0 })
  t.is(new Set(replies.filter(({ status }) => status === 201).map(({ body }) => body.number)).size, 10)
  t.deepEqual(await service.faults(client.tenantId), [])
})

test('of two orders at once for one hold one takes it', async t => {
  const client = await shop(30)
  for (let round = 0; round < 30; round++) {
    const { body: hold } = await client.post('/reservations', one)
    const order = { customer: { title: 'C' }, reservation_id: hold.id, items: [{ sku: 'OAK', quantity: 1 }] }
    const replies = await Promise.all([client.post('/sales-orders', order), client.post('/sales-orders', order)])
    t.deepEqual(replies.map(({ status }) => status).sort(), [201, 409])
    const taken = replies.find(({ status }) => status === 201)?.body.id
    const { body } = await client.get(`/reservations/${hold.id}`)
    t.deepEqual([body.status, body.sales_order_id], ['CONSUMED', taken])
    t.is(replies.find(({ status }) => status === 409)?.body.error, 'reservation_not_held')
  }
  t.like(await level(client), { reserved_quantity: 30, available_quantity: 0 })
  t.deepEqual(await service.faults(client.tenantId), [])
})

test('of an order, a release and the end of one hold at once one ends it, and it is told once', async t => {
  const client = await shop(1)
  for (let round = 0; round < 20; round++) {
    const { body: hold } = await client.post('/reservations', one)
    const order = { customer: { title: 'C' }, reservation_id: hold.id, items: [{ sku: 'OAK', quantity: 1 }] }
    const [sold, released] = await Promise.all([
      client.post('/sales-orders', order),
      client.post(`/reservations/${hold.id}/release`, {}),
      makeDue(client),
    ])
    const { body } = await eventually(async () => {
      const read = await client.get(`/reservations/${hold.id}`)
      return read.body.status === 'HELD' ? null : read
    })
    t.is(body.status, sold.status === 201 ? 'CONSUMED' : released.status === 200 ? 'RELEASED' : 'EXPIRED')
    t.false(sold.status === 201 && released.status === 200)
    if (sold.status === 201) await client.patch(`/sales-orders/${sold.body.id}`, { status: 'CANCELLED' })
    t.like(await level(client), { reserved_quantity: 0, available_quantity: 1 })
  }
  const ends = await Promise.all(['consumed', 'released', 'expired'].map(end => eventsOf(client, `reservation.${end}`)))
  const ids = ends.flat().map(({ data }) => data.id)
  t.deepEqual([ids.length, new Set(ids).size], [20, 20])
  t.deepEqual(await service.faults(client.tenantId), [])
})

test('a hold ends by itself where nothing else happens, and its event is told to who follows', async t => {
  const client = await shop(1)
  const { body: hold } = await client.post('/reservations', one)
  t.like(await level(client), { reserved_quantity: 1, available_quantity: 0 })
  await makeDue(client)
  const [event] = await eventually(async () => {
    const told = await eventsOf(client, 'reservation.expired')
    return told.length > 0 ? told : null
  })
  t.deepEqual([event.data.id, event.actor, event.previous.status], [hold.id, null, 'HELD'])
  t.is((await client.get(`/reservations/${hold.id}`)).body.status, 'EXPIRED')
  t.like(await level(client), { reserved_quantity: 0, available_quantity: 1 })
  // The list of requests has only writes of callers.
  t.false((await client.get('/requests')).body.data.some(({ path }: { path: string }) => path === null))
})

test('a bulk takes holds and orders that take them, each under its own rules', async t => {
  const client = await shop(10)
  const { body: hold } = await client.post('/reservations', { ...one, items: [{ sku: 'OAK', quantity: 10 }] })
  const order = { customer: { title: 'C' }, allow_backorder: false, reservation_id: hold.id }
  const entries = [
    { path: '/sales-orders', body: { ...order, items: [{ sku: 'OAK', quantity: 6 }] } },
    { path: '/reservations', body: { ...one, items: [{ sku: 'OAK', quantity: 4 }] } },
    { path: '/sales-orders', body: { ...order, items: [{ sku: 'OAK', quantity: 1 }] } },
  ].map((entry, at) => ({ method: 'POST', idempotency_key: `${at}`, ...entry }))
  const send = (mode: string, requests: unknown) => client.request('POST', '/bulk', { body: { mode, requests } })
  const codes = ({ body }: Reply) => body.results.map((result: { status: number }) => result.status)
  t.deepEqual(codes(await send('all', entries)), [424, 424, 409])
  t.like(await level(client), { reserved_quantity: 10, available_quantity: 0 })
  t.deepEqual(codes(await send('each', entries)), [201, 201, 409])
  t.like(await level(client), { reserved_quantity: 10, available_quantity: 0 })
  t.deepEqual(await service.faults(client.tenantId), [])
})

test('due holds of many tenants end although Redis loses everything', async t => {
  const clients = await Promise.all(Array.from({ length: 12 }, () => shop(1)))
  await Promise.all(clients.map(client => client.post('/reservations', one)))
  const redis = new Redis(redisUrl)
  await Promise.all([...clients.map(makeDue), redis.flushdb()])
  redis.disconnect()
  const tenantIds = clients.map(({ tenantId }) => tenantId)
  await eventually(async () => {
    const held = await pool.any(rows(v.object({ status: v.string() }))`
      select status from reservations where tenant_id = any (${sql.array(tenantIds, 'int8')}) and status = 'HELD'`)
    return held.length === 0
  })
  for (const client of clients) {
    t.is((await eventsOf(client, 'reservation.expired')).length, 1)
    t.like(await level(client), { reserved_quantity: 0, available_quantity: 1 })
  }
})
