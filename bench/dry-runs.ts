/** The row of dry runs: one-line orders of many tenants that are taken back, beside the same orders for real. By processor time. */
import { API_PREFIX } from '../lib/kit/api/endpoint.ts'
import { sell } from './chains.ts'
import { commandEndpoint } from './commands.ts'
import { requestBytes } from './http-client.ts'
import { type Bench, gatherStatistics, type Say } from './in-turn.ts'
import { closedLoops, median } from './measure.ts'
import { type Result, ratio } from './table.ts'
import type { BenchTenant } from './types.ts'
import { allMs, usageOf, usagePer } from './usage.ts'
import { counted, type Span, type Writes, withLanes, writes } from './writes.ts'

const CLIENTS = 64
const order = sell(1)

export async function dryRunRows({ world, tenants, rounds, roundMs }: Bench, say: Say): Promise<Result[]> {
  const limits: (Writes & Span)[] = []
  const dry: Awaited<ReturnType<typeof dryRuns>>[] = []
  await gatherStatistics(world)
  for (let round = 0; round < rounds; round++) {
    say(0, `round ${round + 1} of ${rounds}, the writes`)
    limits.push(await writes(world, [order], tenants, CLIENTS, { ms: roundMs }))
    say(0, `round ${round + 1} of ${rounds}, dry`)
    dry.push(await dryRuns({ world, tenants, roundMs }))
  }
  const each = usagePer(
    dry,
    dry.reduce((sum, { count }) => sum + count, 0),
  )
  const write = usagePer(
    limits,
    limits.reduce((sum, { writes: done }) => sum + done, 0),
  )
  return [
    {
      name: `POST /sales-orders, 1 line, run dry, ${CLIENTS} clients, ${tenants.length} tenants: processor time`,
      goals: [ratio('<=', 1)],
      service: allMs(each),
      limit: allMs(write),
      unit: 'ms',
      errors: [...dry, ...limits].reduce((sum, { errors }) => sum + errors, 0),
      p50: median(dry.map(({ p50 }) => p50)),
      p99: median(dry.map(({ p99 }) => p99)),
      cost: { each },
    },
  ]
}

/** An effect of a dry run is an error. */
async function dryRuns({ world, tenants, roundMs }: Pick<Bench, 'world' | 'tenants' | 'roundMs'>) {
  const [figures] = await counted(world, async () => {
    const from = await usageOf(world)
    const sent = await withLanes(world.url, CLIENTS, lanes =>
      closedLoops(CLIENTS, { ms: roundMs }, async (number, round) => {
        const [lane, tenant] = [lanes[number], tenants[round % tenants.length]]
        return lane !== undefined && tenant !== undefined && (await lane.send(dryRun(tenant))).status === 201
      }),
    )
    return [{ ...sent, writes: 0, from, to: await usageOf(world) }] as const
  })
  return figures
}

function dryRun(tenant: BenchTenant): Buffer {
  const [step] = order.steps
  if (!step) throw new Error('an order is one step')
  const { method, path } = commandEndpoint(step.endpoint)
  const body = JSON.stringify(step.body(tenant, []))
  return requestBytes({ method, path: `${API_PREFIX}${path}`, token: tenant.token, body, isDryRun: true })
}
