/**
 * The queue board: bull-board over the ready queues and the webhook queue, on the admin port only. Mailboxes are not shown: there is one per
 * tenant, and their bodies are nobody's business.
 */
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { KoaAdapter } from '@bull-board/koa'
import Koa from 'koa'
import { WEBHOOK_QUEUE, WEBHOOK_QUEUE_TAG } from '../lib/store/queues-webhooks.ts'
import { shardTag } from '../lib/store/shard.ts'
import type { AdminHandler } from '../lib/telemetry/admin.ts'
import type { Services } from './services.ts'

export function queueBoard(services: Services): AdminHandler {
  const adapter = new KoaAdapter()
  adapter.setBasePath('/queues')
  const queues = Array.from({ length: services.queues.shards }, (_, shard) => {
    const tag = shardTag(shard)
    return new BullMQAdapter(services.queues.readyQueue(tag) as never, {
      readOnlyMode: true,
      displayName: `ready ${tag}`,
    })
  })
  const webhooks = services.queues.queue(WEBHOOK_QUEUE, WEBHOOK_QUEUE_TAG)
  queues.push(new BullMQAdapter(webhooks as never, { readOnlyMode: true, displayName: 'webhooks' }))
  createBullBoard({ queues, serverAdapter: adapter, options: { uiConfig: { boardTitle: 'Millrace queues' } } })
  const app = new Koa()
  app.use(adapter.registerPlugin())
  return app.callback()
}
