/** A server process remembers its caller's key as one of a cell that the tenant has left since. It asks where the tenant is now. */
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { addCell } from '../../lib/access/cells/add.ts'
import type { Command } from '../../lib/pipeline/command.ts'
import { queueQuotaMail } from '../../lib/platform/mail/outbox.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { moveTenant } from '../../lib/tools/moves/move.ts'
import { openServices } from '../../server/services.ts'
import { awaitReply, followClaim } from '../../server/write.ts'
import { testDatabase } from '../support/database.ts'
import { testConfig } from '../support/pipeline.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

const DAY = '2026-11-21'

const services = await testServices()
const other = await testDatabase(services.databaseUrl)
const env = { CELL_WEST_URL: other.url }
const service = await startService(services, { env })
const log = createLog({ level: 'silent', processName: 'test' })
const main = await openServices(testConfig(services, env), log, { checkRows: true })
const west = main.in('west')
await addCell(main.pool, { name: 'west', weight: 1, pool: west.pool })
const client = await service.tenant()
const { tenantId, keyId } = client
const cells = [
  { name: 'main', databaseUrl: services.databaseUrl, pool: async () => main.pool },
  { name: 'west', databaseUrl: other.url, pool: async () => west.pool },
]
await moveTenant({ tenantId, to: 'west' }, { cells, redis: main.redis, queueShards: 1, keptMs: 0 })
const made = await client.post('/suppliers', { title: 'written in west' }, 'a key')
const [logged] = await west.pool.any(rows(v.object({ fingerprint: v.string(), endpoint: v.string() }))`
  select encode(fingerprint, 'hex') as fingerprint, endpoint from commands where idempotency_key = 'a key'`)

// After the last top-level await, since AVA runs the first hook that is registered first.
test.after.always(async () => {
  await main.close()
  await service.close()
  await other.close()
  await services.close()
})

/** The same request again, by a process that remembers the key as one of `main`. */
const again = (): Command => ({
  ...{ requestId: `req_${randomUUID()}`, tenantId, endpoint: logged?.endpoint ?? '', idempotencyKey: 'a key' },
  ...{ fingerprint: logged?.fingerprint ?? '', params: {}, body: { title: 'written in west' }, replyTo: 'test' },
  actor: { keyId, userName: 'Owner' },
  quota: { group: keyId, day: DAY },
  acceptedAt: Date.now() - 60_000,
})
const never = new Promise<never>(() => {})

for (const kind of ['quota_exceeded', 'mismatch'] as const)
  test(`a write that was recorded after the move is replayed, and not refused: ${kind}`, async t => {
    t.is(made.status, 201)
    const outcome = await followClaim(again(), { kind }, never, main)
    t.like(outcome, { kind: 'done', status: 201, body: made.text, replayed: true })
  })

test('a write whose answer was lost is found in the log of the cell where it was done', async t => {
  const outcome = await awaitReply(again(), 'no such job', never, main)
  t.like(outcome, { kind: 'done', status: 201, body: made.text })
})

test('the mail of a spent quota is not noted in a cell that the tenant has left', async t => {
  const quota = { tenantId, keyId, group: keyId, day: DAY }
  await t.throwsAsync(queueQuotaMail(main.pool, quota), { name: 'TenantNotHere' })
  await queueQuotaMail(west.pool, quota)
  await queueQuotaMail(west.pool, quota)
  for (const [{ pool }, count] of [
    [main, 0],
    [west, 1],
  ] as const) {
    const found = await pool.any(rows(v.object({ id: v.string() }))`
      select id::text as id from mails where tenant_id = ${tenantId}::bigint`)
    t.is(found.length, count)
  }
})
