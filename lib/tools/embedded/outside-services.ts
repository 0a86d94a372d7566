/** Checks a PostgreSQL and a Redis that somebody else runs: whether they can be used as the settings say. It must not show passwords. */
import { openClient } from '../../platform/postgres/client.ts'
import { closeRedis, connectRedis, reach } from '../../platform/redis/redis.ts'
import { SetupError } from './setup-error.ts'

/** Throws SetupError naming the setting and the reason when one of the two cannot be used. */
export async function checkOutsideServices(urls: { databaseUrl: string; redisUrl: string }): Promise<void> {
  await explain('DATABASE_URL', () => queryOnce(urls.databaseUrl))
  await explain('REDIS_URL', () => pingOnce(urls.redisUrl))
}

async function queryOnce(url: string): Promise<void> {
  const { client, end } = await openClient(url, { fallback_application_name: 'millrace start' })
  try {
    await client.query('SELECT 1')
  } finally {
    await end()
  }
}

async function pingOnce(url: string): Promise<void> {
  const redis = connectRedis(url, 'producer', 'start')
  try {
    await reach(redis)
  } finally {
    await closeRedis(redis)
  }
}

async function explain(variable: string, use: () => Promise<void>): Promise<void> {
  try {
    await use()
  } catch (error) {
    throw new SetupError(`${variable} cannot be used: ${reasonOf(error)}`)
  }
}

// A host with several addresses fails with one error for each, and without a message of its own.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
