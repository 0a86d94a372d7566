import test from 'ava'
import { FailedAttempts } from '../../lib/access/failed-attempts.ts'
import { identify } from '../../lib/access/identify.ts'
import { KeyCache } from '../../lib/access/key-cache.ts'
import type { StoredKey } from '../../lib/access/keys.ts'
import { generateToken, hashToken } from '../../lib/access/token.ts'
import { isRefusal } from '../../lib/api/errors.ts'
import { closeRedis, connectRedis } from '../../lib/store/redis.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const redis = connectRedis(services.redisUrl, 'producer', 'test')
test.after.always(async () => {
  await closeRedis(redis)
  await services.close()
})

const EXPIRY = Date.parse('2026-11-21T05:00:00.000Z')

function key(keyId: string, state: Partial<StoredKey>): [string, StoredKey] {
  const access = {
    tenantId: '1',
    keyId,
    keyName: 'test',
    userName: 'owner',
    scopes: new Set<string>(),
    ratePerMinute: 600,
    burst: 100,
    dailyDocuments: 500,
    quotaGroup: keyId,
    tenantSuspended: false,
  }
  return [generateToken(), { access, expiresAt: null, revoked: false, ...state }]
}

/** Keys that are there, what was looked up, and which refused ones were told. */
function setUp(...keys: [string, StoredKey][]) {
  const table = new Map(keys.map(([token, stored]) => [hashToken(token), stored]))
  const lookUps: string[] = []
  const told: string[] = []
  const identifier = {
    keys: new KeyCache({
      find: async hash => {
        lookUps.push(hash)
        return table.get(hash) ?? null
      },
    }),
    failedAttempts: new FailedAttempts(redis),
  }
  const onKnownKeyRefused = (access: { keyId: string }) => void told.push(access.keyId)
  const as = (authorization: string, now = EXPIRY) =>
    identify(identifier, { authorization, now, address: '192.0.2.1', onKnownKeyRefused })
  return { as, lookUps, told }
}

test('a valid key gives its access', async t => {
  const [token, stored] = key('7', {})
  const { as } = setUp([token, stored])
  t.deepEqual(await as(`Bearer ${token}`), stored.access)
})

test('a key is valid until its expiry and not at it', async t => {
  const [token, stored] = key('7', { expiresAt: EXPIRY })
  const { as } = setUp([token, stored])
  t.false(isRefusal(await as(`Bearer ${token}`, EXPIRY - 1)))
  t.like(await as(`Bearer ${token}`, EXPIRY), { refusal: 'unauthorized', message: 'The API key has expired' })
})

test('a malformed key is refused without a look-up', async t => {
  const { as, lookUps } = setUp()
  for (const header of ['', 'Bearer x', `Bearer ${generateToken().slice(0, -1)}!`, `Basic ${generateToken()}`])
    t.like(await as(header), { refusal: 'unauthorized' })
  t.deepEqual(lookUps, [])
})

test('only refusals that name a known key are told to telemetry', async t => {
  const revoked = key('1', { revoked: true })
  const expired = key('2', { expiresAt: EXPIRY - 1 })
  const valid = key('3', {})
  const { as, told } = setUp(revoked, expired, valid)
  for (const token of [revoked[0], expired[0], valid[0], generateToken(), 'mrk_x']) await as(`Bearer ${token}`)
  t.deepEqual(told, ['1', '2'])
})
