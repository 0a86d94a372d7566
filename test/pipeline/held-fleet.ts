/** A server process without workers, over a database whose triggers wait for advisory locks: all closed after the tests of the file. */
import { Redis } from 'ioredis'
import pg from 'pg'
import { startFleet } from '../scaling/fleet.ts'
import { testServices } from '../support/services.ts'
import { whenProcessEnds } from '../support/suite.ts'

/** @param triggers SQL that makes them. */
export async function heldFleet(triggers: string) {
  const services = await testServices()
  const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl, COMMAND_DEADLINE_MS: '60000' }
  const fleet = await startFleet(env, { webs: 1, workers: 0 })
  const redis = new Redis(services.redisUrl)
  const hold = new pg.Client(services.databaseUrl)
  await hold.connect()
  await hold.query(triggers)
  whenProcessEnds(async () => {
    await hold.end()
    redis.disconnect()
    await fleet.close()
    await services.close()
  })
  return { services, env, fleet, redis, hold }
}
