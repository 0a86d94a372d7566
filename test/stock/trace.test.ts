/** Where a batch went and where it came from: traces computed by hand, their limits, and sums that stay right while others write. */
import * as v from 'valibot'
import { getBatch, listBatches } from '../../lib/domain/stock/batches/endpoints.ts'
import { Batch } from '../../lib/domain/stock/batches/noun.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { inWords, type Trade, trade } from './trade.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/** Green coffee in two deliveries is roasted, packed, and put into crates. Packs are sold, and one returns. */
async function roastery() {
  const shop = await trade(bench)
  const [north, south] = [await shop.place('North'), await shop.place('South')]
  const tracked = (sku: string) => shop.variant(sku, { batch_tracked: true })
  const [green, roast, pack] = [await tracked('GREEN'), await tracked('ROAST'), await tracked('PACK')]
  const [bag, crate] = [await shop.variant('BAG'), await shop.variant('CRATE')]
  await shop.recipe(roast, [[green, 3]])
  await shop.recipe(pack, [
    [roast, 0.5],
    [bag, 1],
  ])
  await shop.recipe(crate, [[pack, 2]])

  await shop.bought(green, 'G-1', north, [60, 40])
  await shop.adjust([itemLine(bag, 20, { unit_cost: 0.1 })])
  const g1 = (await shop.batch('G-1')).id
  await shop.adjust([itemLine(green, -2, { batch_id: g1 })], { reason: 'DAMAGE', number: 'LOST' })
  await shop.adjust([itemLine(green, 1, { batch_id: g1 })], { number: 'FOUND' })
  // Adds up to nothing: no row.
  await shop.adjust([itemLine(green, 3, { batch_id: g1 }), itemLine(green, -3, { batch_id: g1 })])
  const moved = { from_storage_place_id: north, items: [itemLine(green, 20, { batch_id: g1 })] }
  await shop.transfer({ ...moved, to_storage_place_id: south })
  const held = itemLine(green, 5, { batch_id: g1, to_quarantine: true })
  await shop.transfer({ from_storage_place_id: south, to_storage_place_id: south, items: [held] })

  // 30 planned and 36 taken. 4 go into one batch, and 6 into another, in quarantine.
  const first = await shop.order(roast, 10, { number: 'ROAST-1' })
  await shop.start(first, { items: [{ id: first.items[0].id, quantity: 36 }] })
  await shop.complete(first, { quantity: 4, output_batch_number: 'R-1' })
  await shop.complete(first, { output_batch_number: 'R-2', storage_place_id: south, quarantine: true })
  const second = await shop.order(pack, 8, { number: 'PACK-1', output_batch_number: 'P-1' })
  await shop.start(second)
  // Two outputs go into the same batch at the same place, and the rest of the cost is a movement of quantity 0.
  await shop.complete(second, { quantity: 3 })
  await shop.complete(second, { quantity: 4 })
  await shop.complete(second, { quantity: 0, is_final: true })
  await shop.made(crate, 1, { number: 'CRATE-1' })

  const cafe = await shop.sold('Cafe', [itemLine(pack, 5)])
  await shop.ship(cafe, [{ sales_order_item_id: cafe.items[0].id, quantity: 3 }])
  await shop.returned(cafe, 1, { quarantine: true })
  const hotel = await shop.sold('Hotel', [itemLine(green, 2)])
  await shop.ship(hotel)
  const names = { [north]: 'North', [south]: 'South' }
  const words = async (batch: string, direction: 'forward' | 'backward') =>
    (await shop.trace((await shop.batch(batch)).id, direction)).rows.map((row: Loose) => inWords(row, names))
  return { shop, north, south, green, roast, pack, crate, g1, words }
}

test('materials that came back from an order are not consumed: a batch that is back as a whole leads nowhere', async t => {
  const shop = await trade(bench)
  const north = await shop.place('North')
  const [milk, cheese] = [
    await shop.variant('MILK', { batch_tracked: true }),
    await shop.variant('CHEESE', { batch_tracked: true }),
  ]
  await shop.recipe(cheese, [[milk, 2]])
  for (const batch of ['M-1', 'M-2']) await shop.bought(milk, batch, north, [3])
  const order = await shop.order(cheese, 3, { number: 'MAKE' })
  await shop.start(order)
  await shop.complete(order, { quantity: 1, output_batch_number: 'C-1' })
  const words = async (batch: string, direction: 'forward' | 'backward') =>
    (await shop.trace((await shop.batch(batch)).id, direction)).rows.map((row: Loose) =>
      inWords(row, { [north]: 'North' }),
    )
  t.true((await words('M-2', 'forward')).includes('1 PRODUCED CHEESE C-1 1 at North by MAKE'))
  const back = async (number: string, quantity: number) => {
    const { id } = await shop.batch(number)
    return shop.materials(order, { items: [itemLine(milk, quantity, { batch_id: id })] })
  }
  await back('M-2', -3)
  await back('M-1', -1)
  t.deepEqual(await words('M-2', 'forward'), ['0 IN_STOCK MILK M-2 3 at North'])
  t.deepEqual(await words('M-1', 'forward'), [
    '0 CONSUMED MILK M-1 2 at North by MAKE',
    '0 IN_STOCK MILK M-1 1 at North',
    '1 PRODUCED CHEESE C-1 1 at North by MAKE',
    '1 IN_STOCK CHEESE C-1 1 at North',
  ])
  t.deepEqual(await words('C-1', 'backward'), [
    '0 PRODUCED CHEESE C-1 1 at North by MAKE',
    '1 RECEIVED MILK M-1 3 at North by PR-00001 with Santos',
    '1 CONSUMED MILK M-1 2 at North by MAKE',
  ])
})

test('forward, a recall finds all customers and stocks over three levels, and what came back', async t => {
  const { words, shop, g1 } = await roastery()
  t.deepEqual(await words('G-1', 'forward'), [
    '0 ADJUSTED_OUT GREEN G-1 2 at North by LOST',
    '0 CONSUMED GREEN G-1 36 at North by ROAST-1',
    '0 SHIPPED GREEN G-1 2 at North by SH-00002 with Hotel',
    // 100 - 2 + 1 - 20 - 36 - 2
    '0 IN_STOCK GREEN G-1 41 at North',
    '0 IN_STOCK GREEN G-1 20 at South',
    '1 PRODUCED ROAST R-1 4 at North by ROAST-1',
    '1 PRODUCED ROAST R-2 6 at South by ROAST-1',
    '1 CONSUMED ROAST R-1 4 at North by PACK-1',
    '1 IN_STOCK ROAST R-2 6 at South',
    '2 PRODUCED PACK P-1 7 at North by PACK-1',
    '2 CONSUMED PACK P-1 2 at North by CRATE-1',
    '2 SHIPPED PACK P-1 3 at North by SH-00001 with Cafe',
    '2 RETURNED PACK P-1 1 at North by SR-00001 with Cafe',
    '2 IN_STOCK PACK P-1 3 at North',
    '3 PRODUCED CRATE - 1 at North by CRATE-1',
  ])
  const trace = await shop.trace(g1, 'forward')
  t.true(v.is(endpointOf('traceBatch').reply as v.GenericSchema, trace))
  t.deepEqual([trace.direction, trace.truncated, trace.batch.number], ['forward', false, 'G-1'])
  const shipped = trace.rows[2]
  t.deepEqual([shipped.source_type, shipped.document_date], ['SALES_SHIPMENT', shop.tenant.now])
  t.deepEqual(Object.keys(shipped.partner), ['id', 'title', 'country_code'])
})

test('backward, a complaint finds what went into a batch and who delivered it', async t => {
  const { words } = await roastery()
  const green = [
    'RECEIVED GREEN G-1 60 at North by PR-00001 with Santos',
    'RECEIVED GREEN G-1 40 at North by PR-00002 with Santos',
    'ADJUSTED_IN GREEN G-1 1 at North by FOUND',
  ]
  t.deepEqual(
    await words('G-1', 'backward'),
    green.map(row => `0 ${row}`),
  )
  t.deepEqual(await words('P-1', 'backward'), [
    '0 PRODUCED PACK P-1 7 at North by PACK-1',
    '0 RETURNED PACK P-1 1 at North by SR-00001 with Cafe',
    '1 PRODUCED ROAST R-1 4 at North by ROAST-1',
    '1 CONSUMED ROAST R-1 4 at North by PACK-1',
    '1 CONSUMED BAG - 8 at North by PACK-1',
    ...green.map(row => `2 ${row}`),
    '2 CONSUMED GREEN G-1 36 at North by ROAST-1',
  ])
})

test('batches have their documented shape, quantities over all places, and are filtered by variant, number and expiry', async t => {
  const { shop, green, g1 } = await roastery()
  await shop.adjust([
    itemLine(green, 1, { batch_number: 'G-2', expiry_date: '2027-03-01' }),
    itemLine(green, 1, { batch_number: 'G-3', expiry_date: '2027-03-02' }),
  ])
  const all = await shop.tenant.page(listBatches)
  t.true(all.every((batch: Loose) => v.is(replyOf(Batch), batch)))
  t.deepEqual(columns(all, 'number', 'quantity', 'quarantine_quantity'), [
    ['G-1', 61, 5],
    ['R-1', 0, 0],
    ['R-2', 6, 6],
    ['P-1', 3, 1],
    ['G-2', 1, 0],
    ['G-3', 1, 0],
  ])
  t.deepEqual(await shop.tenant.read(getBatch, { id: g1 }), all[0])
  const found = async (filters: Record<string, string>) =>
    columns(await shop.tenant.page(listBatches, { filters }), 'number').flat()
  t.deepEqual(await found({ item_variant_id: green }), ['G-1', 'G-2', 'G-3'])
  t.deepEqual(await found({ number: 'R-2' }), ['R-2'])
  t.deepEqual(await found({ number: 'R-2', item_variant_id: green }), [])
  t.deepEqual(await found({ expires_before: '2027-03-02' }), ['G-2'])
  t.deepEqual(await found({ expires_before: '2027-03-02T00:00:00.001Z' }), ['G-2', 'G-3'])
  t.deepEqual(await found({ expires_before: '2027-03-02T01:00:00+01:00', item_variant_id: green }), ['G-2'])
  const stranger = await trade(bench)
  t.like(await stranger.trace(g1, 'forward'), { refusal: 'not_found' })
  t.like(await stranger.tenant.read(getBatch, { id: g1 }), { refusal: 'not_found' })
})

/** A tracked variant that orders make of itself, each from the batch before. */
async function chain(shop: Trade, length: number, batchOf: (at: number) => string) {
  const rework = await shop.variant('REWORK', { batch_tracked: true })
  await shop.adjust([itemLine(rework, 1, { batch_number: batchOf(0) })])
  const materials = { items: [itemLine(rework, 1)] }
  for (let at = 1; at <= length; at++) await shop.made(rework, 1, { ...materials, output_batch_number: batchOf(at) })
}

test('a trace ends at level 20 and says so, and not where nothing is left out', async t => {
  for (const [length, truncated] of [
    [20, false],
    [21, true],
  ] as const) {
    const shop = await trade(bench)
    await shop.place('North')
    await chain(shop, length, at => `C-${at}`)
    const ahead = await shop.trace((await shop.batch('C-0')).id, 'forward')
    t.deepEqual([ahead.truncated, ahead.rows.at(-1).level], [truncated, 20])
    const back = await shop.trace((await shop.batch(`C-${length}`)).id, 'backward')
    t.deepEqual([back.truncated, back.rows.at(-1).level], [truncated, 20])
  }
})

test('batches in a circle are followed once each', async t => {
  const shop = await trade(bench)
  const north = await shop.place('North')
  await chain(shop, 4, at => `C-${at % 2}`)
  const words = async (direction: 'forward' | 'backward') =>
    (await shop.trace((await shop.batch('C-0')).id, direction)).rows.map((row: Loose) => inWords(row, { [north]: 'N' }))
  t.deepEqual(await words('forward'), [
    '0 CONSUMED REWORK C-0 1 at N by MO-00001',
    '0 CONSUMED REWORK C-0 1 at N by MO-00003',
    '0 IN_STOCK REWORK C-0 1 at N',
    '1 PRODUCED REWORK C-1 1 at N by MO-00001',
    '1 CONSUMED REWORK C-1 1 at N by MO-00002',
    '1 PRODUCED REWORK C-1 1 at N by MO-00003',
    '1 CONSUMED REWORK C-1 1 at N by MO-00004',
    '2 PRODUCED REWORK C-0 1 at N by MO-00002',
    '2 PRODUCED REWORK C-0 1 at N by MO-00004',
  ])
  t.deepEqual(await words('backward'), [
    '0 ADJUSTED_IN REWORK C-0 1 at N by SA-00001',
    '0 PRODUCED REWORK C-0 1 at N by MO-00002',
    '0 PRODUCED REWORK C-0 1 at N by MO-00004',
    '1 PRODUCED REWORK C-1 1 at N by MO-00001',
    '1 CONSUMED REWORK C-1 1 at N by MO-00002',
    '1 PRODUCED REWORK C-1 1 at N by MO-00003',
    '1 CONSUMED REWORK C-1 1 at N by MO-00004',
    '2 CONSUMED REWORK C-0 1 at N by MO-00001',
    '2 CONSUMED REWORK C-0 1 at N by MO-00003',
  ])
})

test('a trace has at most 5,000 rows, those of the first movements, and says that there are more', async t => {
  const shop = await trade(bench)
  const north = await shop.place('North')
  const milk = await shop.variant('MILK', { batch_tracked: true })
  await shop.adjust([itemLine(milk, 9_000, { batch_number: 'M-1' })])
  const batch = await shop.batch('M-1')
  /** This many further sources, each as if an order had taken one piece. */
  const take = (from: number, count: number) =>
    bench.pool.query(statement`
      insert into stock_movements (
        tenant_id, stock_level_id, item_variant_id, storage_place_id, batch_id, kind, quantity, quarantine_quantity, value,
        quantity_after, source_type, source_id, document_date, day, entry_id, created_at
      )
      select l.tenant_id, l.id, l.item_variant_id, l.storage_place_id, l.batch_id, 'SALES_SHIPMENT', -1, 0, 0, 0, 'SALES_SHIPMENT',
        ${from} + n, now(), now(), n, now()
      from stock_levels l, generate_series(1, ${count}::int) n
      where l.tenant_id = ${shop.tenant.id} and l.batch_id = ${batch.id}
      order by n`)
  await take(0, 4_999)
  const whole = await shop.trace(batch.id, 'forward')
  t.deepEqual([whole.rows.length, whole.truncated, whole.rows.at(-1).kind], [5_000, false, 'IN_STOCK'])
  await take(10_000, 2)
  const cut = await shop.trace(batch.id, 'forward')
  t.deepEqual([cut.rows.length, cut.truncated], [5_000, true])
  t.deepEqual([cut.rows.at(-1).source_id, cut.rows.at(-1).storage_place_id], ['10001', north])
})

test('what a trace adds up holds while eight others write', async t => {
  const shop = await trade(bench)
  const [north, south] = [await shop.place('North'), await shop.place('South')]
  const [milk, cheese] = [await shop.variant('MILK', { batch_tracked: true }), await shop.variant('CHEESE')]
  await shop.recipe(cheese, [[milk, 2]])
  await shop.bought(milk, 'M-1', north, [400])
  const { id } = await shop.batch('M-1')
  const moves = [
    async () => {
      const order = await shop.sold('Cafe', [itemLine(milk, 2)])
      await shop.ship(order)
      await shop.returned(order, 1)
    },
    () => shop.made(cheese, 1),
    () => shop.adjust([itemLine(milk, -1, { batch_id: id })]),
    () => shop.transfer({ from_storage_place_id: north, to_storage_place_id: south, items: [itemLine(milk, 1)] }),
  ]
  let writing = true
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; n < 4; n++) await moves[(writer + n) % moves.length]?.()
  })
  const written = Promise.all(writers).finally(() => {
    writing = false
  })
  const sign: Readonly<Record<string, number>> = { SHIPPED: 1, CONSUMED: 1, ADJUSTED_OUT: 1, IN_STOCK: 1, RETURNED: -1 }
  const seen = new Set<number>()
  do {
    const { rows } = await shop.trace(id, 'forward')
    const own = rows.filter((row: Loose) => row.level === 0)
    t.is(
      own.reduce((sum: number, row: Loose) => sum + (sign[row.kind] ?? Number.NaN) * row.quantity, 0),
      400,
    )
    const orders = (kind: string) => rows.filter((row: Loose) => row.kind === kind).map((row: Loose) => row.source_id)
    const produced = new Set(orders('PRODUCED'))
    t.true(
      [...produced].every(order => orders('CONSUMED').includes(order)),
      'nothing is produced of nothing',
    )
    seen.add(rows.length)
  } while (writing)
  await written
  t.true(seen.size > 1, 'it was read while they wrote')
})
