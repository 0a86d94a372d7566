/**
 * Signals through Redis that a tenant has new events. Each tenant has a channel, so a process gets signals only of tenants whose events it
 * streams. A lost or needless signal does no harm.
 */
import type { Redis } from '../platform/redis/redis.ts'

const CHANNEL = 'millrace:events:'

/** @throws if Redis cannot be reached */
export async function signalFollowers(redis: Redis, tenantId: string): Promise<void> {
  await redis.publish(CHANNEL + tenantId, '')
}

/** The server's side: one connection for all tenants. After an outage it subscribes again. */
export class EventSignals {
  readonly #subscriber: Redis

  constructor(subscriber: Redis) {
    this.#subscriber = subscriber
  }

  onSignal(listener: (tenantId: string) => void): void {
    this.#subscriber.on('message', (channel: string) => {
      if (channel.startsWith(CHANNEL)) listener(channel.slice(CHANNEL.length))
    })
  }

  // `subscribe` and `unsubscribe` reject only when the connection is closed for good.

  follow(tenantId: string): void {
    this.#subscriber.subscribe(CHANNEL + tenantId).catch(() => {})
  }

  unfollow(tenantId: string): void {
    this.#subscriber.unsubscribe(CHANNEL + tenantId).catch(() => {})
  }
}
