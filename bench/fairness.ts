/**
 * How long a calm tenant waits while another one floods: one client's closed loop alone, then beside the flood. It must not
 * judge throughput; other rows do.
 */
import { adjust } from './chains.ts'
import { type Figures, median, percentile } from './measure.ts'
import type { Result } from './table.ts'
import type { BenchTenant, World } from './world.ts'
import { counted, sendChains } from './writes.ts'

const FLOOD_CLIENTS = 64
const FLOOD = 5_000
const FLOOD_QUICK = 1_500
/** Enough for a p99, and about as many as the calm client sends beside the flood. */
const ALONE = 1_000

type Round = { readonly alone: Figures; readonly beside: Figures; readonly flood: Figures }

/** The calm tenant's p99 beside the flood and alone, over all rounds, in turn; and how fast the flood was meanwhile. */
export async function floodResults(
  world: World,
  [calm, flooder]: readonly BenchTenant[],
  { rounds, isQuick }: { readonly rounds: number; readonly isQuick: boolean },
): Promise<Result[]> {
  if (!calm || !flooder) throw new Error('a flood takes two tenants')
  const commands = isQuick ? FLOOD_QUICK : FLOOD
  const measured: Round[] = []
  for (let n = 0; n < rounds; n++) {
    process.stderr.write(`a flood: round ${n + 1} of ${rounds}\n`)
    measured.push(await round(world, calm, flooder, commands))
  }
  const alone = measured.flatMap(({ alone: { latencies } }) => latencies)
  const beside = measured.flatMap(({ beside: { latencies } }) => latencies)
  const errors = (of: (round: Round) => Figures) => measured.reduce((sum, each) => sum + of(each).errors, 0)
  return [
    {
      name: `POST /stock-adjustments, 1 client, p99 while another tenant floods ${commands} (beside its p99 alone)`,
      goal: '<= 3 x',
      service: percentile(beside, 0.99),
      limit: percentile(alone, 0.99),
      unit: 'ms',
      errors: errors(each => each.alone) + errors(each => each.beside),
      p50: percentile(beside, 0.5),
      p99: percentile(beside, 0.99),
    },
    {
      name: '  the flood meanwhile, 64 clients',
      goal: '',
      service: median(measured.map(({ flood }) => flood.perSecond)),
      limit: 0,
      unit: '/s',
      errors: errors(each => each.flood),
      p50: median(measured.map(({ flood }) => flood.p50)),
      p99: median(measured.map(({ flood }) => flood.p99)),
    },
  ]
}

async function round(world: World, calm: BenchTenant, flooder: BenchTenant, commands: number): Promise<Round> {
  const [alone] = await counted(world, adjust, async () => [
    await sendChains(world, adjust, [calm], 1, { count: ALONE }),
  ])
  const [beside, flood] = await counted(world, adjust, async () => {
    const over = new AbortController()
    const flooding = sendChains(world, adjust, [flooder], FLOOD_CLIENTS, { count: commands })
    const calmly = sendChains(world, adjust, [calm], 1, { signal: over.signal })
    await flooding.finally(() => over.abort())
    return Promise.all([calmly, flooding])
  })
  if (!alone || !beside || !flood) throw new Error('nothing was measured')
  return { alone, beside, flood }
}
