/** Rows that compare kinds of writes with each other, by the processor time of all processes. */
import { type Chain, hold, holdAndSell, receive, receiveBoxes, sell, sellTaxed } from './chains.ts'
import { type Bench, gatherStatistics, type Say } from './in-turn.ts'
import { type Result, ratio } from './table.ts'
import { allMs, type Usage, usagePer } from './usage.ts'
import { type Span, type Writes, writes } from './writes.ts'

const CLIENTS = 64

type Cost = { readonly ms: number; readonly each: Usage; readonly errors: number }

/** What each chain costs, measured in turn. */
export async function costsOf(
  { world, tenants, rounds, roundMs }: Bench,
  chains: readonly Chain[],
  say: Say,
): Promise<Cost[]> {
  const done = chains.map((): (Writes & Span)[] => [])
  for (const chain of chains) await writes(world, [chain], tenants, CLIENTS, { ms: 500 }) // warm up
  await gatherStatistics(world)
  for (let round = 0; round < rounds; round++)
    for (const [at, chain] of chains.entries()) {
      say(0, `round ${round + 1} of ${rounds}: ${chain.name}`)
      done[at]?.push(await writes(world, [chain], tenants, CLIENTS, { ms: roundMs }))
    }
  const sum = (of: readonly Writes[], field: 'count' | 'errors') => of.reduce((total, one) => total + one[field], 0)
  return done.map(of => {
    const each = usagePer(of, sum(of, 'count'))
    return { ms: allMs(each), each, errors: sum(of, 'errors') }
  })
}

export const row = (
  name: string,
  most: number,
  [service, limit]: readonly [ms: number, ms: number],
  errors: number,
): Result => ({
  name: `${name}, ${CLIENTS} clients: processor time`,
  goals: [ratio('<=', most)],
  service,
  limit,
  unit: 'ms',
  errors,
})

export const nothing: Pick<Cost, 'ms' | 'errors'> & { readonly each?: Usage } = { ms: 0, errors: 0 }

/** A hold, and an order that takes one, beside the same order without. */
export async function holdRows(bench: Bench, say: Say): Promise<Result[]> {
  const [order = nothing, held = nothing, both = nothing] = await costsOf(bench, [sell(1), hold, holdAndSell], say)
  return [
    row(hold.name, 1, [held.ms, order.ms], held.errors + order.errors),
    row('POST /sales-orders, 1 line, that takes a hold', 1.3, [both.ms - held.ms, order.ms], both.errors),
  ]
}

/** Purchase units beside stock units. */
export async function boxRows(bench: Bench, say: Say): Promise<Result[]> {
  const [pieces = nothing, boxes = nothing] = await costsOf(bench, [receive, receiveBoxes], say)
  return [row(receiveBoxes.name, 1.05, [boxes.ms, pieces.ms], boxes.errors + pieces.errors)]
}

/** Lines with taxes of their own beside lines with a rate. */
export async function taxRows(bench: Bench, say: Say): Promise<Result[]> {
  const [plain = nothing, taxed = nothing] = await costsOf(bench, [sell(20), sellTaxed(20)], say)
  return [row(sellTaxed(20).name, 1.15, [taxed.ms, plain.ms], taxed.errors + plain.errors)]
}
