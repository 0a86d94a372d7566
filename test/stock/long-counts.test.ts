/**
 * Counts of 2,000 lines, the most that a count may have: a completion is one command that runs alone, and its adjustment can be reversed.
 */

import * as v from 'valibot'
import { getAdjustment } from '../../lib/domain/stock/adjustments/endpoints.ts'
import { changeCount, createCount } from '../../lib/domain/stock/counts/commands.ts'
import { getCount, listCountItems } from '../../lib/domain/stock/counts/endpoints.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf } from '../support/units.ts'
import { type Stockroom, stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()

/** This many variants, some hundreds for each product. */
async function variants({ tenant }: Stockroom, many: number): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < many; from += 100) {
    const own = Array.from({ length: Math.min(100, many - from) }, (_, at) => ({ sku: `V-${from + at}` }))
    const product = await tenant.done(endpointOf('createProduct'), { title: `Product ${from}`, variants: own })
    ids.push(...product.variants.map(({ id }: Loose) => id as string))
  }
  return ids
}

const halves = (all: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(all.length / 500) }, (_, at) => all.slice(500 * at, 500 * at + 500))

/** A count of these variants, counted 500 at a time. */
async function counted({ tenant }: Stockroom, of: readonly string[], quantity: (at: number) => number) {
  const made = await tenant.done(createCount, {})
  for (const [chunk, ids] of halves(of).entries()) {
    const items = ids.map((id, at) => ({ item_variant_id: id, counted_quantity: quantity(500 * chunk + at) }))
    await tenant.done(changeCount, { items }, { id: made.id })
  }
  return made.id as string
}

test('2,000 lines are completed in the round trips of one line, and one adjustment books them; one line more is refused', async t => {
  const room = await stockroom(bench)
  const { tenant } = room
  const all = await variants(room, 2_001)
  const [last = ''] = all.splice(2_000)
  for (const ids of halves(all)) await room.adjust(ids.map(id => itemLine(id, 10, { unit_cost: 2 })))
  const [first = ''] = all
  const short = await counted(room, [first], () => 9)
  const one = await units.alone(tenant.id, ['completeStockCount', {}, short])
  t.deepEqual([one.outcome?.kind, one.trips], ['done', 3])

  // Every other line has 3 less than was there, and the others have one more.
  const id = await counted(room, all, at => (at === 0 ? 6 : at % 2 === 0 ? 7 : 11))
  const more = { items: [{ item_variant_id: last, counted_quantity: 1 }] }
  t.is(await tenant.refusal(changeCount, more, { id }), 'validation_failed items: a stock count has at most 2000 lines')
  t.like(await tenant.read(getCount, { id }), { line_count: 2_000, difference_count: 2_000 })
  const whole = await units.alone(tenant.id, ['completeStockCount', {}, id])
  t.deepEqual([whole.outcome?.kind, whole.trips], ['done', 3])

  const { adjustment_id } = await tenant.read(getCount, { id })
  const adjustment = await tenant.read(getAdjustment, { id: adjustment_id })
  t.is(adjustment.items.length, 2_000)
  // 1,000 lines of -3 and 1,000 of 1, at 2 each.
  t.is(adjustment.total_amount, -4_000)
  const told = await bench.pool.any(rows(v.object({ type: v.string(), body: v.string() }))`
    select type, body::text as body from events where tenant_id = ${tenant.id} order by sequence desc limit 2`)
  t.like(JSON.parse(told[0]?.body ?? ''), { type: 'stock_count.completed', data: { id, line_count: 2_000 } })
  t.like(JSON.parse(told[1]?.body ?? ''), {
    type: 'stock_adjustment.created',
    data: { id: adjustment_id, truncated: true },
  })
  t.deepEqual(await bench.faults(tenant.id), [])

  const reversed = await units.alone(tenant.id, ['reverseStockAdjustment', { reason: 'a mistake' }, adjustment_id])
  t.deepEqual([reversed.outcome?.kind, reversed.trips], ['done', 3])
  const stock = await room.stock()
  t.deepEqual([...new Set(stock.slice(1).map(({ quantity }) => quantity))], [10])
  t.deepEqual(await bench.faults(tenant.id), [])
})

test('a change of one line reads and writes that line alone, however many there are', async t => {
  const room = await stockroom(bench)
  const all = await variants(room, 300)
  const id = await counted(room, all, () => 0)
  const written = async () =>
    columns(await room.tenant.page(listCountItems, { params: { id }, limit: 200 }), 'id', 'counted_at')
  const before = await written()
  room.tenant.now = '2026-11-21T09:00:00.000Z'
  await room.tenant.done(changeCount, { items: [{ item_variant_id: all[7], counted_quantity: 0 }] }, { id })
  t.deepEqual(await written(), before.with(7, [before[7]?.[0], room.tenant.now]))
})

test('a count with many differences is completed by itself, one with few beside other tenants', async t => {
  const [room, other] = [await stockroom(bench), await stockroom(bench)] as const
  const oak = await other.variant('OAK')
  const all = await variants(room, 101)
  const together = async (many: number) => {
    const id = await counted(room, all.slice(0, many), () => many)
    const results = await units.run([
      { tenantId: room.tenant.id, commands: [commandOf(room.tenant.id, ['completeStockCount', {}, id])] },
      {
        tenantId: other.tenant.id,
        commands: [commandOf(other.tenant.id, ['createStockAdjustment', { items: [itemLine(oak, 1)] }])],
      },
    ])
    return [room, other].map(({ tenant }) => results.get(tenant.id)?.is)
  }
  t.deepEqual(await together(100), ['ran', 'ran'])
  t.deepEqual(await together(101), ['too large', 'ran'])
})
