/**
 * How long a calm tenant waits while another one floods: one client's closed loop alone, then beside the flood. It must not
 * judge throughput; other rows do.
 */
import { adjust } from './chains.ts'
import type { Bench, Say } from './in-turn.ts'
import { type Figures, type Limit, median, percentile } from './measure.ts'
import { type Result, ratio } from './table.ts'
import { counted, sendChains } from './writes.ts'

type Flood = { readonly clients: number; readonly commands: number; readonly pauseMs?: number }
const FLOODS: readonly Flood[] = [
  { clients: 64, commands: 5_000 },
  { clients: 16, commands: 2_000, pauseMs: 2 },
]
const QUICK_SHARE = 0.3
/** Enough for a p99, and about as many as the calm client sends beside the flood. */
const ALONE = 1_000

export async function floodRows(bench: Bench, say: Say): Promise<Result[]> {
  const results: Result[] = []
  for (const [at, flood] of FLOODS.entries())
    results.push(...(await resultsOf(bench, flood, what => say(results.length, `flood ${at + 1}, ${what}`))))
  return results
}

type Round = { readonly alone: Figures; readonly beside: Figures; readonly flood: Figures }

/** The calm tenant's p99 beside the flood and alone, over all rounds, in turn; and how fast the flood was meanwhile. */
async function resultsOf(bench: Bench, flood: Flood, say: (what: string) => void): Promise<Result[]> {
  const commands = flood.commands * (bench.isQuick ? QUICK_SHARE : 1)
  const measured: Round[] = []
  for (let n = 0; n < bench.rounds; n++) {
    say(`round ${n + 1} of ${bench.rounds}`)
    measured.push(await round(bench, { ...flood, commands }))
  }
  const alone = measured.flatMap(({ alone: { latencies } }) => latencies)
  const beside = measured.flatMap(({ beside: { latencies } }) => latencies)
  const errors = (of: (round: Round) => Figures) => measured.reduce((sum, each) => sum + of(each).errors, 0)
  const { clients, pauseMs } = flood
  const how = `${commands} by ${clients} clients${pauseMs === undefined ? '' : ` with pauses of ${pauseMs} ms`}`
  return [
    {
      name: `p99 of 1 client while another tenant floods ${how} (beside its p99 alone)`,
      goals: [ratio('<=', 2)],
      service: percentile(beside, 0.99),
      limit: percentile(alone, 0.99),
      unit: 'ms',
      errors: errors(each => each.alone) + errors(each => each.beside),
      p50: percentile(beside, 0.5),
      p99: percentile(beside, 0.99),
    },
    {
      name: '  the flood meanwhile',
      service: median(measured.map(({ flood }) => flood.perSecond)),
      unit: '/s',
      errors: errors(each => each.flood),
      p50: median(measured.map(({ flood }) => flood.p50)),
      p99: median(measured.map(({ flood }) => flood.p99)),
    },
  ]
}

async function round({ world, tenants }: Bench, { clients, commands, pauseMs }: Flood): Promise<Round> {
  const [calm, flooder] = [tenants.slice(0, 1), tenants.slice(1, 2)]
  const [alone] = await counted(
    world,
    async () => [await sendChains(world, [adjust], calm, 1, { count: ALONE })] as const,
  )
  const [beside, flood] = await counted(world, async () => {
    const over = new AbortController()
    const limit: Limit = { count: commands, ...(pauseMs === undefined ? {} : { pauseMs }) }
    const flooding = sendChains(world, [adjust], flooder, clients, limit)
    const calmly = sendChains(world, [adjust], calm, 1, { signal: over.signal })
    await flooding.finally(() => over.abort())
    return [await calmly, await flooding] as const
  })
  return { alone, beside, flood }
}
