/**
 * A service with its webhook process inside the test: real HTTP, real queues, receivers on this machine, and a clock and random values that
 * tests may set. It must not bypass anything that a deployment does.
 */
import { createPool } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../../lib/platform/redis/redis.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { WebhookQueue } from '../../lib/webhooks/queue.ts'
import { type RunningWebhooks, startWebhooks, type WebhookServices } from '../../workers/webhooks/webhook-worker.ts'
import type { Loose } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import { type OfFile, ownService } from '../support/of-file.ts'
import { testConfig } from '../support/pipeline.ts'
import type { Client, TestService } from '../support/service.ts'
import { within } from '../support/within.ts'

export type WebhookBench = OfFile<TestService> &
  Omit<WebhookProcess, 'close'> & { readonly env: Record<string, string> }

export type WebhookProcess = {
  readonly webhooks: RunningWebhooks
  /** The connection and the queue of the webhook process. */
  readonly redis: Redis
  readonly queue: WebhookQueue['queue']
  close(): Promise<void>
}

/** Starts both on a database and a Redis of their own. */
export async function webhookBench(
  given: WebhookServices['given'] = {},
  env: Record<string, string> = {},
): Promise<WebhookBench> {
  const settings = { WEBHOOK_ALLOWED_NETWORKS: 'loopback', ...env }
  const service = await ownService({ env: settings })
  const running = await startWebhookProcess(service, settings, given)
  return {
    ...service,
    ...running,
    env: settings,
    close: async () => {
      await running.close()
      await service.close()
    },
  }
}

/** Starts one more webhook process inside the test. */
export async function startWebhookProcess(
  services: { readonly databaseUrl: string; readonly redisUrl: string },
  env: Record<string, string>,
  given: WebhookServices['given'] = {},
): Promise<WebhookProcess> {
  const config = testConfig(services, env)
  const log = createLog({ level: config.logLevel, processName: 'test' })
  const pool = await createPool(services.databaseUrl, { size: 6, ...within(10_000), checkRows: true })
  const redis = connectRedis(services.redisUrl, 'worker', 'test webhooks')
  const webhooks = await startWebhooks({ config, pool, redis, log, given })
  const queue = new WebhookQueue(redis)
  return {
    webhooks,
    redis,
    queue: queue.queue,
    close: async () => {
      await queue.close()
      await webhooks.close()
      await closeRedis(redis)
      await pool.end()
    },
  }
}

export const subscribe = (client: Client, url: string, given: object = {}): Promise<Loose> =>
  client.made('/webhook-subscriptions', { url, events: ['*'], ...given })

/** Makes a storage place, which emits one event; answers the place. */
export const makePlace = (client: Client, title = 'Place'): Promise<Loose> => client.made('/storage-places', { title })

export const subscriptionOf = async (client: Client, id: string): Promise<Loose> =>
  (await client.get(`/webhook-subscriptions/${id}`)).body

export const deliveriesOf = async (client: Client, id: string): Promise<Loose[]> =>
  (await client.get(`/webhook-subscriptions/${id}/deliveries?limit=200`)).body.data

/** The subscription's only delivery, as soon as `isWanted` holds. */
export const delivery = (client: Client, id: string, isWanted: (delivery: Loose) => boolean): Promise<Loose> =>
  eventually(async () => {
    const [first, ...others] = await deliveriesOf(client, id)
    if (others.length > 0) throw new Error('more than one delivery')
    return first !== undefined && isWanted(first) && first
  })
