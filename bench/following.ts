/**
 * The rows of following the changes: what reads pay for `Event-Sequence` and `ETag`, and writes for the indexes by which lists go
 * with `updated_after`.
 */
import * as v from 'valibot'
import { API_PREFIX } from '../lib/kit/api/endpoint.ts'
import { fixedFragment, rows, statement } from '../lib/platform/postgres/postgres.ts'
import { sell, ship } from './chains.ts'
import { requestBytes } from './http-client.ts'
import { type Bench, gatherStatistics, type Say } from './in-turn.ts'
import { median } from './measure.ts'
import { switchedResults } from './switched.ts'
import { type Result, ratio } from './table.ts'
import { allMs, usagePer } from './usage.ts'
import type { World } from './world.ts'
import { writes } from './writes.ts'

const READERS = 16
const CLIENTS = 64

export const followingReads = (bench: Bench): Promise<Result[]> =>
  switchedResults(
    bench,
    'following',
    ['/products/{id}', '/products?limit=50'].map(path => ({
      name: `GET ${path}, ${READERS} clients: with Event-Sequence and ETag, beside without`,
      clients: READERS,
      bytesOf: ({ token, productId }) =>
        requestBytes({ method: 'GET', path: API_PREFIX + path.replace('{id}', productId), token }),
      status: 200,
    })),
  )

/** New orders, and orders that change: each change of `updated_at` is a new entry of the index. */
export async function followingWrites(bench: Bench, say: Say): Promise<Result[]> {
  const { world, tenants, rounds, roundMs } = bench
  const indexes = await world.pool.any(rows(v.object({ name: v.string(), definition: v.string() }))`
    select indexname as name, indexdef as definition from pg_indexes
    where indexname like '%\\_by\\_change' and tablename not like 'stock\\_%'`)
  const drop = `drop index ${indexes.map(({ name }) => name).join(', ')}`
  const results: Result[] = []
  for (const [at, chain] of [sell(1), ship].entries()) {
    const name = `${chain.name}, ${CLIENTS} clients: with the indexes of updated_after, beside without`
    const written = (ms: number) => writes(world, [chain], tenants, CLIENTS, { ms })
    const sides = { with: [] as Written[], without: [] as Written[] }
    await gatherStatistics(world)
    for (let round = 0; round < rounds; round++) {
      say(at, `round ${round + 1} of ${rounds}, ${name}`)
      // With, without, without, with, ...: what drifts meets both alike.
      for (const side of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
        if (side === 'without') await run(world, drop)
        await written(500) // plans are made anew
        sides[side].push(await written(roundMs))
        if (side === 'without') for (const { definition } of indexes) await run(world, definition)
      }
    }
    results.push(...compared(name, sides))
  }
  return results
}

type Written = Awaited<ReturnType<typeof writes>>

/** Throughput, and the processor time of a write, which moves less. */
function compared(name: string, sides: Readonly<Record<'with' | 'without', readonly Written[]>>): Result[] {
  const of = (all: readonly Written[]) => ({
    perSecond: median(all.map(({ perSecond }) => perSecond)),
    ms: allMs(usagePer(all, sum(all, 'writes'))),
  })
  const [service, limit] = [of(sides.with), of(sides.without)]
  const errors = sum(sides.with, 'errors') + sum(sides.without, 'errors')
  return [
    { name, goals: [ratio('>=', 0.97)], service: service.perSecond, limit: limit.perSecond, unit: '/s', errors },
    {
      name: '  processor time of all processes',
      goals: [ratio('<=', 1.03)],
      service: service.ms,
      limit: limit.ms,
      unit: 'ms',
    },
  ]
}

const sum = (all: readonly Written[], of: 'writes' | 'errors') => all.reduce((total, each) => total + each[of], 0)
const run = ({ pool }: World, text: string) => pool.query(statement`${fixedFragment(text)}`)
