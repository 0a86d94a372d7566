/** Lists of stock entries, movements and documents: filters, paging, and shares that are the same in every page and filter. */
import * as v from 'valibot'
import { listAdjustments } from '../../lib/domain/stock/adjustments/endpoints.ts'
import { listStock } from '../../lib/domain/stock/levels/endpoints.ts'
import { StockEntry } from '../../lib/domain/stock/levels/noun.ts'
import { listTransfers } from '../../lib/domain/stock/transfers/endpoints.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/** Two places, a tracked and an untracked variant, one adjustment a day and a transfer, from 2026-11-01 on. */
async function filled() {
  const room = await stockroom(bench)
  const { tenant } = room
  const [north, south] = [await room.place('North'), await room.place('South')]
  const [milk, oak] = [await room.variant('MILK', { batch_tracked: true }), await room.variant('OAK')]
  const at = async <T>(day: string, run: () => Promise<T>): Promise<T> => {
    tenant.now = `2026-11-${day}T12:00:00.000Z`
    return run()
  }
  const lines = [
    itemLine(milk, 1, { unit_cost: 4, batch_number: 'A' }),
    itemLine(milk, 1, { unit_cost: 3, batch_number: 'B' }),
    itemLine(milk, 1, { unit_cost: 3, batch_number: 'C' }),
  ]
  const first = await at('01', () => room.adjust(lines, { external_ref: 'one', number: 'FIRST' }))
  const second = await at('02', () => room.adjust([itemLine(oak, 3)], { storage_place_id: south }))
  const third = await at('03', () =>
    room.transfer({ from_storage_place_id: north, to_storage_place_id: south, items: [itemLine(milk, 1)] }),
  )
  return { room, tenant, north, south, milk, oak, first, second, third }
}

test('stock entries have their documented shape and are filtered by variant, place, batch and time', async t => {
  const { room, north, south, milk, oak, first } = await filled()
  const all = await room.stock()
  t.true(all.every(entry => v.is(replyOf(StockEntry), entry)))
  t.is(all.length, 5)
  const entries = async (filters: Record<string, string>) =>
    columns(await room.stock(filters), 'sku', 'storage_place_id', 'batch_number')
  t.deepEqual(await entries({ item_variant_id: oak }), [['OAK', south, null]])
  t.deepEqual(await entries({ storage_place_id: south }), [
    ['OAK', south, null],
    ['MILK', south, 'A'],
  ])
  t.deepEqual(await entries({ batch_id: first.items[0].batch_id }), [
    ['MILK', north, 'A'],
    ['MILK', south, 'A'],
  ])
  t.deepEqual(await entries({ batch_id: first.items[0].batch_id, storage_place_id: north }), [['MILK', north, 'A']])
  // B and C cost 3.3334 each since A left.
  t.deepEqual(await entries({ updated_after: '2026-11-03T12:00:00Z' }), [
    ['MILK', north, 'A'],
    ['MILK', north, 'B'],
    ['MILK', north, 'C'],
    ['MILK', south, 'A'],
  ])
  t.deepEqual(await entries({ updated_after: '2026-11-03', item_variant_id: milk, storage_place_id: south }), [
    ['MILK', south, 'A'],
  ])
  t.deepEqual(await entries({ updated_after: '2026-11-04' }), [])
  t.deepEqual(await entries({ item_variant_id: '-1' }), [])
})

test('the stock value of an entry is the same on any page and under any filter', async t => {
  const { room, tenant, milk, north, first } = await filled()
  // 10 - 3.3333 for batch A leaves 6.6667 for B and C, 3.33335 each: 3.3334 for B, and the residue of 3.3333 for C.
  const shown = async (entries: Promise<Loose[]>) => columns(await entries, 'batch_number', 'stock_value')
  const expected = [
    ['A', 0],
    ['B', 3.3334],
    ['C', 3.3333],
  ]
  t.deepEqual(await shown(room.stock({ item_variant_id: milk, storage_place_id: north })), expected)
  for (const [index, item] of first.items.entries()) {
    const filters = { batch_id: item.batch_id, storage_place_id: north }
    t.deepEqual(await shown(room.stock(filters)), [expected[index]])
  }
  const pages: Loose[] = []
  for (;;) {
    const after = pages.at(-1)?.id
    const page = await tenant.page(listStock, { limit: 1, ...(after === undefined ? {} : { after }) })
    if (page.length === 0) break
    pages.push(...page)
  }
  t.deepEqual(pages, await room.stock())
})

test('movements have their documented shape and are filtered by all that they name', async t => {
  const { room, north, south, milk, first, second, third } = await filled()
  const all = await room.movements()
  t.true(all.every(movement => v.is(endpointOf('listStockMovements').reply as v.GenericSchema, movement)))
  const found = async (filters: Record<string, string>) => columns(await room.movements(filters), 'kind', 'quantity')
  const inflow = ['ADJUSTMENT', 1]
  t.deepEqual(await found({ item_variant_id: milk, storage_place_id: north }), [
    inflow,
    inflow,
    inflow,
    ['TRANSFER_OUT', -1],
  ])
  t.deepEqual(await found({ storage_place_id: south }), [
    ['ADJUSTMENT', 3],
    ['TRANSFER_IN', 1],
  ])
  t.deepEqual(await found({ batch_id: first.items[1].batch_id }), [inflow])
  t.deepEqual(await found({ source_id: second.id }), [['ADJUSTMENT', 3]])
  t.deepEqual(await found({ source_type: 'STOCK_TRANSFER' }), [
    ['TRANSFER_OUT', -1],
    ['TRANSFER_IN', 1],
  ])
  t.deepEqual(await found({ source_type: 'STOCK_ADJUSTMENT', source_id: third.id }), [])
  t.deepEqual(await found({ created_after: '2026-11-02T12:00:00Z', created_before: '2026-11-03T12:00:00Z' }), [
    ['ADJUSTMENT', 3],
  ])
  t.is((await room.movements({ created_after: '2026-11-01' })).length, 6)
  t.is((await room.movements({ created_before: '2026-12-01' })).length, 6)
  t.deepEqual(await found({ created_after: '2026-11-04' }), [])
  t.deepEqual(await found({ created_before: '2026-11-01' }), [])
})

test('documents are filtered by what they are called, where and when', async t => {
  const { tenant, north, south, first, second, third } = await filled()
  const adjustments = async (filters: Record<string, string>) =>
    columns(await tenant.page(listAdjustments, { filters }), 'id').flat()
  t.deepEqual(await adjustments({}), [first.id, second.id])
  t.deepEqual(await adjustments({ external_ref: 'one' }), [first.id])
  t.deepEqual(await adjustments({ number: 'FIRST' }), [first.id])
  t.deepEqual(await adjustments({ storage_place_id: south }), [second.id])
  t.deepEqual(await adjustments({ created_after: '2026-11-02' }), [second.id])
  t.deepEqual(await adjustments({ created_before: '2026-11-02' }), [first.id])
  const transfers = async (filters: Record<string, string>) =>
    columns(await tenant.page(listTransfers, { filters }), 'id').flat()
  t.deepEqual(await transfers({ from_storage_place_id: north, to_storage_place_id: south }), [third.id])
  t.deepEqual(await transfers({ from_storage_place_id: south }), [])
  t.deepEqual(await transfers({ created_before: '2026-11-03T12:00:00.000Z' }), [])
})

test('one tenant sees nothing of another', async t => {
  const { milk, north, first } = await filled()
  const stranger = await stockroom(bench)
  t.deepEqual(await stranger.stock(), [])
  t.deepEqual(await stranger.stock({ item_variant_id: milk }), [])
  t.deepEqual(await stranger.stock({ storage_place_id: north, batch_id: first.items[0].batch_id }), [])
  t.deepEqual(await stranger.movements({ source_id: first.id }), [])
  t.deepEqual(await stranger.tenant.page(endpointOf('listStockMovements')), [])
  t.deepEqual(await stranger.tenant.page(listAdjustments), [])
})
