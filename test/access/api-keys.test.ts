/** The guarantees of `/api-keys`: a tenant sees its keys without their tokens, and revokes one at once, whatever waits in its queue. */
import * as v from 'valibot'
import { hashToken } from '../../lib/access/token.ts'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { columns } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

test('keys are listed with what they may do, and neither token nor hash is in any answer', async t => {
  const owner = await service.tenant({ key: { userName: 'jane' } })
  const shop = await service.key(owner.tenantId, {
    ...{ name: 'shop', scopes: ['read:stock'], ratePerMinute: 90, burst: 7, dailyDocuments: 12 },
    expiresAt: '2099-01-01T00:00:00Z',
  })
  const old = await service.key(owner.tenantId, { name: 'old', expiresAt: '2020-01-01T00:00:00Z' })
  const { status, body, text, headers } = await owner.get('/api-keys')
  t.is(status, 200)
  t.deepEqual(
    body.data.map(({ id, user_name, status: of }: Record<string, string>) => [id, user_name, of]),
    [
      [owner.keyId, 'jane', 'valid'],
      [shop.keyId, null, 'valid'],
      [old.keyId, null, 'expired'],
    ],
  )
  const { created_at, ...listed } = body.data[1]
  t.true(Date.parse(created_at) <= Date.now() + 60_000)
  t.deepEqual(listed, {
    id: shop.keyId,
    name: 'shop',
    user_name: null,
    scopes: ['read:stock'],
    rate: { per_minute: 90, burst: 7 },
    daily_documents: 12,
    status: 'valid',
    last_used_at: null,
    expires_at: '2099-01-01T00:00:00.000Z',
    revoked_at: null,
  })
  for (const { token } of [owner, shop, old])
    for (const secret of [token, hashToken(token)]) t.false(text.includes(secret))
  const one = await owner.get(`/api-keys/${shop.keyId}`)
  t.deepEqual(one.body, body.data[1])
  t.deepEqual([headers.get('etag'), one.headers.get('etag')], [null, null])
})

test('the list pages both ways, and is filtered by id and status', async t => {
  const owner = await service.tenant()
  const others = []
  for (const name of ['a', 'b', 'c']) others.push((await service.key(owner.tenantId, { name })).keyId)
  const [a = '', b = '', c = ''] = others
  const idsOf = async (query: string) => {
    const { body } = await owner.get(`/api-keys?${query}`)
    return { ids: body.data.map(({ id }: { id: string }) => id), next: body.next_cursor }
  }
  const first = await idsOf('limit=2&order=desc')
  t.deepEqual(first.ids, [c, b])
  t.deepEqual(await idsOf(`limit=2&order=desc&cursor=${encodeURIComponent(first.next)}`), {
    ids: [a, owner.keyId],
    next: '',
  })
  await owner.request('POST', `/api-keys/${b}/revoke`, { key: null })
  t.deepEqual((await idsOf('status=revoked')).ids, [b])
  t.deepEqual((await idsOf('status=valid,revoked&limit=200')).ids, [owner.keyId, a, b, c])
  t.deepEqual((await idsOf(`id=${c},${a}`)).ids, [a, c])
  t.is((await owner.get('/api-keys?status=gone')).status, 400)
})

test('a revoked key is taken by no server within 5 seconds; a repeat answers the same; a key may revoke itself', async t => {
  const owner = await service.tenant()
  const { keyId, client } = await service.key(owner.tenantId)
  t.is((await client.get('/products')).status, 200)
  const revoke = (id: string, by = owner) => by.request('POST', `/api-keys/${id}/revoke`, { key: null })
  const done = await revoke(keyId)
  t.is(done.status, 200)
  t.like(done.body, { id: keyId, status: 'revoked' })
  await eventually(async () => (await client.get('/products')).status === 401)
  // The last use is written soon after the request, and a refused request counts as a use.
  const withoutUse = ({ last_used_at, ...record }: Record<string, unknown>) => record
  t.deepEqual(withoutUse((await revoke(keyId)).body), withoutUse(done.body))
  const again = await owner.request('POST', `/api-keys/${keyId}/revoke`, { key: 'ignored' })
  t.deepEqual(withoutUse(again.body), withoutUse(done.body))
  t.is(again.headers.get('idempotent-replayed'), null)
  const self = await revoke(owner.keyId)
  t.like(self.body, { id: owner.keyId, status: 'revoked' })
  await eventually(async () => (await owner.get('/products')).status === 401)
})

test('it needs the scope and a key of the tenant, takes no query and no If-Match, and is no entry of a bulk', async t => {
  const owner = await service.tenant()
  const stranger = await service.tenant()
  const reader = await service.key(owner.tenantId, { scopes: ['read:keys'] })
  const refused = async (reply: Promise<{ status: number; body: { error: string } }>) => {
    const { status, body } = await reply
    return [status, body.error]
  }
  const path = `/api-keys/${reader.keyId}/revoke`
  const conditional = await owner.request('POST', path, { key: null, headers: { 'If-Match': '"x"' } })
  t.deepEqual([conditional.status, conditional.body.message], [400, 'If-Match: is not taken by this endpoint'])
  t.deepEqual(await refused(reader.client.request('POST', path, { key: null })), [403, 'forbidden'])
  t.deepEqual(await refused(stranger.request('POST', path, { key: null })), [404, 'not_found'])
  t.deepEqual(await refused(stranger.get(`/api-keys/${reader.keyId}`)), [404, 'not_found'])
  t.deepEqual(await refused(owner.request('POST', `${path}?force=1`, { key: null })), [400, 'validation_failed'])
  const requests = [{ method: 'POST', path, idempotency_key: 'x' }]
  const bulk = await owner.request('POST', '/bulk', { key: null, body: { requests } })
  t.like(bulk.body.results[0], { status: 404, body: { error: 'not_found' } })
  t.is((await reader.client.get('/api-keys')).status, 200)
})

test('a key is revoked while the tenant is locked, as a command of it locks it', async t => {
  const owner = await service.tenant()
  const { keyId, client } = await service.key(owner.tenantId)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>()
  const holding = service.pool.transaction(async connection => {
    await connection.query(statement`select from tenant_streams where tenant_id = ${owner.tenantId} for no key update`)
    isHeld()
    await released
  })
  await held
  const write = client.post('/suppliers', { title: 'Oak' })
  const done = await owner.request('POST', `/api-keys/${keyId}/revoke`, { key: null })
  t.is(done.status, 200)
  release()
  await holding
  t.true([201, 503].includes((await write).status))
})

test('a key makes another with what it has itself, and its token is in one answer alone', async t => {
  const owner = await service.tenant({ key: { userName: 'jane' } })
  const { client: maker, keyId } = await service.key(owner.tenantId, {
    ...{ name: 'maker', userName: 'tom', scopes: ['read:keys', 'read:stock', 'write:keys'] },
    ...{ ratePerMinute: 6_000, burst: 70, dailyDocuments: 40 },
  })
  const made = await maker.request('POST', '/api-keys', {
    key: null,
    body: { name: 'Packing table', scopes: ['read:stock', 'read:stock'], expires_at: '2099-01-01' },
  })
  t.is(made.status, 201, made.text)
  const { id, token, created_at, ...shown } = made.body
  t.true(Date.parse(created_at) <= Date.now() + 60_000)
  t.deepEqual(shown, {
    name: 'Packing table',
    user_name: 'tom',
    scopes: ['read:stock'],
    // The defaults of a new key: no more than the key has that makes it.
    rate: { per_minute: 600, burst: 70 },
    daily_documents: 40,
    status: 'valid',
    last_used_at: null,
    expires_at: '2099-01-01T00:00:00.000Z',
    revoked_at: null,
  })
  const { body: read, text } = await maker.get(`/api-keys/${id}`)
  t.deepEqual({ ...read, token }, made.body)
  t.false(text.includes(token))
  const fresh = service.client(owner.tenantId, { keyId: id, token })
  t.is((await fresh.get('/stock')).status, 200)
  t.like((await fresh.get('/products')).body, { error: 'forbidden' })
  t.like((await fresh.get('/me')).body, { key_id: id, user_name: 'tom', rate: { per_minute: 600, burst: 70 } })
  // A key can have the limits of the key that makes it, and the name of another user.
  const named = await owner.request('POST', '/api-keys', {
    key: 'ignored',
    body: {
      name: 'n',
      user_name: 'Ann',
      scopes: ['read:keys'],
      rate_per_minute: 1,
      burst: 1,
      daily_documents: 0,
      expires_at: null,
    },
  })
  t.like(named.body, { user_name: 'Ann', rate: { per_minute: 1, burst: 1 }, daily_documents: 0, expires_at: null })
  t.is(named.headers.get('idempotent-replayed'), null)
  // There is no event and no entry in the command log. The trail of the operators' actions has an entry, without the token.
  t.deepEqual((await owner.get('/events')).body.data, [])
  const actions = await service.pool.any(
    rows(v.object({ phase: v.string(), command: v.string(), given_name: v.string(), arguments: v.string() }))`
      select phase, command, given_name, arguments::text from operator_actions
      where tenant_id = ${owner.tenantId} and arguments ->> 'key_id' = ${id} order by phase`,
  )
  t.deepEqual(columns(actions, 'phase', 'command', 'given_name'), [
    ['begun', 'POST /api-keys', 'tom'],
    ['ended', 'POST /api-keys', 'tom'],
  ])
  t.like(JSON.parse(actions[0]?.arguments ?? ''), { by_key: keyId, name: 'Packing table', scopes: ['read:stock'] })
  t.false(JSON.stringify(actions).includes(token))
})

test('no key gives more than it has, and each refusal names what', async t => {
  const owner = await service.tenant()
  const { client: maker } = await service.key(owner.tenantId, {
    ...{ scopes: ['read:keys', 'write:keys'], ratePerMinute: 6_000, burst: 70, dailyDocuments: 40 },
  })
  const ask = async (body: object, by = maker) => {
    const { status, body: answer } = await by.request('POST', '/api-keys', { key: null, body })
    return [status, answer.message]
  }
  const key = { name: 'n', scopes: ['read:keys'] }
  t.deepEqual(await ask({ ...key, scopes: ['read:keys', 'read:stock'] }), [
    403,
    'The API key lacks the scope read:stock',
  ])
  t.deepEqual(await ask({ ...key, scopes: ['read:everything'] }), [400, 'scopes[0]: "read:everything" is no scope'])
  t.deepEqual(await ask({ ...key, rate_per_minute: 6_001, burst: 71, daily_documents: 41 }), [
    400,
    'rate_per_minute: is more than the 6000 of the API key; burst: is more than the 70 of the API key; ' +
      'daily_documents: is more than the 40 of the API key',
  ])
  t.deepEqual(await ask({ ...key, expires_at: '2020-01-01' }), [400, 'expires_at: is over already'])
  t.deepEqual(await ask({ scopes: [] }), [400, 'scopes: must have at least 1 entry; name: is required'])
  const other = await service.key(owner.tenantId, { scopes: ['read:keys'] })
  t.deepEqual(await ask(key, other.client), [403, 'The API key lacks the scope write:keys'])
  t.is((await owner.get('/api-keys?limit=200')).body.data.length, 3)
  const path = '/api-keys'
  const bulk = await owner.post('/bulk', { requests: [{ method: 'POST', path, body: key, idempotency_key: 'x' }] })
  t.like(bulk.body.results[0], { status: 404, body: { error: 'not_found' } })
  const dry = await owner.request('POST', path, { key: null, body: key, headers: { 'Dry-Run': 'true' } })
  t.deepEqual([dry.status, dry.body.message], [400, 'Dry-Run: is not taken by this endpoint'])
})

test('of requests at once only as many make a key as there may be', async t => {
  const owner = await service.tenant()
  for (let n = 0; n < 17; n++) await service.key(owner.tenantId, { name: `${n}` })
  await service.pool.query(statement`
    insert into api_keys (tenant_id, quota_group, name, user_name, token_hash, scopes)
    select ${owner.tenantId}, 1, 'k', 'k', sha256(convert_to(${owner.tenantId} || '-' || n, 'UTF8')), '{}' from generate_series(1, 178) n`)
  const ask = () => owner.request('POST', '/api-keys', { key: null, body: { name: 'n', scopes: ['read:keys'] } })
  const answers = await Promise.all(Array.from({ length: 9 }, ask))
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 201, 400, 400, 400, 400, 400])
  t.regex(answers.find(({ status }) => status === 400)?.body.message, /200 valid API keys/)
})
