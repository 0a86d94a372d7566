/** The webhook process in one value: relay, senders, sweep, mails and their gauges over shared connections. */

import { type Config, required } from '../../lib/config.ts'
import { mailTransport } from '../../lib/mail/transport.ts'
import type { Pool } from '../../lib/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../../lib/redis/redis.ts'
import { configuredSecretBox } from '../../lib/secret-box.ts'
import type { Log } from '../../lib/telemetry/log.ts'
import { gauge } from '../../lib/telemetry/metrics.ts'
import { SecurityCounts } from '../../lib/telemetry/security/counts.ts'
import { countDue } from '../../lib/webhooks/due.ts'
import { WebhookQueue } from '../../lib/webhooks/queue.ts'
import { countRetries } from '../../lib/webhooks/retries.ts'
import { createSender, type SenderOptions } from '../../lib/webhooks/send.ts'
import { startMailSender } from './mail-sender.ts'
import { DeliveryRate } from './rate.ts'
import { Recorder } from './recorder.ts'
import { type RelayServices, startRelay } from './relay.ts'
import { startRetries } from './retries.ts'
import { startSenders } from './senders.ts'
import { Silence } from './silence.ts'
import { startSweeps, sweep } from './sweeper.ts'

/** Contract 2, "Webhooks": connect 3 s, 15 s in all. */
const CONNECT_TIMEOUT_MS = 3_000
const TOTAL_TIMEOUT_MS = 15_000
/** Counting stops here: a backlog of this size is alarming whatever its exact size. */
const BACKLOG_COUNTED_MAX = 100_000

export type WebhookServices = {
  readonly config: Config
  readonly pool: Pool
  /** A connection that waits (`maxRetriesPerRequest: null`). */
  readonly redis: Redis
  readonly log: Log
  /** What tests hand in: time, chance, patience, name look-ups. */
  readonly given?: {
    readonly now?: () => number
    readonly chance?: () => number
    readonly sender?: Partial<SenderOptions>
  }
}

export type RunningWebhooks = {
  /** One sweep now, by whoever asks. */
  readonly sweep: () => Promise<void>
  /** Lets requests in flight end. */
  readonly close: () => Promise<void>
}

export async function startWebhooks(services: WebhookServices): Promise<RunningWebhooks> {
  const { config, pool, redis, log, given = {} } = services
  const now = given.now ?? Date.now
  const redisUrl = required(config.redisUrl, 'REDIS_URL')
  const blocking = connectRedis(redisUrl, 'worker', `${config.processName} relay`)
  const subscriber = connectRedis(redisUrl, 'subscriber', `${config.processName} wakes`)
  const queue = new WebhookQueue(redis)
  const sender = createSender({
    allowed: config.webhookAllowedNetworks,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    totalTimeoutMs: TOTAL_TIMEOUT_MS,
    now,
    ...given.sender,
  })
  const shared = { pool, redis, queue, log, now }
  const counts = new SecurityCounts({ pool, log })
  const senders = await startSenders({
    ...shared,
    secrets: configuredSecretBox(config),
    sender,
    recorder: new Recorder({ pool, log }),
    rate: new DeliveryRate(config.webhookDeliveriesPerSecond, now),
    silence: new Silence(),
    chance: given.chance ?? Math.random,
    onFailure: (tenantId, at) => counts.webhookFailed(tenantId, at),
    subscriber,
    name: config.processName,
  })
  const relay = startRelay({ ...shared, blocking })
  const retries = startRetries(shared)
  const sweeps = startSweeps(shared)
  const mails = startMailSender({ pool, log, transport: mailTransport(config) })
  watch(shared, senders.running)
  return {
    sweep: () => sweep(shared),
    close: async () => {
      await Promise.all([relay.close(), retries.close(), sweeps.close(), mails.close()])
      await senders.close()
      await counts.close()
      await sender.close()
      await queue.close()
      await closeRedis(subscriber)
    },
  }
}

function watch({ pool, redis, queue, now }: RelayServices, running: () => number): void {
  gauge('millrace_webhook_backlog', 'Deliveries that are due, counted up to 100000', [], async set =>
    set({}, await countDue(pool, { now: new Date(now()).toISOString(), max: BACKLOG_COUNTED_MAX })),
  )
  gauge('millrace_webhook_lanes', 'Subscriptions that this process is sending to', [], set => set({}, running()))
  gauge(
    'millrace_webhook_jobs',
    'Subscriptions in the webhook queue by state (delayed: put off; retry: with a retry to come)',
    ['state'],
    async set => {
      const counts = await queue.queue.getJobCounts('wait', 'active', 'delayed')
      for (const [state, count] of Object.entries(counts)) set({ state }, count)
      set({ state: 'retry' }, await countRetries(redis))
    },
  )
}
