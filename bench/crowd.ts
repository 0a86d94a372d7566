/**
 * Thousands of tenants, one command each, in turn with the fifty; then how much an idle service costs.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { adjust } from './chains.ts'
import { type Bench, gatherStatistics, inTurn, type Say } from './in-turn.ts'
import { type Result, ratio, service } from './table.ts'
import type { BenchTenant } from './types.ts'
import { memoryMib, usageOf } from './usage.ts'
import { makeTenant } from './world.ts'
import { writes } from './writes.ts'

const TENANTS = 5_000
const TENANTS_QUICK = 500
const MADE_AT_ONCE = 10
const IDLE_MS = 10_000

export async function crowdRows(bench: Bench, say: Say): Promise<Result[]> {
  const { world, tenants, isQuick, rounds, roundMs: ms } = bench
  const size = isQuick ? TENANTS_QUICK : TENANTS
  say(0, `making ${size} tenants`)
  const crowd: BenchTenant[] = []
  while (crowd.length < size)
    crowd.push(...(await Promise.all(Array.from({ length: MADE_AT_ONCE }, () => makeTenant(world)))))
  await gatherStatistics(world)
  await writes(world, [adjust], tenants, 64, { ms: 1_000 }) // warm up
  // Each of the crowd writes once, so that every round has a part of it.
  const parts = Array.from({ length: rounds }, (_, n) => crowd.filter((_, at) => at % rounds === n))
  const once = {
    name: `${size} tenants, one command each (beside 50 tenants)`,
    goals: [ratio('>=', 0.9)],
    measure: () => {
      const part = parts.pop() ?? []
      return writes(world, [adjust], part, 64, { count: part.length })
    },
  }
  const results = await inTurn(bench, [once], () => writes(world, [adjust], tenants, 64, { ms }), say)
  const redis = new Redis(world.redisUrl)
  const connections =
    String(await redis.client('LIST'))
      .trim()
      .split('\n').length - 1
  const redisMemory = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1] ?? 0) / 2 ** 20
  redis.disconnect()
  say(2, 'idle')
  const before = await usageOf(world)
  await delay(IDLE_MS)
  const after = await usageOf(world)
  const busy = (after.web + after.worker - before.web - before.worker) / IDLE_MS
  return [
    ...results,
    { name: `Redis connections with ${size} tenants`, goals: [service('<=', 60)], service: connections, unit: '' },
    { name: 'Idle: processor share of web and worker', goals: [service('<=', 0.05)], service: busy, unit: '' },
    { name: 'Memory of web', service: await memoryMib(world.pids.web), unit: 'MiB' },
    { name: 'Memory of worker', service: await memoryMib(world.pids.worker), unit: 'MiB' },
    { name: 'Memory of Redis', service: redisMemory, unit: 'MiB' },
  ]
}
