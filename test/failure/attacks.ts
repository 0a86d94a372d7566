/**
 * The attacks: each strikes a running rig once and returns when what it broke is there again. They prove nothing themselves.
 */
import { Redis } from 'ioredis'
import { statement } from '../../lib/postgres/postgres.ts'
import type { TestProcess } from '../support/processes.ts'
import type { Rig } from './rig.ts'

export type Attack = {
  readonly name: string
  /** Processes and Redis durability that the rig needs. */
  readonly rig?: { readonly webs?: number; readonly workers?: number; readonly durableRedis?: boolean }
  readonly strike: (rig: Rig) => Promise<void>
}

async function killAndStart(rig: Rig, kind: 'web' | 'worker'): Promise<void> {
  const list: TestProcess[] = kind === 'web' ? rig.webs : rig.workers
  await list.shift()?.end('SIGKILL')
  await rig.start(kind)
}

export const attacks: readonly Attack[] = [
  { name: 'a worker killed', strike: rig => killAndStart(rig, 'worker') },
  { name: 'the only worker killed', rig: { workers: 1 }, strike: rig => killAndStart(rig, 'worker') },
  { name: 'a web process killed', strike: rig => killAndStart(rig, 'web') },
  {
    name: 'a web process and a worker killed at once',
    strike: async rig => {
      await Promise.all([killAndStart(rig, 'web'), killAndStart(rig, 'worker')])
    },
  },
  {
    name: 'Redis emptied',
    strike: async rig => {
      const redis = new Redis(rig.redis.url)
      await redis.flushall()
      redis.disconnect()
    },
  },
  {
    name: 'Redis killed, with its append-only file',
    strike: async rig => {
      await rig.redis.kill()
      await rig.redis.start()
    },
  },
  {
    name: 'Redis killed, everything forgotten',
    rig: { durableRedis: false },
    strike: async rig => {
      await rig.redis.kill()
      await rig.redis.start()
    },
  },
  {
    name: 'Postgres killed',
    strike: async rig => {
      await rig.postgres.kill()
      await rig.postgres.start()
    },
  },
  {
    name: 'all connections to Postgres lost',
    strike: async rig => {
      await rig.pool.query(statement`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
    },
  },
  {
    name: 'a worker frozen past its lease and woken',
    strike: async rig => {
      const [frozen] = rig.workers
      frozen?.signal('SIGSTOP')
      // Past the lease of 4 s; the other worker must have taken over by then.
      await new Promise(resolve => setTimeout(resolve, 5_000))
      frozen?.signal('SIGCONT')
    },
  },
]
