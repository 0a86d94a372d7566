/**
 * Sends chains of writes to the service through lanes and counts their effects in the database, so that an answer without an
 * effect, or an effect without an answer, is an error. It must not compare or judge.
 */
import * as v from 'valibot'
import { rows } from '../lib/postgres/postgres.ts'
import type { Chain } from './chains.ts'
import { Lane, requestBytes } from './http-client.ts'
import { closedLoops, type Figures, type Limit } from './measure.ts'
import type { BenchTenant, World } from './world.ts'

export const API = '/api/external/v1'

let sent = 0
/** The bytes of a write under a key of its own. */
export const write = (tenant: BenchTenant, path: string, body: unknown) => {
  const key = `bench-${process.pid}-${sent++}`
  return requestBytes({ method: 'POST', path: API + path, token: tenant.token, key, body: JSON.stringify(body) })
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

/** Chains by so many clients over the tenants, in turn. A round is an error unless every step has its status. */
export const sendChains = (
  world: World,
  chain: Chain,
  tenants: readonly BenchTenant[],
  clients: number,
  limit: Limit,
): Promise<Figures> =>
  withLanes(world.url, clients, lanes =>
    closedLoops(clients, limit, async (number, round) => {
      const tenant = tenants[round % tenants.length]
      const lane = lanes[number]
      if (!tenant || !lane) return false
      const answers: { id: string }[] = []
      for (const step of chain.steps) {
        const answer = await lane.send(write(tenant, step.path(answers), step.body(tenant)))
        if (answer.status !== step.status) return false
        if (chain.steps.length > 1) answers.push(JSON.parse(lane.lastBody) as { id: string })
      }
      return true
    }),
  )

/** Runs `send` and counts its effects: what was acknowledged and what was done must be one figure. */
export async function counted(world: World, chain: Chain, send: () => Promise<Figures[]>): Promise<Figures[]> {
  const before = await countEffects(world, chain)
  const [first, ...others] = await send()
  const effects = (await countEffects(world, chain)) - before
  if (!first) return []
  const acknowledged = [first, ...others].reduce((sum, { count, errors }) => sum + count - errors, 0)
  return [{ ...first, errors: first.errors + Math.abs(effects - acknowledged) }, ...others]
}

/** Chains by so many clients over the tenants; effects are counted in the database. */
export async function writes(...[world, chain, ...rest]: Parameters<typeof sendChains>): Promise<Figures> {
  const [figures] = await counted(world, chain, async () => [await sendChains(world, chain, ...rest)])
  if (!figures) throw new Error('nothing was sent')
  return figures
}

/** How often the last step of the chain stands in the command log, the bare runs not counted. */
async function countEffects(world: World, chain: Chain): Promise<number> {
  const { count } = await world.pool.one(rows(v.object({ count: v.string() }))`
    select count(*) from commands where endpoint = ${chain.steps.at(-1)?.endpoint ?? ''} and request_id not like 'req\_bare%'`)
  return Number(count)
}
