/** The guarantees of `/requests`: each write that a worker decided is listed once, with its outcome and the key that sent it. */

import * as v from 'valibot'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { refusalsBeyond } from '../../workers/housekeeping/retention.ts'
import type { Client, Reply } from '../support/client.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

type Row = Readonly<Record<string, unknown>>
const requestIdOf = ({ headers }: Reply) => headers.get('x-request-id') ?? ''

async function listed(client: Client, query = ''): Promise<readonly Row[]> {
  const { status, body, text } = await client.get(`/requests?limit=200${query}`)
  if (status !== 200) throw new Error(text)
  return body.data
}
const idsOf = (rows: readonly Row[]) => rows.map(({ request_id }) => request_id)

test('a success tells its status and events, a refusal its code and message, both who sent them', async t => {
  const owner = await service.tenant({ key: { userName: 'jane' } })
  const shop = await service.key(owner.tenantId)
  const made = await owner.request('POST', '/suppliers', { body: { title: 'Acme' }, key: 'supplier-1' })
  const refused = await shop.client.request('PATCH', `/suppliers/${made.body.id}`, {
    body: { title: 'Acme', archived: true, external_ref: 'x' },
    key: 'archive',
    headers: { 'If-Match': '"other"' },
  })
  t.is(refused.status, 412)
  const events = await owner.get('/events')
  const { sequence, timestamp } = events.body.data.at(-1)
  const [second, first, ...others] = await listed(owner)
  t.deepEqual(others, [])
  t.deepEqual(first, {
    id: first?.['id'],
    request_id: requestIdOf(made),
    key_id: owner.keyId,
    user_name: 'jane',
    method: 'POST',
    path: '/suppliers',
    idempotency_key: 'supplier-1',
    outcome: 'done',
    status: 201,
    error: null,
    message: null,
    first_sequence: sequence,
    last_sequence: sequence,
    created_at: timestamp,
  })
  t.deepEqual(second, {
    id: second?.['id'],
    request_id: requestIdOf(refused),
    key_id: shop.keyId,
    user_name: null,
    method: 'PATCH',
    path: `/suppliers/${made.body.id}`,
    idempotency_key: 'archive',
    outcome: 'refused',
    status: 412,
    error: 'precondition_failed',
    message: refused.body.message,
    first_sequence: null,
    last_sequence: null,
    created_at: second?.['created_at'],
  })
  t.true(BigInt(String(second?.['id'])) > BigInt(String(first?.['id'])))
})

test('each filter finds its requests, alone and beside others, whatever the order', async t => {
  const owner = await service.tenant()
  const shop = await service.key(owner.tenantId)
  const done = []
  for (const client of [owner, shop.client, owner])
    done.push(await client.request('POST', '/suppliers', { body: { title: 'S' }, key: `key-${done.length}` }))
  const refused = await shop.client.request('PATCH', '/suppliers/1', { body: { title: 'S' }, key: 'lost' })
  t.is(refused.status, 404)
  const [a = '', b = '', c = '', d = ''] = [...done, refused].map(requestIdOf)
  const all = await listed(owner)
  t.deepEqual(idsOf(all), [d, c, b, a])
  t.deepEqual(idsOf(await listed(owner, '&order=asc')), [a, b, c, d])
  t.deepEqual(idsOf(await listed(owner, `&key_id=${shop.keyId}`)), [d, b])
  t.deepEqual(idsOf(await listed(owner, `&key_id=${shop.keyId},${owner.keyId}&order=asc`)), [a, b, c, d])
  t.deepEqual(idsOf(await listed(owner, `&request_id=${b}`)), [b])
  t.deepEqual(idsOf(await listed(owner, `&request_id=${d}&outcome=refused`)), [d])
  t.deepEqual(idsOf(await listed(owner, `&request_id=${d}&outcome=done`)), [])
  t.deepEqual(idsOf(await listed(owner, `&request_id=${b}&key_id=${owner.keyId}`)), [])
  for (const unknown of ['req_', 'x', `${b}0`, b.slice(0, -1), `${b.slice(0, -1)}%`])
    t.deepEqual(idsOf(await listed(owner, `&request_id=${encodeURIComponent(unknown)}`)), [], unknown)
  t.deepEqual(idsOf(await listed(owner, '&idempotency_key=key-1')), [b])
  t.deepEqual(idsOf(await listed(owner, '&idempotency_key=lost')), [d])
  t.deepEqual(idsOf(await listed(owner, '&outcome=refused')), [d])
  t.deepEqual(idsOf(await listed(owner, '&outcome=done')), [c, b, a])
  const timeOf = (of: string) => String(all.find(({ request_id }) => request_id === of)?.['created_at'])
  t.deepEqual(idsOf(await listed(owner, `&created_after=${timeOf(b)}&created_before=${timeOf(d)}`)), [c, b])
  t.deepEqual(idsOf(await listed(owner, `&created_after=${timeOf(c)}&order=asc`)), [c, d])
  for (const wrong of ['outcome=maybe', 'key_id=x', 'created_after=soon', 'status=200'])
    t.is((await owner.get(`/requests?${wrong}`)).status, 400, wrong)
})

test('entries of a bulk are found by its request; what was not applied, replayed or refused ahead of the queue is not listed', async t => {
  const owner = await service.tenant()
  const entry = (idempotency_key: string, title: unknown) => ({
    ...{ method: 'POST', path: '/suppliers', idempotency_key },
    body: { title, external_ref: title },
  })
  const bulk = (mode: string, ...requests: unknown[]) =>
    owner.request('POST', '/bulk', { body: { mode, requests }, key: null })
  const each = await bulk('each', entry('a', 'a'), entry('b', 'b'))
  const all = await bulk('all', entry('c', 'c'), entry('d', 'd'))
  const refused = await bulk('all', entry('e', 'e'), entry('f', 'a'))
  t.deepEqual(
    [each, all, refused].map(({ body }) => body.results.map(({ status }: Row) => status)),
    [
      [201, 201],
      [201, 201],
      [424, 400],
    ],
  )
  const ids = [each, all, refused].map(requestIdOf)
  const entriesOf = async (id: string | undefined) => idsOf(await listed(owner, `&request_id=${id}&order=asc`))
  t.deepEqual(await entriesOf(ids[0]), [`${ids[0]}.000`, `${ids[0]}.001`])
  t.deepEqual(await entriesOf(ids[1]), [`${ids[1]}.000`, `${ids[1]}.001`])
  t.deepEqual(await entriesOf(ids[2]), [`${ids[2]}.001`])
  t.deepEqual(await entriesOf(`${ids[1]}.001`), [`${ids[1]}.001`])
  const before = await listed(owner)
  t.is((await owner.request('POST', '/suppliers', { body: { title: 'a', external_ref: 'a' }, key: 'a' })).status, 201)
  t.is((await owner.request('POST', '/suppliers', { body: {}, key: 'malformed' })).status, 400)
  t.is((await owner.request('POST', '/suppliers', { body: { title: 'g' }, key: null })).status, 400)
  t.deepEqual(await listed(owner), before)
})

test('pages hold every request once while many are decided, and each tenant sees its own', async t => {
  const owners = await Promise.all(Array.from({ length: 4 }, () => service.tenant()))
  const sent = await Promise.all(
    owners.map(owner =>
      Promise.all(
        Array.from({ length: 40 }, async (_, at) => {
          const path = at % 3 === 0 ? '/suppliers/1' : '/suppliers'
          return requestIdOf(await owner.request(at % 3 === 0 ? 'PATCH' : 'POST', path, { body: { title: `S${at}` } }))
        }),
      ),
    ),
  )
  for (const [at, owner] of owners.entries())
    for (const order of ['asc', 'desc']) {
      const found: Row[] = []
      for (let cursor = ''; ; ) {
        const { body } = await owner.get(`/requests?limit=7&order=${order}${cursor && `&cursor=${cursor}`}`)
        found.push(...body.data)
        cursor = body.next_cursor
        if (cursor === '') break
      }
      t.deepEqual([...idsOf(found)].sort(), sent[at]?.toSorted())
      const ids = found.map(({ id }) => BigInt(String(id)))
      const ascending = ids.toSorted((a, b) => (a < b ? -1 : 1))
      t.deepEqual(ids, order === 'asc' ? ascending : ascending.toReversed())
      t.is(new Set(ids).size, ids.length)
    }
})

test('a key without the scope of an endpoint sees no message of its refusals; without read:requests it sees nothing', async t => {
  const owner = await service.tenant()
  const reader = await service.key(owner.tenantId, { scopes: ['read:requests'] })
  const refused = await owner.request('PATCH', '/suppliers/1', { body: { title: 'S' } })
  const [seen] = await listed(owner)
  const [hidden] = await listed(reader.client)
  t.is(seen?.['message'], refused.body.message)
  t.deepEqual(hidden, { ...seen, message: null })
  const other = await service.key(owner.tenantId, { scopes: ['read:stock'] })
  t.is((await other.client.get('/requests')).status, 403)
})

test('of a tenant the last 100,000 refusals stay, and none that is older than a day is listed', async t => {
  const owner = await service.tenant()
  await owner.request('PATCH', '/suppliers/1', { body: { title: 'S' } })
  const [row] = await listed(owner)
  // The rows are added in steps that a busy machine completes within the time limit of a statement.
  const fill = async (count: number, ageMs: number) => {
    for (let from = 1; from <= count; from += 20_000)
      await service.pool.query(statement`
        insert into refused_requests (tenant_id, id, request_id, key_id, idempotency_key, status, error, message)
        select ${owner.tenantId}::bigint, ${String(row?.['id'])}::bigint - ${ageMs}::bigint * 4096 - at, 'req_0', ${owner.keyId}::bigint, 'k', 404, 'not_found', 'gone'
        from generate_series(${from}::int, ${Math.min(from + 19_999, count)}::int) at`)
  }
  await fill(100_009, 1_000)
  await fill(5, 25 * 3_600_000)
  const count = async () => {
    const found = await service.pool.one(rows(v.object({ count: v.number() }))`
      select count(*)::integer as count from refused_requests where tenant_id = ${owner.tenantId}::bigint`)
    return found.count
  }
  t.is(await count(), 100_015)
  const [oldest] = await listed(owner, '&order=asc')
  t.true(Date.parse(String(oldest?.['created_at'])) > Date.parse(String(row?.['created_at'])) - 3_600_000)
  t.is(await refusalsBeyond.doBatch(service.pool, 10), 10)
  t.is(await refusalsBeyond.doBatch(service.pool, 10), 5)
  t.is(await count(), 100_000)
  t.deepEqual((await listed(owner))[0], row)
})
