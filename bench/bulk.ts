/** The rows of bulks: orders of one tenant a hundred at a time, beside as many clients as there may be that send them one by one. */

import { API_PREFIX } from '../lib/kit/api/endpoint.ts'
import { sell } from './chains.ts'
import { commandEndpoint } from './commands.ts'
import { requestBytes } from './http-client.ts'
import { type Bench, gatherStatistics, inTurn, type Say } from './in-turn.ts'
import { closedLoops } from './measure.ts'
import { type Result, ratio } from './table.ts'
import type { BenchTenant } from './types.ts'
import { usageOf } from './usage.ts'
import { counted, withLanes, writes } from './writes.ts'

const ENTRIES = 100
const CLIENTS = 4
const order = sell(1)

export async function bulkRows(bench: Bench, say: Say): Promise<Result[]> {
  const {
    world,
    tenants: [tenant],
    roundMs,
  } = bench
  const rows = (['each', 'all'] as const).map(mode => ({
    name: `POST /bulk, ${mode}, ${ENTRIES} one-line orders, ${CLIENTS} clients, 1 tenant: orders`,
    goals: [ratio('>=', 2)],
    measure: () => bulks(bench, tenant, mode),
  }))
  await gatherStatistics(world)
  return inTurn(bench, rows, () => writes(world, [order], [tenant], 64, { ms: roundMs }), say)
}

async function bulks({ world, roundMs }: Bench, tenant: BenchTenant, mode: string) {
  const [figures] = await counted(world, async () => {
    const from = await usageOf(world)
    const sent = await withLanes(world.url, CLIENTS, lanes =>
      closedLoops(CLIENTS, { ms: roundMs }, async number => {
        const lane = lanes[number]
        if (!lane) return false
        const { status } = await lane.send(bulk(tenant, mode))
        // The answer's own status says nothing of the entries.
        return status === 200 && lane.lastBody.split('"status":201').length === ENTRIES + 1
      }),
    )
    const [perSecond, count] = [sent.perSecond * ENTRIES, (sent.count - sent.errors) * ENTRIES]
    return [{ ...sent, perSecond, writes: count, from, to: await usageOf(world) }] as const
  })
  return figures
}

let sent = 0
function bulk(tenant: BenchTenant, mode: string): Buffer {
  const [step] = order.steps
  if (!step) throw new Error('an order is one step')
  const { method, path } = commandEndpoint(step.endpoint)
  const requests = Array.from({ length: ENTRIES }, () => ({
    method,
    path,
    idempotency_key: `bulk-${process.pid}-${sent++}`,
    body: step.body(tenant, []),
  }))
  return requestBytes({
    method: 'POST',
    path: `${API_PREFIX}/bulk`,
    token: tenant.token,
    body: JSON.stringify({ mode, requests }),
  })
}
