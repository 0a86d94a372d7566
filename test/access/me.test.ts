/** The guarantees of `GET /me`: it shows which key asks, what the key may do, and exactly how many documents it has left. */
import { rotateKey } from '../../lib/access/keys.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

/** The UTC day may end while a test runs: its figures are then of two days. */
const midnightAfter = (now: Date) => new Date(now.setUTCHours(24, 0, 0, 0)).toISOString()

test('a key of any scopes, none too, learns its tenant, itself, its rate and its documents', async t => {
  const owner = await service.tenant({ plan: 'free', currency: 'USD', key: { userName: 'jane' } })
  const limits = { ratePerMinute: 90, burst: 7, dailyDocuments: 12 }
  const { client, keyId } = await service.key(owner.tenantId, {
    ...limits,
    name: 'shop',
    scopes: ['read:stock', 'write:sales.order.create'],
    expiresAt: '2099-01-01T00:00:00Z',
  })
  const before = midnightAfter(new Date())
  const { status, body } = await client.get('/me')
  t.is(status, 200)
  t.true([before, midnightAfter(new Date())].includes(body.documents.resets_at))
  t.deepEqual(body, {
    tenant_id: owner.tenantId,
    time_zone: 'UTC',
    closed_through: null,
    tenant_name: 'Test',
    currency: 'USD',
    plan: 'free',
    key_id: keyId,
    key_name: 'shop',
    user_name: 'owner@test.example',
    scopes: ['read:stock', 'write:sales.order.create'],
    expires_at: '2099-01-01T00:00:00.000Z',
    rate: { per_minute: 90, burst: 7 },
    documents: { limit: 12, spent: 0, resets_at: body.documents.resets_at },
  })
  t.like((await owner.get('/me')).body, { key_id: owner.keyId, user_name: 'jane', expires_at: null })
  const bare = await service.key(owner.tenantId, { scopes: [] })
  t.deepEqual((await bare.client.get('/me')).body.scopes, [])
  const gone = await service.key(owner.tenantId, { expiresAt: '2020-01-01T00:00:00Z' })
  t.is((await gone.client.get('/me')).status, 401)
})

test('what is spent counts successes of this key and those that it was rotated from or to, at once and nothing else', async t => {
  const client = await service.tenant({ key: { dailyDocuments: 3 } })
  const spent = async (of = client) => (await of.get('/me')).body.documents.spent
  const product = { title: 'Oak' }
  t.is((await client.post('/products', product, 'one')).status, 201)
  t.is(await spent(), 1)
  t.is((await client.post('/products', product, 'one')).headers.get('idempotent-replayed'), 'true')
  t.is((await client.post('/products', { ...product, shelf_life_days: -1 })).status, 400)
  t.is((await client.post('/storage-places', { title: 'x' })).status, 201)
  t.is(await spent(), 1, 'replays, refusals and what counts no document')
  const rotated = await rotateKey(service.pool, { keyId: client.keyId, overlapSeconds: 3_600 })
  const { token = '' } = rotated ?? {}
  const other = { ...client, get: (path: string) => client.request('GET', path, { token }) }
  t.is((await client.request('POST', '/products', { body: product, token })).status, 201)
  t.is((await client.post('/products', product)).status, 201)
  t.is((await client.post('/products', product)).status, 429)
  t.deepEqual([await spent(), await spent(other)], [3, 3])
  t.not((await other.get('/me')).body.key_id, client.keyId)
  const neighbour = await service.key(client.tenantId)
  t.is(await spent(neighbour.client), 0, 'a key of its own has a quota of its own')
})
