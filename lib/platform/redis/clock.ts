/** Compares Redis's clock with the clock of this process. */
import { secondsAhead } from '../postgres/clock.ts'
import { within } from '../within.ts'
import { type Redis, serversOf } from './redis.ts'

const PATIENCE_MS = 1_000

/**
 * How many seconds the clock of the node with the greatest difference is ahead; less than 0: it is behind. Undefined if no node answers at
 * once.
 */
export async function redisSecondsAhead(redis: Redis): Promise<number | undefined> {
  const asked = serversOf(redis).filter(({ status }) => status === 'ready')
  const ahead = asked.map(async server => {
    const before = Date.now()
    const [seconds, microseconds] = await within(PATIENCE_MS, server.time())
    return secondsAhead(Number(seconds) * 1_000 + Number(microseconds) / 1_000, before)
  })
  const known = (await Promise.allSettled(ahead)).flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  return known.sort((a, b) => Math.abs(b) - Math.abs(a))[0]
}
