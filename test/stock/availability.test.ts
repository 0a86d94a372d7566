/** The guarantees of `GET /availability`: one row for each variant and place over all batches, with the figures of `stock.changed`. */
import * as v from 'valibot'
import { changeStoragePlace } from '../../lib/domain/places/commands.ts'
import { Availability } from '../../lib/domain/stock/availability/document.ts'
import { listAvailabilityEndpoint as list } from '../../lib/domain/stock/availability/endpoints.ts'
import { salesroom } from '../sales/salesroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/** Two batches of milk and a sold oak at two places, and the last `stock.changed` of each variant and place. */
async function filled() {
  const room = await salesroom(bench)
  const { tenant, variant, place, tryAdjust, tryOrder } = room
  const told = new Map<string, Loose>()
  const tell = ({ events, refusal }: Loose) => {
    if (refusal) throw new Error(refusal.message)
    for (const { type, data } of events)
      if (type === 'stock.changed') told.set(`${data.item_variant_id}_${data.storage_place_id ?? 0}`, data)
  }
  const oak = await variant('OAK')
  tell(await tryAdjust([{ item_variant_id: oak, quantity: 4, unit_cost: 1.25 }], { storage_place_id: null }))
  const milk = await variant('MILK', { batch_tracked: true })
  const [main, side] = [await place('Main'), await place('Side')]
  const batch = (batch_number: string, quantity: number) => ({ item_variant_id: milk, quantity, batch_number })
  tell(await tryAdjust([batch('A', 2), { ...batch('B', 1.5), unit_cost: 3 }, { item_variant_id: oak, quantity: 1 }]))
  tell(await tryAdjust([{ item_variant_id: oak, quantity: 7 }], { storage_place_id: side }))
  tell(await tryOrder([{ item_variant_id: milk, quantity: 5 }]))
  tell(await tryOrder([{ item_variant_id: oak, quantity: 2, storage_place_id: side }]))
  return { tenant, told: [...told.values()], oak, milk, main, side }
}

test('rows equal the last stock.changed of their variant and place, by variant, then place, none first', async t => {
  const { tenant, told, oak, milk, main, side } = await filled()
  const rows = await tenant.page(list)
  t.true(rows.every((row: Loose) => v.is(Availability.reply, row)))
  const places = [null, main, side]
  const rank = (row: Loose) => Number(row.item_variant_id) * 10 + places.indexOf(row.storage_place_id)
  t.deepEqual(
    rows,
    told.sort((a, b) => rank(a) - rank(b)),
  )
  t.is(rows.length, 4)
  const milkRow = { quantity: 3.5, reserved_quantity: 5, available_quantity: -1.5, average_cost: 1.2857 }
  t.like(rows[3], { item_variant_id: milk, sku: 'MILK', storage_place_id: main, ...milkRow })
  t.like(rows[0], { item_variant_id: oak, storage_place_id: null, quantity: 4, average_cost: 1.25 })
})

test('filters and pages of either order, whatever the limit, are parts of the same list', async t => {
  const { tenant, oak, milk, side } = await filled()
  const rows = await tenant.page(list)
  const of = (filters: Record<string, string>) => tenant.page(list, { filters })
  t.deepEqual(await of({ item_variant_id: milk }), rows.slice(3))
  t.deepEqual(await of({ sku: 'OAK' }), rows.slice(0, 3))
  t.deepEqual(await of({ storage_place_id: side }), [rows[2]])
  t.deepEqual(await of({ sku: 'OAK', storage_place_id: side }), [rows[2]])
  t.deepEqual(await of({ sku: 'MILK', item_variant_id: oak }), [])
  t.deepEqual(await of({ sku: 'oak' }), [])
  t.deepEqual(await of({ item_variant_id: '-1' }), [])
  t.is((await of({ sku: 'x'.repeat(65) })).refusal, 'validation_failed')
  // Stock without a place counts as allowed.
  await tenant.done(changeStoragePlace, { sales_allowed: false }, { id: side })
  t.deepEqual(
    await of({ sales_allowed: 'true' }),
    rows.filter((row: Loose) => row.storage_place_id !== side),
  )
  t.deepEqual(await of({ sales_allowed: 'false' }), [rows[2]])
  t.deepEqual(await of({ sales_allowed: 'false', sku: 'OAK' }), [rows[2]])
  t.deepEqual(await of({ sales_allowed: 'true', storage_place_id: side }), [])
  t.deepEqual(await of({ sales_allowed: 'true', item_variant_id: milk }), [rows[3]])
  await tenant.done(changeStoragePlace, { sales_allowed: true }, { id: side })
  const stranger = await bench.tenant()
  t.deepEqual(await stranger.page(list, { filters: { item_variant_id: oak } }), [])
  for (const order of ['asc', 'desc'] as const)
    for (const limit of [1, 2, 3]) {
      const found: Loose[] = []
      for (let page = await tenant.page(list, { limit, order }); page.length > 0; ) {
        found.push(...page)
        const { item_variant_id: variant, storage_place_id: place } = page.at(-1)
        page = await tenant.page(list, { limit, order, after: `${variant}_${place ?? 0}` })
      }
      t.deepEqual(found, order === 'asc' ? rows : rows.toReversed(), `${order} by ${limit}`)
    }
})
