/** The webhook process: relay, senders, sweep, mails and their gauges over shared connections. */

import { placeOfTenant } from '../../lib/access/cells/directory.ts'
import { MAIN } from '../../lib/platform/cells.ts'
import { type Config, required } from '../../lib/platform/config.ts'
import { mailTransport } from '../../lib/platform/mail/transport.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../../lib/platform/redis/redis.ts'
import { configuredSecretBox } from '../../lib/platform/secret-box.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { gauge } from '../../lib/platform/telemetry/metrics.ts'
import { type CountsOf, countsByPlace, SecurityCounts } from '../../lib/security/counts.ts'
import { countDue } from '../../lib/webhooks/due-deliveries.ts'
import { WebhookQueue } from '../../lib/webhooks/queue.ts'
import { countRetries } from '../../lib/webhooks/retries.ts'
import { createSender, type SenderOptions } from '../../lib/webhooks/send.ts'
import type { Cell, Cells } from '../worker-process.ts'
import { DeliveryRate } from './delivery-rate.ts'
import { startMailSender } from './mail-sender.ts'
import { Recorder } from './recorder.ts'
import { type RelayServices, startRelay } from './relay-loop.ts'
import { startRetries } from './retry-loop.ts'
import { startSenders } from './senders.ts'
import { Silence } from './silence.ts'
import { startSweeps, sweep } from './webhook-sweep.ts'

/** The time limits for connecting, and for the whole answer (docs/webhooks.md, "What arrives"). */
const CONNECT_TIMEOUT_MS = 3_000
const TOTAL_TIMEOUT_MS = 15_000
/** Counting stops at this number: a greater one is as alarming. */
const BACKLOG_COUNTED_MAX = 100_000

export type WebhookServices = {
  readonly config: Config
  /** Default: the main cell. */
  readonly cell?: string
  readonly pool: Pool
  /** A connection that waits while Redis cannot be reached (`maxRetriesPerRequest: null`). */
  readonly redis: Redis
  readonly log: Log
  /** Set where there are several cells. */
  readonly countsOf?: CountsOf
  /** Tests may replace the clock, chance, patience and name look-ups. */
  readonly given?: {
    readonly now?: () => number
    readonly chance?: () => number
    readonly sender?: Partial<SenderOptions>
  }
}

export type RunningWebhooks = {
  readonly counts: SecurityCounts
  /** Runs one sweep now. */
  readonly sweep: () => Promise<void>
  /** Waits for requests in flight. */
  readonly close: () => Promise<void>
}

/** Starts senders, relay and sweeps for each cell, so that a cell that cannot be reached delays no other. */
export async function startAllWebhooks({
  cells,
  ...shared
}: Omit<WebhookServices, 'cell' | 'pool'> & { readonly cells: Cells }): Promise<Pick<RunningWebhooks, 'close'>> {
  const running = new Map<string, RunningWebhooks>()
  const countsOf = countsByPlace(
    tenantId => placeOfTenant(cells[0].pool, tenantId),
    cell => running.get(cell)?.counts,
  )
  const start = async ({ name, pool }: Cell) =>
    running.set(name, await startWebhooks({ ...shared, cell: name, pool, countsOf: countsOf(name) }))
  await Promise.all(cells.map(start))
  const all = [...running.values()]
  return { close: async () => void (await Promise.all(all.map(each => each.close()))) }
}

export async function startWebhooks(services: WebhookServices): Promise<RunningWebhooks> {
  const { config, cell = MAIN, pool, redis, log, countsOf, given = {} } = services
  const now = given.now ?? Date.now
  const redisUrl = required(config.redisUrl, 'REDIS_URL')
  const blocking = connectRedis(redisUrl, 'worker', `${config.processName} relay`)
  const subscriber = connectRedis(redisUrl, 'subscriber', `${config.processName} wakes`)
  const queue = new WebhookQueue(redis, cell)
  const sender = createSender({
    allowed: config.webhookAllowedNetworks,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    totalTimeoutMs: TOTAL_TIMEOUT_MS,
    now,
    ...given.sender,
  })
  const shared = { pool, redis, queue, log, now }
  const counts = new SecurityCounts({ pool, log, ...(countsOf ? { countsOf } : {}) })
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
  watched.set(cell, { ...shared, running: senders.running })
  watch()
  return {
    counts,
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

/** What the gauges read, by cell. A gauge adds up all cells. */
const watched = new Map<string, RelayServices & { readonly running: () => number }>()

function watch(): void {
  const sum = async (count: (of: RelayServices & { readonly running: () => number }) => number | Promise<number>) =>
    (await Promise.all([...watched.values()].map(count))).reduce((all, one) => all + one, 0)
  gauge('millrace_webhook_backlog', 'Deliveries that are due, counted up to 100000', [], async set =>
    set(
      {},
      await sum(({ pool, now }) => countDue(pool, { now: new Date(now()).toISOString(), max: BACKLOG_COUNTED_MAX })),
    ),
  )
  gauge('millrace_webhook_lanes', 'Subscriptions that this process is sending to', [], async set =>
    set({}, await sum(({ running }) => running())),
  )
  gauge(
    'millrace_webhook_jobs',
    'Subscriptions in the webhook queue by state (delayed: put off; retry: with a retry to come)',
    ['state'],
    async set => {
      for (const state of ['wait', 'active', 'delayed'] as const)
        set({ state }, await sum(({ queue }) => queue.queue.getJobCountByTypes(state)))
      set({ state: 'retry' }, await sum(({ redis, queue }) => countRetries(redis, queue.cell)))
    },
  )
}
