import type { ExecutionContext } from 'ava'
import { openKeyCache } from '../../lib/access/access-services.ts'
import { FailedAttempts } from '../../lib/access/failed-attempts.ts'
import { identify } from '../../lib/access/identify.ts'
import { KeyCache } from '../../lib/access/key-cache.ts'
import { defaultLimits, issueKey } from '../../lib/access/keys.ts'
import type { StoredKey } from '../../lib/access/stored-keys.ts'
import { createTenant } from '../../lib/access/tenants.ts'
import { generateToken, hashToken } from '../../lib/access/token.ts'
import { isRefusal } from '../../lib/kit/api/errors.ts'
import { createPool } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const { databaseUrl, redisUrl } = await serviceOfFile()
const redis = connectRedis(redisUrl, 'worker', 'test')
test.after.always(() => closeRedis(redis))

const EXPIRY = Date.parse('2026-11-21T05:00:00.000Z')

function key(keyId: string, state: Partial<StoredKey>): [string, StoredKey] {
  const access = {
    tenantId: '1',
    cell: 'main',
    keyId,
    keyName: 'test',
    userName: 'owner',
    scopes: new Set<string>(),
    ratePerMinute: 600,
    burst: 100,
    dailyDocuments: 500,
    quotaGroup: keyId,
    timeZone: 'UTC',
    tenantSuspended: false,
  }
  return [generateToken(), { access, expiresAt: null, revoked: false, ...state }]
}

/** The keys that exist, the hashes that were looked up, and the refused keys that were reported. */
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
      changes: async () => ({ mark: { generation: 1, transaction: 1n, at: 0 }, tenantIds: [] }),
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

/** An identifier with PostgreSQL, as a server process has it, and how many statements it sent. */
async function onPostgres(t: ExecutionContext) {
  let statements = 0
  const limits = { size: 5, statementTimeoutMs: 60_000, idleInTransactionTimeoutMs: 60_000, checkRows: true }
  const pool = await createPool(databaseUrl, { ...limits, onStatement: () => statements++ })
  t.teardown(() => pool.end())
  const tenantId = await createTenant(pool, { name: 'T', ownerEmail: 'o@t.example', plan: 'pro', currency: 'EUR' })
  const key = { tenantId, name: 'test', scopes: [], ...defaultLimits }
  const issue = async () => (await issueKey(pool, key))?.token ?? ''
  const identifier = { keys: openKeyCache([{ name: 'main', pool }]), failedAttempts: new FailedAttempts(redis) }
  const as = (token: string, address: string) =>
    identify(identifier, { authorization: `Bearer ${token}`, now: Date.now(), address })
  const counted = async (work: () => Promise<void>) => {
    statements = 0
    await work()
    return statements
  }
  return { as, issue, counted }
}

test('guesses from an address over its limit reach Postgres ten times a second at most, and valid keys are served', async t => {
  const { as, issue, counted } = await onPostgres(t)
  const seen = await issue()
  const unseen = await Promise.all(Array.from({ length: 20 }, issue))
  t.false(isRefusal(await as(seen, '198.51.100.1')))
  await Promise.all(Array.from({ length: 101 }, () => as('mrk_x', '198.51.100.1')))
  const refusals: string[] = []
  let isOver = false
  const begunAt = performance.now()
  const statements = await counted(async () => {
    const guessers = Array.from({ length: 200 }, async () => {
      while (!isOver) {
        const outcome = await as(generateToken(), '198.51.100.1')
        refusals.push(isRefusal(outcome) ? outcome.refusal : 'served')
      }
    })
    for (const token of [seen, ...unseen]) t.false(isRefusal(await as(token, '198.51.100.1')))
    isOver = true
    await Promise.all(guessers)
  })
  t.true(refusals.length >= 2_000, `${refusals.length} guesses`)
  t.true(refusals.every(refusal => refusal === 'rate_limited'))
  const turns = (performance.now() - begunAt) / 100
  t.true(statements <= turns + 2, `${statements} statements for ${refusals.length} guesses in ${turns} turns`)
})

test('guesses from addresses without number cost Postgres one statement at a time', async t => {
  const { as, issue, counted } = await onPostgres(t)
  const tokens = await Promise.all(Array.from({ length: 20 }, issue))
  const statements = await counted(async () => {
    const guesses = Array.from({ length: 3_000 }, (_, n) => as(generateToken(), `2001:db8:2:${n.toString(16)}::1`))
    const outcomes = await Promise.all(tokens.map(token => as(token, '198.51.100.2')))
    t.true(outcomes.every(outcome => !isRefusal(outcome)))
    await Promise.all(guesses)
  })
  t.true(statements <= 10, `${statements} statements`)
})
