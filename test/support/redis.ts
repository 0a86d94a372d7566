/**
 * Owns a test file's own logical Redis database: numbered, emptied before use and after, leaks told.
 * It must not be used by tests that kill, stall or flush a whole Redis; those take privateRedis().
 */
import { Redis } from 'ioredis'
import { eventually, PATIENCE_MS } from './eventually.ts'

const DATABASES = 512
const NEXT_NUMBER = 'millrace:test:next-database'

export type TestRedis = { url: string; close(patienceMs?: number): Promise<void> }

/** Takes an unused number on the given server. `close` empties it and rejects when connections to it remain. */
export async function testRedis(serverUrl: string): Promise<TestRedis> {
  const number = await withRedis(serverUrl, async redis => ((await redis.incr(NEXT_NUMBER)) % (DATABASES - 1)) + 1)
  const url = new URL(serverUrl)
  url.pathname = `/${number}`
  await withRedis(url.href, redis => redis.flushdb())
  return { url: url.href, close: patienceMs => release(serverUrl, number, patienceMs) }
}

async function release(serverUrl: string, number: number, patienceMs = PATIENCE_MS): Promise<void> {
  await withRedis(serverUrl, async redis => {
    const open = async () =>
      String(await redis.client('LIST'))
        .split('\n')
        .filter(line => line.includes(` db=${number} `))
    const leaked = await eventually(async () => (await open()).length === 0 || null, { timeoutMs: patienceMs })
      .then(() => [])
      .catch(open)
    await redis.select(number)
    await redis.flushdb()
    if (leaked.length > 0) {
      throw new Error(`${leaked.length} Redis connections were left open:\n  ${leaked.join('\n  ')}`)
    }
  })
}

async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 })
  try {
    return await use(redis)
  } finally {
    redis.disconnect()
  }
}
