/** Sends rare statements: of bulks in one transaction, of units that do not wait for locks, and of gaps in the numbers of events. */
import { randomUUID } from 'node:crypto'
import type { ListEndpoint } from '../../../lib/kit/api/endpoint.ts'
import { endpoints } from '../../../lib/nouns.ts'
import { BULK, type Bulk, type Command } from '../../../lib/pipeline/command.ts'
import { statement } from '../../../lib/platform/postgres/postgres.ts'
import { runUnit } from '../../../lib/work/unit.ts'
import { commandAt, commandOf, unitSettings } from '../../support/run-command.ts'
import type { SentStatements } from './sent.ts'
import type { SendingTenant } from './tenant.ts'

export async function sendUnusual(tenant: SendingTenant, sent: SentStatements): Promise<void> {
  const { id, actor, pool, connection, send } = tenant
  const { endpoint, params } = commandAt('POST', '/suppliers')
  const supplier = (title: string): Command =>
    commandOf(endpoint, { tenantId: id, actor, params, body: { title, external_ref: title } })
  connection.serverAskedAt = Number.NEGATIVE_INFINITY
  const unit = [{ tenantId: id, commands: [supplier('Alone')] }]
  await sent.by(endpoint.id, () => runUnit(connection, unit, { ...unitSettings, waits: false }))

  const bulk = async (entries: readonly Command[], tenantId = id): Promise<void> => {
    const [first] = entries
    if (first === undefined) return
    const whole: Bulk = { ...first, tenantId, requestId: `req_${randomUUID()}`, endpoint: BULK, entries }
    connection.serverAskedAt = Number.NEGATIVE_INFINITY
    await sent.by(BULK, () =>
      runUnit(connection, [{ tenantId: whole.tenantId, commands: [whole] }], { ...unitSettings, oneByOne: true }),
    )
  }
  await bulk([supplier('One'), supplier('Two')])
  // The second entry is refused, so the first is rolled back.
  await bulk([supplier('Three'), supplier('Two')])
  await bulk([supplier('Nobody')], '0')

  const hook = await send('POST', '/webhook-subscriptions', { url: 'https://example.com/far', events: ['*'] })
  await pool.query(statement`update tenant_streams set event_gap = 5 where tenant_id = ${id}`)
  await send('POST', '/suppliers', { title: 'Behind a gap' })
  // More events than one recovery handles.
  await pool.query(
    statement`update tenant_streams set event_sequence = event_sequence + 600000 where tenant_id = ${id}`,
  )
  await send('POST', '/suppliers', { title: 'Far behind' })
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const recovery = send('POST', `/webhook-subscriptions/${hook.id}/recover`, { since })
  const isRefused = await recovery.then(
    () => false,
    error => /more than the 500000/.test(String(error)),
  )
  if (!isRefused) throw new Error('a recovery of too many events was not refused')

  // The time of a tenant may be ahead of the server's.
  await pool.query(
    statement`update tenant_streams set last_command_at = now() + interval '1 hour' where tenant_id = ${id}`,
  )
  const valuation = endpoints.find(endpoint => endpoint.kind === 'list' && endpoint.id === 'listStockValuation')
  const as_of = new Date(Date.now() + 1_800_000).toISOString()
  await tenant.pages(valuation as ListEndpoint, {}, [{ filters: { as_of }, after: null, order: 'asc' }])
}
