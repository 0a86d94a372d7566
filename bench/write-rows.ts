/**
 * The rows of writes: chains of requests over one and many tenants, beside the same units of work bare.
 */
import { Redis } from 'ioredis'
import type { BareTask } from './bare-writes.ts'
import { adjust, type Chain, make, mixed, receive, receiveAndReverse, reschedule, sell, ship } from './chains.ts'
import { type Bench, gatherStatistics, inTurn, type Row, type Say } from './in-turn.ts'
import { closedLoops } from './measure.ts'
import { type Recording, recordChain } from './recording.ts'
import { type Goal, type Result, ratio, service } from './table.ts'
import { startTask } from './world.ts'
import { type Writes, writes } from './writes.ts'

/** The chains' recordings, for each tenant of the bare runs. */
const record = ({ world, bareTenants }: Bench, chains: readonly Chain[]): Promise<Recording[][]> =>
  Promise.all(
    bareTenants.map(async tenant => {
      const recordings: Recording[] = []
      for (const chain of chains) recordings.push(await recordChain(world, tenant, chain))
      return recordings
    }),
  )

let first = 0
async function bareWrites({ world, roundMs }: Bench, recordings: BareTask['recordings']): Promise<Writes> {
  first += 1_000_000
  const task: BareTask = { databaseUrl: world.databaseUrl, recordings, ms: roundMs, first }
  return JSON.parse((await startTask(world, 'bare-writes', task)).line) as Writes
}

/** Over so many tenants, by so many clients. */
type Load = {
  readonly tenants: 1 | 50
  readonly clients: number
  readonly goals?: readonly Goal[]
  readonly msMax?: number
}

/** Rows of the chains, which share their limit. Of one kind chains are counted, of many their writes. */
async function rowsOf(bench: Bench, say: Say, name: string, chains: readonly Chain[], loads: readonly Load[]) {
  const { world, tenants, roundMs } = bench
  const recordings = await record(bench, chains)
  await writes(world, chains, tenants, 64, { ms: 1_000 }) // warm up
  await gatherStatistics(world)
  const figures = <T extends Writes>(of: T): T =>
    chains.length === 1 ? of : { ...of, perSecond: (of.perSecond * of.writes) / of.count }
  const rows = loads.map(({ tenants: over, clients, goals = [], msMax }): Row => {
    const chosen = tenants.slice(0, over)
    return {
      name: `${name}, ${clients} clients, ${over} tenant${over === 1 ? '' : 's'}`,
      goals,
      msMax,
      measure: async () => figures(await writes(world, chains, chosen, clients, { ms: roundMs })),
    }
  })
  return inTurn(bench, rows, async () => figures(await bareWrites(bench, recordings)), say)
}

const oneAndMany = (least: number): Load[] =>
  ([1, 50] as const).map(tenants => ({ tenants, clients: 64, goals: [ratio('>=', least)] }))

/** By part of the bench. */
const writeParts: Readonly<Record<string, { readonly chains: readonly Chain[]; readonly loads: readonly Load[] }>> = {
  adjustments: {
    chains: [adjust],
    loads: [
      { tenants: 1, clients: 64 },
      { tenants: 50, clients: 64, goals: [ratio('>=', 1.2)] },
    ],
  },
  'sales-1': {
    chains: [sell(1)],
    loads: [
      { tenants: 1, clients: 64, msMax: 1.6 },
      { tenants: 50, clients: 64, goals: [ratio('>=', 1.2)], msMax: 1.5 },
      { tenants: 50, clients: 16, msMax: 2.2 },
    ],
  },
  'sales-20': { chains: [sell(20)], loads: oneAndMany(1.2) },
  manufacturing: { chains: [make(20)], loads: oneAndMany(1) },
  receipts: { chains: [receive], loads: oneAndMany(1) },
  reversals: { chains: [receiveAndReverse], loads: oneAndMany(1) },
  changes: { chains: [reschedule], loads: [{ tenants: 50, clients: 64, msMax: 1.5 }] },
  shipments: { chains: [ship], loads: oneAndMany(1) },
  mixed: { chains: mixed, loads: [{ tenants: 1, clients: 16, goals: [ratio('>=', 1), service('>=', 800)] }] },
}
const MIXED_NAME = 'Writes of shop, store and workshop mixed'

export const writeRows = Object.entries(writeParts).map(([name, { chains, loads }]) => ({
  name,
  rows: loads.length,
  run: (bench: Bench, say: Say) =>
    rowsOf(bench, say, chains.length === 1 ? (chains[0]?.name ?? '') : MIXED_NAME, chains, loads),
}))

/** Median latency of one client beside the bare unit of work and two round trips to Redis. */
export async function loneClient(bench: Bench, say: Say): Promise<Result[]> {
  const { world, tenants, isQuick } = bench
  const recordings = await record({ ...bench, bareTenants: [bench.bareTenants[0]] }, [adjust])
  await gatherStatistics(world)
  say(0, 'one lone client')
  const figures = await writes(world, [adjust], tenants.slice(0, 1), 1, { count: isQuick ? 300 : 1_000 })
  const bare = await bareWrites(bench, recordings)
  const redis = new Redis(world.redisUrl)
  const pings = await closedLoops(1, { count: 1_000 }, async () => (await redis.ping()) === 'PONG')
  redis.disconnect()
  return [
    {
      name: 'POST /stock-adjustments, 1 client, median latency',
      goals: [ratio('<=', 2.2)],
      service: figures.p50,
      limit: bare.p50 + 2 * pings.p50,
      unit: 'ms',
      errors: figures.errors + bare.errors,
      p50: figures.p50,
      p99: figures.p99,
    },
  ]
}

/** The most round trips of a unit of work, over all kinds of commands that are measured. */
export async function roundTrips({ world, bareTenants: [tenant] }: Bench): Promise<Result[]> {
  const counts: number[] = []
  for (const chain of [adjust, sell(20), make(20), ...mixed])
    for (const { trips } of await recordChain(world, tenant, chain)) counts.push(trips.length)
  const most = Math.max(...counts)
  return [{ name: 'Round trips of a unit of work to Postgres', goals: [service('<=', 4)], service: most, unit: '' }]
}
