/**
 * Sends the statements of the processes and of the command line that belong to no endpoint. Left out are moves of tenants, cells, `doctor`,
 * migrations, replicas, and code for busy tenants that needs thousands of rows.
 */

import { cellsOfKeys, listCells, placeOfTenant } from '../../../lib/access/cells/directory.ts'
import { changedKeys } from '../../../lib/access/changed-keys.ts'
import { listKeys } from '../../../lib/access/key-summaries.ts'
import { defaultLimits, issueKey, revokeKey, rotateKey, updateKey } from '../../../lib/access/keys.ts'
import { findKeys, findKeysById } from '../../../lib/access/stored-keys.ts'
import { createTenant, listTenants, setClosedThrough, tenantExists, updateTenant } from '../../../lib/access/tenants.ts'
import { tenantsWithDueHolds } from '../../../lib/domain/sales/reservations/queries.ts'
import { findOutcome } from '../../../lib/pipeline/command-log.ts'
import { CommandQueues } from '../../../lib/pipeline/tenant-queues.ts'
import { markSent, postponeMail, queueQuotaMail, takeMail } from '../../../lib/platform/mail/outbox.ts'
import { lookAtClock } from '../../../lib/platform/postgres/clock-leap.ts'
import { statement } from '../../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../../lib/platform/redis/redis.ts'
import { secretBox } from '../../../lib/platform/secret-box.ts'
import { createLog } from '../../../lib/platform/telemetry/log.ts'
import { SecurityCounts } from '../../../lib/security/counts.ts'
import { reconcile } from '../../../lib/tools/reconcile/reconcile.ts'
import { recentlyBehind, tenantsBehind } from '../../../lib/webhooks/behind.ts'
import { countDue, dueDeliveries, giveUpExpired } from '../../../lib/webhooks/due-deliveries.ts'
import { storeOutcomes } from '../../../lib/webhooks/outcomes.ts'
import { overdueSubscriptions } from '../../../lib/webhooks/pending.ts'
import { continueRecovery } from '../../../lib/webhooks/recovery-queries.ts'
import { relayTenant } from '../../../lib/webhooks/relay.ts'
import { countSealed, reseal } from '../../../lib/webhooks/reseal.ts'
import { retriesAfter } from '../../../lib/webhooks/retries.ts'
import { bytesBehind, eventsBehind, newEvents, storedEvents } from '../../../lib/webhooks/stream-queries.ts'
import { runUnit } from '../../../lib/work/unit.ts'
import { sweep } from '../../../workers/commands/queue-sweep.ts'
import type { Chore } from '../../../workers/housekeeping/deletion.ts'
import { runChore } from '../../../workers/housekeeping/housekeeping.ts'
import { pastBalances } from '../../../workers/housekeeping/past-balances.ts'
import * as retention from '../../../workers/housekeeping/retention.ts'
import { webhookChores } from '../../../workers/housekeeping/webhook-retention.ts'
import { commandAt, commandOf, unitSettings } from '../../support/run-command.ts'
import type { TestServices } from '../../support/services.ts'
import type { SentStatements } from './sent.ts'
import type { SendingTenant } from './tenant.ts'

const log = createLog({ level: 'silent', processName: 'statements' })

type By = SentStatements['by']
type On = Pick<TestServices, 'databaseUrl' | 'redisUrl'>

export async function sendOfProcesses(
  tenant: SendingTenant,
  distributed: SendingTenant,
  sent: SentStatements,
  { databaseUrl, redisUrl }: On,
): Promise<void> {
  const by: By = (sender, work) => sent.by(sender, work)
  await sendOfServer(tenant, by)
  await sendOfWebhooks(tenant, by)
  await by('webhook, relay, distributed', async () => {
    await relayTenant(distributed.pool, distributed.id, new Date().toISOString())
    await continueRecovery(distributed.pool, distributed.id, 10)
  })
  const redis = connectRedis(redisUrl, 'worker', 'statements')
  const queues = new CommandQueues(redis, 1)
  await by('worker, sweep', () => sweep({ pool: tenant.pool, queues, log }))
  await closeRedis(redis)
  await sendOfDueHolds(tenant, by)
  await tenant.pool.query(statement`update known_time set known_at = now() - interval '2 minutes'`)
  await by('clocks', () => lookAtClock(tenant.pool))
  const chores: readonly Chore[] = [...Object.values(retention), ...webhookChores, pastBalances]
  for (const chore of chores) await by(`housekeeping, ${chore.name}`, () => runChore(tenant.pool, chore))
  await sendOfCommandLine(tenant, by)
  await by('reconcile', () => reconcile(databaseUrl, tenant.id))
}

/** Sends the query that finds an expired hold, and the unit of work that ends the hold. */
async function sendOfDueHolds({ id: tenantId, pool, connection, send }: SendingTenant, by: By): Promise<void> {
  const { variants } = await send('POST', '/products', { title: 'Held' })
  const items = [{ item_variant_id: variants[0].id, quantity: 1 }]
  await send('POST', '/stock-adjustments', { items })
  await send('POST', '/reservations', { expires_at: new Date(Date.now() + 3_600_000), items })
  await pool.query(statement`update reservations set expires_at = now() where tenant_id = ${tenantId}`)
  const ended = await by('worker, due holds', async () => {
    await tenantsWithDueHolds(pool)
    connection.serverAskedAt = Number.NEGATIVE_INFINITY
    return runUnit(connection, [{ tenantId, commands: [] }], unitSettings)
  })
  const result = ended.get(tenantId)
  if (result?.is !== 'ran' || !result.hasEvents) throw new Error('no hold was ended')
}

async function sendOfServer({ id: tenantId, actor, pool, readPool }: SendingTenant, by: By): Promise<void> {
  const { keyId } = actor
  await by('server, keys', async () => {
    await findKeys(pool, ['00'])
    await cellsOfKeys(pool, ['00'])
    await findKeysById(pool, [{ tenantId, keyId }])
    const { mark } = await changedKeys(pool, null)
    await changedKeys(pool, mark)
  })
  await by('server, command log', async () => {
    const { endpoint, params } = commandAt('POST', '/suppliers')
    await findOutcome(pool, commandOf(endpoint, { tenantId, actor, params, body: { title: 'Unknown' } }))
  })
  await by('server, event streams', async () => {
    const at = { tenantId, after: 0 }
    await eventsBehind(readPool, at)
    await newEvents(readPool, [{ ...at, isWanted: true }])
    for (const types of [undefined, ['product.created']]) {
      await storedEvents(readPool, { ...at, types })
      await bytesBehind(readPool, { ...at, types })
    }
  })
  await by('server, mail of a spent quota', () =>
    queueQuotaMail(pool, { tenantId, keyId, group: keyId, day: '2026-11-21' }),
  )
  const counts = new SecurityCounts({ pool, log })
  const request = { tenantId, keyId, method: 'GET', route: '/products', status: 200, address: '198.51.100.7' }
  counts.request({ ...request, refusal: undefined, replayed: false, receivedAt: Date.now() })
  await by('server, security counts', () => counts.close())
}

async function sendOfWebhooks({ id: tenantId, pool, send }: SendingTenant, by: By): Promise<void> {
  const { id: subscriptionId } = await send('POST', '/webhook-subscriptions', {
    url: 'https://example.com/due',
    events: ['*'],
  })
  for (let n = 0; n < 3; n++) await send('POST', `/webhook-subscriptions/${subscriptionId}/test`)
  const of = { tenantId, subscriptionId }
  const now = new Date(Date.now() + 1_000).toISOString()
  await by('webhook, relay', () => relayTenant(pool, tenantId, now))
  await by('webhook, recovery', () => continueRecovery(pool, tenantId, 1_000))
  const due = await by('webhook, sender', () => dueDeliveries(pool, of, { now, except: ['0'], limit: 3 }))
  const [first, ...others] = due
  if (first === undefined || others.length !== 2) throw new Error('there are no three deliveries to send')
  await by('webhook, sender', () => giveUpExpired(pool, { tenantId, deliveryId: first.id, now }))
  // The second failure disables the subscription, and its owner gets a mail.
  const outcomes = others.map((delivery, at) => ({
    ...delivery,
    ...of,
    deliveryId: delivery.id,
    attempt: {
      isSuccess: at === 0,
      responseStatus: at === 0 ? 200 : 410,
      durationMs: 1,
      reason: null,
      retryAfterMs: 0,
    },
    at: Date.now(),
    chance: 0.5,
  }))
  await by('webhook, outcomes', () => storeOutcomes(pool, outcomes))
  await by('webhook, retries', () => retriesAfter(pool, [of], now))
  await by('webhook, sweep', async () => {
    await Array.fromAsync(tenantsBehind(pool))
    await recentlyBehind(pool, { since: now, named: [tenantId] })
    await Array.fromAsync(overdueSubscriptions(pool, now))
  })
  await by('webhook, metrics', () => countDue(pool, { now, max: 10 }))
  await by('webhook, mails', async () => {
    const mail = await takeMail(pool, 600)
    if (mail === null) throw new Error('there is no mail to send')
    await postponeMail(pool, mail, 0)
    await markSent(pool, mail)
  })
}

async function sendOfCommandLine({ id: tenantId, pool }: SendingTenant, by: By): Promise<void> {
  await by('command line, tenants', async () => {
    const other = await createTenant(pool, {
      name: 'Other',
      ownerEmail: 'o@example.com',
      plan: 'free',
      currency: 'EUR',
    })
    await listTenants(pool)
    await tenantExists(pool, other)
    await updateTenant(pool, { tenantId: other, name: 'Another' })
    await setClosedThrough(pool, other, '2026-10-31')
  })
  await by('command line, keys', async () => {
    const key = await issueKey(pool, { tenantId, name: 'Key', scopes: [], ...defaultLimits })
    if (key === null) throw new Error('the tenant has no key')
    await listKeys(pool, tenantId)
    await updateKey(pool, { keyId: key.keyId, name: 'Renamed', dailyDocuments: 7 })
    await rotateKey(pool, { keyId: key.keyId, overlapSeconds: 60 })
    await revokeKey(pool, key.keyId)
  })
  await by('command line, cells', async () => {
    await listCells(pool)
    await placeOfTenant(pool, tenantId)
  })
  // The secrets of a test tenant are encrypted with a key of 32 zeros.
  const box = secretBox([Buffer.alloc(32, 1), Buffer.alloc(32)])
  await by('command line, secrets', async () => {
    await countSealed(pool, box.marks())
    await reseal(pool, box, () => {})
  })
}
