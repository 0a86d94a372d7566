/** A server without workers, over a database whose triggers wait for advisory locks. All of it is closed after the tests of the file. */
import type { ExecutionContext } from 'ava'
import { Redis } from 'ioredis'
import pg from 'pg'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { whenProcessEnds } from '../support/suite.ts'

/** @param triggers SQL that makes them. */
export async function heldFleet(triggers: string) {
  const services = await testServices()
  const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl, COMMAND_DEADLINE_MS: '60000' }
  const service = await startService(services, { workers: 0, env })
  const redis = new Redis(services.redisUrl)
  const hold = new pg.Client(services.databaseUrl)
  await hold.connect()
  await hold.query(triggers)
  whenProcessEnds(async () => {
    await hold.end()
    redis.disconnect()
    await service.close()
    await services.close()
  })
  const tenant = async () => {
    const { tenantId: id, token } = await service.tenant()
    return { id, token }
  }
  /** The worker runs in this process until the end of the test. */
  const startWorker = async (t: Pick<ExecutionContext, 'teardown'>) => {
    const { close } = await startService(services, { env })
    t.teardown(close)
  }
  return { services, env, web: service, pool: service.pool, tenant, startWorker, redis, hold }
}
