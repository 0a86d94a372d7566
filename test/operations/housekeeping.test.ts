/** When a process does its chores. */
import { mock } from 'node:test'
import test from 'ava'
import type { Pool } from '../../lib/postgres/postgres.ts'
import type { Redis } from '../../lib/redis/redis.ts'
import { createLog } from '../../lib/telemetry/log.ts'
import { startHousekeeping } from '../../workers/housekeeping/housekeeping.ts'

const log = createLog({ level: 'silent', processName: 'test' })
const redis = { set: async () => 'OK' } as unknown as Redis

test.serial(
  'chores are first done within a minute of the start, then every ten minutes, and not after the close',
  async t => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
    t.teardown(() => mock.timers.reset())
    let runs = 0
    const chore = {
      name: 'count',
      doBatch: async () => {
        runs++
        return 0
      },
    }
    const housekeeping = startHousekeeping({ pool: {} as Pool, redis, log }, [chore])
    const runsAfter = async (ms: number) => {
      mock.timers.tick(ms)
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      return runs
    }
    t.is(runs, 0, 'not in the way of the start')
    t.is(await runsAfter(60_000), 1)
    t.is(await runsAfter(600_000), 2)
    t.is(await runsAfter(600_000), 3)
    await housekeeping.close()
    t.is(await runsAfter(6_000_000), 3)
  },
)
