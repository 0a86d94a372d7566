/**
 * Runs a sender for each subscription with due deliveries: many at a time, and a limited number per tenant. Slow receivers do not delay
 * others. A sender that has waited a second for an answer frees its slot. Receivers that left their last request unanswered share few slots
 * until they answer again.
 */

import { type SenderSlot, SenderSlots } from '../../lib/platform/limits/sender-slots.ts'
import { turnsByKey } from '../../lib/platform/limits/turns.ts'
import type { Redis } from '../../lib/platform/redis/redis.ts'
import type { SubscriptionRef } from '../../lib/webhooks/pending.ts'
import { hearWakes, type SendingEnd, webhookWorker } from '../../lib/webhooks/queue.ts'
import { type SenderServices, SubscriptionSender } from './subscription-sender.ts'

/** The most subscriptions that one process serves at the same time. Each uses up to five sockets while its receiver is slow. */
const SENDERS_MAX = 500
/** The most senders of one tenant. A sender whose receiver does not answer counts for up to 25 s (its quantum and the last timeout). */
const SENDERS_PER_TENANT_MAX = 50
/** The most further senders, whose receivers have been silent for a second. */
const SILENT_SENDERS_MAX = 1_000
/**
 * The most senders to receivers that left their last request unanswered, first of all tenants and then of one. Each sends one request at a
 * time.
 */
const MUTE_SENDERS_MAX = 100
const MUTE_SENDERS_PER_TENANT_MAX = 5

type Slot = SenderSlot & { readonly mayBeReleased: boolean }

/** Starts taking subscriptions from the queue. `close` waits for requests in flight. */
export async function startSenders(
  services: SenderServices & { readonly subscriber: Redis; readonly name: string },
): Promise<{ readonly running: () => number; readonly close: () => Promise<void> }> {
  const { redis, subscriber, name, queue, log } = services
  const running = new Map<string, SubscriptionSender>()
  const answering = new SenderSlots({ max: SENDERS_MAX, perTenantMax: SENDERS_PER_TENANT_MAX })
  const mute = new SenderSlots({ max: MUTE_SENDERS_MAX, perTenantMax: MUTE_SENDERS_PER_TENANT_MAX })
  const slotsFor = ({ subscriptionId }: SubscriptionRef) => (services.silence.has(subscriptionId) ? mute : answering)
  const turns = turnsByKey()
  let silentSenders = 0
  let isStopping = false

  const enter = (subscription: SubscriptionRef): Slot | undefined => {
    const slots = slotsFor(subscription)
    const slot = slots.enter(subscription.tenantId)
    return slot && { ...slot, mayBeReleased: slots === answering }
  }

  const run = async (
    subscription: SubscriptionRef,
    { slot, isAfterPause }: { readonly slot: Slot; readonly isAfterPause: boolean },
  ): Promise<SendingEnd> => {
    let isReleased = false
    const onSilent = () => {
      if (isReleased || !slot.mayBeReleased || silentSenders >= SILENT_SENDERS_MAX) return
      isReleased = true
      silentSenders++
      slot.release()
    }
    const sender = new SubscriptionSender(services, subscription, { isAfterPause, onSilent })
    // After a lost lease an older run may still exist. It ends with its requests in flight, and this run must not send those again.
    running.get(subscription.subscriptionId)?.stop()
    running.set(subscription.subscriptionId, sender)
    if (isStopping) sender.stop()
    try {
      await turns(subscription.subscriptionId, () => sender.run())
    } catch (error) {
      // PostgreSQL or Redis failed. The sweep finds the deliveries that are still due.
      log.warn(
        { err: error, tenant_id: subscription.tenantId, subscription_id: subscription.subscriptionId },
        'sender interrupted',
      )
    } finally {
      if (running.get(subscription.subscriptionId) === sender) running.delete(subscription.subscriptionId)
      if (isReleased) silentSenders--
      slot.leave()
    }
    return sender.end
  }

  const worker = webhookWorker(
    { redis, concurrency: SENDERS_MAX + SILENT_SENDERS_MAX + MUTE_SENDERS_MAX, name, queue },
    {
      enter,
      run,
      onPutOff: (subscription, recall) => slotsFor(subscription).wait(subscription, recall),
    },
  )
  worker.on('error', error => log.warn({ err: error }, 'webhook queue'))
  worker.run().catch(error => log.error({ err: error }, 'webhook queue stopped'))
  // Redis may be unreachable when the process starts. ioredis subscribes once Redis is back.
  hearWakes(subscriber, queue, subscriptionId => running.get(subscriptionId)?.poke()).catch(error =>
    log.warn({ err: error }, 'wakes are not heard'),
  )
  return {
    running: () => running.size,
    close: async () => {
      isStopping = true
      for (const sender of running.values()) sender.stop()
      await worker.close()
      await Promise.all([answering.recallAll(), mute.recallAll()])
    },
  }
}
