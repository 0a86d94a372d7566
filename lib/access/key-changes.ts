/**
 * Publishes to every server process that a key was revoked or rotated. The message only makes this faster: a process that misses it sees
 * the change when its cached look-up expires.
 */
import type { Redis } from '../platform/redis/redis.ts'

/** A change that server processes must learn of. */
export type KeyChange = { readonly tokenHash: string }

const CHANNEL = 'millrace:key-changes'

/** @returns when Redis has taken the message. @throws if Redis cannot be reached */
export async function publishKeyChange(redis: Redis, change: KeyChange): Promise<void> {
  await redis.publish(CHANNEL, change.tokenHash)
}

/** Subscribes as soon as Redis answers, and again after each outage. */
export function onKeyChange(subscriber: Redis, listener: (change: KeyChange) => void): void {
  subscriber.on('message', (channel: string, tokenHash: string) => {
    if (channel === CHANNEL) listener({ tokenHash })
  })
  // Rejects only when the connection is closed for good.
  subscriber.subscribe(CHANNEL).catch(() => {})
}
