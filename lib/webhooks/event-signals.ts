/**
 * Tells server processes through Redis that a tenant has new events: a channel for each tenant, so that a process hears of those
 * only whose events it streams. It is a hint for speed: what is lost here, or comes for nothing, does no harm.
 */
import type { Redis } from '../platform/redis/redis.ts'

const CHANNEL = 'millrace:events:'

/** @throws when Redis is away. */
export async function signalFollowers(redis: Redis, tenantId: string): Promise<void> {
  await redis.publish(CHANNEL + tenantId, '')
}

/** The server's side: one connection for all tenants. It subscribes again by itself after an outage. */
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

  // Both fail only when the connection is closed for good.

  follow(tenantId: string): void {
    this.#subscriber.subscribe(CHANNEL + tenantId).catch(() => {})
  }

  unfollow(tenantId: string): void {
    this.#subscriber.unsubscribe(CHANNEL + tenantId).catch(() => {})
  }
}
