/**
 * Owns a service with its webhook process inside the test: real HTTP, real queues, receivers on this machine, a clock and
 * chance that tests may hold. It must not shortcut what a deployment does.
 */
import { createPool, type Pool } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { type RunningWebhooks, startWebhooks, type WebhookServices } from '../../workers/webhooks/webhooks.ts'
import type { Loose } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import { testConfig } from '../support/pipeline.ts'
import { type Client, startService, type TestService } from '../support/service.ts'
import { type TestServices, testServices } from '../support/services.ts'

export type WebhookBench = {
  readonly services: TestServices
  readonly service: TestService
  readonly pool: Pool
  readonly env: Record<string, string>
  readonly webhooks: RunningWebhooks
  /** A subscription of the client, as created (with its secret). */
  subscribe(client: Client, url: string, given?: object): Promise<Loose>
  close(): Promise<void>
}

/** Starts both on a database and a Redis of the file's own. */
export async function webhookBench(
  given: WebhookServices['given'] = {},
  env: Record<string, string> = {},
): Promise<WebhookBench> {
  const services = await testServices()
  const settings = { WEBHOOK_ALLOWED_NETWORKS: 'loopback', ...env }
  const service = await startService(services, { env: settings })
  const running = await startWebhookProcess(services, settings, given)
  return {
    services,
    service,
    pool: service.pool,
    env: settings,
    webhooks: running.webhooks,
    subscribe,
    close: async () => {
      await running.close()
      await service.close()
      await services.close()
    },
  }
}

/** One more webhook process inside the test. */
export async function startWebhookProcess(
  services: { readonly databaseUrl: string; readonly redisUrl: string },
  env: Record<string, string>,
  given: WebhookServices['given'] = {},
): Promise<{ readonly webhooks: RunningWebhooks; readonly close: () => Promise<void> }> {
  const config = testConfig(services, env)
  const log = createLog({ level: config.logLevel, processName: 'test' })
  const pool = await createPool(services.databaseUrl, {
    size: 6,
    statementTimeoutMs: 10_000,
    idleInTransactionTimeoutMs: 10_000,
    checkRows: true,
  })
  const redis = connectRedis(services.redisUrl, 'worker', 'test webhooks')
  const webhooks = await startWebhooks({ config, pool, redis, log, given })
  return {
    webhooks,
    close: async () => {
      await webhooks.close()
      await closeRedis(redis)
      await pool.end()
    },
  }
}

export async function subscribe(client: Client, url: string, given: object = {}): Promise<Loose> {
  const made = await client.post('/webhook-subscriptions', { url, events: ['*'], ...given })
  if (made.status !== 201) throw new Error(`no subscription: ${made.text}`)
  return made.body
}

/** Makes a storage place, which emits one event; answers the place. */
export async function makePlace(client: Client, title = 'Place'): Promise<Loose> {
  const made = await client.post('/storage-places', { title })
  if (made.status !== 201) throw new Error(`no place: ${made.text}`)
  return made.body
}

export const subscriptionOf = async (client: Client, id: string): Promise<Loose> =>
  (await client.get(`/webhook-subscriptions/${id}`)).body

export const deliveriesOf = async (client: Client, id: string): Promise<Loose[]> =>
  (await client.get(`/webhook-subscriptions/${id}/deliveries?limit=200`)).body.data

/** The subscription's only delivery, once it is as wanted. */
export const delivery = (client: Client, id: string, isWanted: (delivery: Loose) => boolean): Promise<Loose> =>
  eventually(async () => {
    const [first, ...others] = await deliveriesOf(client, id)
    if (others.length > 0) throw new Error('more than one delivery')
    return first !== undefined && isWanted(first) && first
  })
