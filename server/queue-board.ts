/**
 * The queue board: bull-board over the ready queues, the webhook queue and the queues of tenants whose commands wait. Only the admin port
 * serves it. It shows what waits and for how long, never the content of a command.
 */
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { KoaAdapter } from '@bull-board/koa'
import Koa, { type Middleware } from 'koa'
import type { Command } from '../lib/pipeline/command.ts'
import { queueNameOf, shardTag } from '../lib/pipeline/redis-keys.ts'
import { inCell } from '../lib/platform/cells.ts'
import type { AdminHandler } from '../lib/platform/telemetry/admin.ts'
import { WEBHOOK_QUEUE_TAG, webhookQueueName } from '../lib/webhooks/queue.ts'
import type { Services } from './services.ts'

/** How many queues of tenants are shown: those that have waited longest. */
const TENANTS_MAX = 50

/** bull-board's page loads a font from another site, which would learn who opens the board. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Queue = ConstructorParameters<typeof BullMQAdapter>[0]
type Shown = { readonly queue: unknown; readonly displayName: string; readonly prefix?: string }

const shown = ({ queue, ...names }: Shown) => new BullMQAdapter(queue as Queue, { readOnlyMode: true, ...names })

export function queueBoard(services: Services): AdminHandler {
  const { queues, cells } = services
  const tags = Array.from({ length: queues.shards }, (_, shard) => shardTag(shard))
  const shared = [
    // The board identifies queues by prefix and name.
    ...tags.map(tag =>
      shown({
        queue: queues.readyQueue(tag),
        displayName: `ready ${tag}`,
        prefix: tag === tags[0] ? '' : tag.slice(1, -1),
      }),
    ),
    ...cells.map(({ name }) =>
      shown({ queue: queues.queue(webhookQueueName(name), WEBHOOK_QUEUE_TAG), displayName: inCell(name, 'webhooks') }),
    ),
  ]
  const adapter = new KoaAdapter()
  adapter.setBasePath('/queues')
  // To show workers, the board would list all connections of Redis for each queue, every few seconds.
  const uiConfig = { boardTitle: 'Millrace queues', showWorkers: false }
  const board = createBullBoard({ queues: shared, serverAdapter: adapter, options: { uiConfig } })

  const app = new Koa()
  app.on('error', error => services.log.warn({ err: error }, 'queue board'))
  app.use(withoutStrangers)
  app.use(async (ctx, next) => {
    if (ctx.path.startsWith('/queues/api/')) board.replaceQueues([...shared, ...(await waitingTenants(services, tags))])
    return next()
  })
  app.use(adapter.registerPlugin())
  return app.callback()
}

/**
 * The tenants with jobs in the ready queues: each tenant with a command that waits or runs has one. The sweeper adds jobs that a crash
 * lost.
 */
async function waitingTenants({ queues }: Services, tags: readonly string[]): Promise<BullMQAdapter[]> {
  const ready = await Promise.all(
    tags.map(tag => queues.readyQueue(tag).getJobs(['active', 'wait'], 0, TENANTS_MAX - 1, true)),
  )
  const oldestFirst = ready
    .flat()
    .filter(job => job !== undefined) // a worker took the job meanwhile
    .sort((a, b) => a.timestamp - b.timestamp)
  const tenantIds = [...new Set(oldestFirst.map(({ data }) => data.tenantId))].slice(0, TENANTS_MAX)
  return (await queues.withCommands(tenantIds)).map(tenantId => {
    const queue = queues.queue(queueNameOf(tenantId), queues.tagOf(tenantId))
    const adapter = shown({ queue, displayName: `tenant ${tenantId}` })
    adapter.setFormatter('data', summary)
    return adapter
  })
}

/** The parts of a command that operators may see. */
const summary = ({ endpoint, requestId, actor, acceptedAt }: Command) => ({
  endpoint,
  request_id: requestId,
  key_id: actor.keyId,
  accepted_at: new Date(acceptedAt).toISOString(),
})

const withoutStrangers: Middleware = async (ctx, next) => {
  ctx.set('Content-Security-Policy', POLICY)
  await next()
  if (ctx.response.is('html') && typeof ctx.body === 'string')
    ctx.body = ctx.body.replaceAll(/<link [^>]*href="https?:[^>]*>/g, '')
}
