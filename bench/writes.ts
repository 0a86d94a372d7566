/**
 * Sends chains of writes to the service through lanes and counts their effects in the database, so that an answer without an
 * effect, or an effect without an answer, is an error. It must not compare or judge.
 */

import * as v from 'valibot'
import { API_PREFIX } from '../lib/kit/api/endpoint.ts'
import { rows } from '../lib/platform/postgres/postgres.ts'
import type { Chain, Step } from './chains.ts'
import { answerOf, commandEndpoint, pathParams } from './commands.ts'
import { Lane, requestBytes } from './http-client.ts'
import { closedLoops, type Figures, type Limit } from './measure.ts'
import type { Answer, BenchTenant, World } from './types.ts'
import { type Usage, usageOf } from './usage.ts'

/** `writes`: all that were acknowledged, also those of chains that failed later. */
export type Writes = Figures & { readonly writes: number }
/** What the service had spent before and after. */
export type Span = { readonly from: Usage; readonly to: Usage }

let sent = 0
/** The bytes of a step under a key of its own. */
export function write(tenant: BenchTenant, step: Step, before: readonly Answer[] = []): Buffer {
  const { method, path } = commandEndpoint(step.endpoint)
  return requestBytes({
    method,
    path: API_PREFIX + path.replace('{id}', pathParams(step, before)['id'] ?? ''),
    token: tenant.token,
    key: `bench-${process.pid}-${sent++}`,
    body: JSON.stringify(step.body(tenant, before)),
  })
}

/** Opens so many connections, and closes them behind `use`. */
export async function withLanes<T>(url: string, count: number, use: (lanes: Lane[]) => Promise<T>): Promise<T> {
  const lanes = await Promise.all(Array.from({ length: count }, () => Lane.open(url)))
  try {
    return await use(lanes)
  } finally {
    for (const lane of lanes) lane.close()
  }
}

/** Chains by so many clients over the tenants, both in turn. A round is an error unless every step has its status. */
export async function sendChains(
  world: World,
  chains: readonly Chain[],
  tenants: readonly BenchTenant[],
  clients: number,
  limit: Limit,
): Promise<Writes> {
  let writes = 0
  const figures = await withLanes(world.url, clients, lanes =>
    closedLoops(clients, limit, async (number, round) => {
      const tenant = tenants[round % tenants.length]
      const chain = chains[round % chains.length]
      const lane = lanes[number]
      if (!tenant || !chain || !lane) return false
      const answers: Answer[] = []
      for (const step of chain.steps) {
        const answer = await lane.send(write(tenant, step, answers))
        if (answer.status !== commandEndpoint(step.endpoint).success) return false
        writes++
        if (chain.steps.length > 1) answers.push(answerOf(lane.lastBody))
      }
      return true
    }),
  )
  return { ...figures, writes }
}

/** Runs `send` and counts its effects: what was acknowledged and what was done must be one figure. */
export async function counted<T extends readonly Writes[]>(world: World, send: () => Promise<T>): Promise<T> {
  const before = await countEffects(world)
  const [first, ...others] = await send()
  const effects = (await countEffects(world)) - before
  if (!first) throw new Error('nothing was sent')
  const acknowledged = [first, ...others].reduce((sum, { writes }) => sum + writes, 0)
  return [{ ...first, errors: first.errors + Math.abs(effects - acknowledged) }, ...others] as unknown as T
}

/** Chains by so many clients over the tenants; effects are counted in the database. */
export async function writes(...given: Parameters<typeof sendChains>): Promise<Writes & Span> {
  const [world] = given
  const [figures] = await counted(world, async () => {
    const from = await usageOf(world)
    return [{ ...(await sendChains(...given)), from, to: await usageOf(world) }] as const
  })
  return figures
}

/** How many commands the log holds, the bare runs not counted. */
async function countEffects(world: World): Promise<number> {
  const { count } = await world.pool.one(rows(v.object({ count: v.string() }))`
    select count(*) from commands where request_id not like 'req\_bare%'`)
  return Number(count)
}
