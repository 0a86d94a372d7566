/** The list of shortages: which variants and places are short, how much, for which orders, and what is expected. */
import type { ExecutionContext } from 'ava'
import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { listProducts } from '../../lib/domain/catalogue/endpoints.ts'
import { listShortagesEndpoint } from '../../lib/domain/planning/shortages/endpoints.ts'
import { closeOrder, createOrder as purchase } from '../../lib/domain/purchasing/orders/commands.ts'
import { createReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { changeOrder, createOrder as sell } from '../../lib/domain/sales/orders/commands.ts'
import { type Workshop, workshop } from '../manufacturing/workshop.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile, serviceOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const service = await serviceOfFile()
type Filters = Record<string, string>

const short = (room: Workshop, filters: Filters = {}): Promise<Loose[]> =>
  room.tenant.page(listShortagesEndpoint, { filters, limit: 200 })

/** `sku@place: quantity - reserved + expected = projected, short; for ...; by ...`, to be compared with rows that were computed by hand. */
async function told(room: Workshop, filters: Filters = {}): Promise<string[]> {
  const names = new Map<string | null, string>([[null, 'none']])
  for (const [at, id] of (room as Loose).places.entries()) names.set(id, ['Main', 'Second'][at] ?? '')
  return (await short(room, filters)).map(row => {
    const day = (time: string | null) => (time === null ? '' : ` ${time.slice(0, 10)}`)
    const demand = row.demand.map((of: Loose) => `${of.number} ${of.quantity}${day(of.needed_by)}`).join(', ')
    const supply = row.supply.map((of: Loose) => `${of.number} ${of.quantity}${day(of.expected_by)}`).join(', ')
    return (
      `${row.sku}@${names.get(row.storage_place_id)}: ${row.available_quantity} + ${row.expected_quantity} = ` +
      `${row.projected_quantity}, short ${row.short_quantity}; for ${demand || 'nobody'}; by ${supply || 'nothing'}`
    )
  })
}

/**
 * A table takes 2 oak and 8 screws. In stock at Main are 5 oak, 100 screws, and milk in two batches of 3 and 4, of which 1 is in
 * quarantine. 4 oak are ordered, tables are to be made and sold, and screws are sold at a place without screws.
 */
async function filled(): Promise<{ room: Workshop; ids: Record<string, string>; docs: Record<string, Loose> }> {
  const room = await workshop(bench)
  const { tenant } = room
  const [main, second] = [await room.place('Main'), await room.place('Second')]
  const ids: Record<string, string> = { main, second }
  const made = [
    ['OAK', { minimum_stock: 10 }],
    ['SCREW', { minimum_stock: 0 }],
    ['TABLE', {}],
    ['MILK', { batch_tracked: true, minimum_stock: 2 }],
    ['NEVER', { minimum_stock: 3 }],
    ['GONE', { minimum_stock: 3 }],
    ['SERVICE', { type: 'SERVICE', minimum_stock: 3 }],
  ] as const
  for (const [sku, product] of made) ids[sku] = await room.variant(sku, product)
  const [oak, screw, table, milk] = [ids['OAK'] ?? '', ids['SCREW'] ?? '', ids['TABLE'] ?? '', ids['MILK'] ?? '']
  await room.adjust([
    itemLine(oak, 5),
    itemLine(screw, 100),
    itemLine(milk, 3, { batch_number: 'A' }),
    itemLine(milk, 4, { batch_number: 'B' }),
  ])
  const toQuarantine = { from_storage_place_id: main, to_storage_place_id: main }
  await room.transfer({ ...toQuarantine, items: [itemLine(milk, 1, { to_quarantine: true })] })
  await room.recipe(table, [
    [oak, 2],
    [screw, 8],
  ])
  const order = (items: Loose[], extra: object) => tenant.done(sell, { customer: { title: 'C' }, items, ...extra })
  const docs = {
    bought: await tenant.done(purchase, {
      supplier: { title: 'S' },
      expected_date: '2026-12-01',
      items: [itemLine(oak, 4)],
    }),
    making: await room.order(table, 6, { planned_start_date: '2026-11-25', production_date: '2026-12-05' }),
    sold: await order([itemLine(table, 5), itemLine(milk, 5), itemLine(table, 4)], { delivery_date: '2026-12-10' }),
    wanted: await order([itemLine(oak, 1)], {}),
    elsewhere: await order([itemLine(screw, 2, { storage_place_id: second })], {}),
  }
  return { room: Object.assign(room, { places: [main, second] }), ids, docs }
}

const reconciles = async (t: ExecutionContext, room: Workshop) => t.deepEqual(await bench.faults(room.tenant.id), [])

const OAK = 'OAK@Main: -8 + 4 = -4, short 4; for MO-00001 12 2026-11-25, SO-00002 1; by PO-00001 4 2026-12-01'
const SCREW = 'SCREW@Second: -2 + 0 = -2, short 2; for SO-00003 2; by nothing'
const TABLE = 'TABLE@Main: -9 + 6 = -3, short 3; for SO-00001 9 2026-12-10; by MO-00001 6 2026-12-05'

test('what falls below 0 is listed with all that reserves it and all that is expected, one entry per document', async t => {
  const { room, ids } = await filled()
  t.deepEqual(await told(room), [OAK, SCREW, TABLE])
  t.deepEqual(await told(room, { item_variant_id: ids['TABLE'] ?? '' }), [TABLE])
  t.deepEqual(await told(room, { storage_place_id: ids['second'] ?? '' }), [SCREW])
  t.deepEqual(await told(room, { storage_place_id: ids['second'] ?? '', item_variant_id: ids['OAK'] ?? '' }), [])
  const [oak] = await short(room)
  t.like(oak, { item_variant_id: ids['OAK'], storage_place_id: ids['main'], quantity: 5, quarantine_quantity: 0 })
  t.like(oak, { reserved_quantity: 13, expected_quantity: 4, minimum_stock: 10 })
  await reconciles(t, room)
})

test('a purchase order is expected by the earliest date of its open lines, one without a date by that of the order', async t => {
  const { room, ids } = await filled()
  const { tenant } = room
  const [oak, main] = [ids['OAK'] ?? '', ids['main'] ?? '']
  const dates = async () =>
    (await short(room, { item_variant_id: oak, below: 'minimum' }))[0]?.supply.map((of: Loose) =>
      [of.number, of.quantity, of.expected_by?.slice(0, 10) ?? null].join(' '),
    )
  const line = (quantity: number, expected_date?: string) => itemLine(oak, quantity, { expected_date })
  const order = await tenant.done(purchase, {
    supplier: { title: 'S' },
    expected_date: '2026-12-10',
    items: [line(2, '2026-11-30'), line(1), line(0.5, '2026-12-20'), { ...line(1), item_variant_id: ids['SCREW'] }],
  })
  t.deepEqual(await dates(), ['PO-00002 3.5 2026-11-30', 'PO-00001 4 2026-12-01'])
  const receive = (at: number) =>
    tenant.done(
      createReceipt,
      {
        storage_place_id: main,
        items: [{ purchase_order_item_id: order.items[at].id, quantity: order.items[at].quantity }],
      },
      { id: order.id },
    )
  await receive(0)
  t.deepEqual(await dates(), ['PO-00001 4 2026-12-01', 'PO-00002 1.5 2026-12-10'])
  await receive(1)
  t.deepEqual(await dates(), ['PO-00001 4 2026-12-01', 'PO-00002 0.5 2026-12-20'])
  await tenant.done(purchase, { supplier: { title: 'S' }, items: [line(1), line(1, '2026-12-24')] })
  await tenant.done(purchase, { supplier: { title: 'S' }, items: [line(1)] })
  t.deepEqual((await dates())?.slice(2), ['PO-00003 2 2026-12-24', 'PO-00004 1 '])
  await reconciles(t, room)
})

test('a minimum is held against the main place, also of what never had stock, but not of archived variants and services', async t => {
  const { room, ids } = await filled()
  const gone = (
    await room.tenant.page(listShortagesEndpoint, { filters: { below: 'minimum', item_variant_id: ids['GONE'] ?? '' } })
  )[0]
  await room.tenant.done(changeProduct, { archived: true }, { id: gone.item_id })
  const oak = OAK.replace('short 4', 'short 14')
  const milk = 'MILK@Main: 1 + 0 = 1, short 1; for SO-00001 5 2026-12-10; by nothing'
  const never = 'NEVER@Main: 0 + 0 = 0, short 3; for nobody; by nothing'
  t.deepEqual(await told(room, { below: 'minimum' }), [oak, SCREW, TABLE, milk, never])
  t.deepEqual(await told(room, { below: 'minimum', storage_place_id: ids['second'] ?? '' }), [SCREW])
  t.deepEqual(await told(room, { below: 'minimum', item_variant_id: ids['NEVER'] ?? '' }), [never])
  const pages: Loose[] = []
  for (let after: string | undefined; pages.length < 9; ) {
    const [row] = await room.tenant.page(listShortagesEndpoint, {
      filters: { below: 'minimum' },
      limit: 1,
      ...(after === undefined ? {} : { after }),
    })
    if (row === undefined) break
    pages.push(row)
    after = `${row.item_variant_id}_${row.storage_place_id ?? 0}`
  }
  t.deepEqual(pages, await short(room, { below: 'minimum' }), 'pages of one are the list')
})

test('a tenant without places holds minimums against stock without a place', async t => {
  const room = Object.assign(await workshop(bench), { places: [] })
  await room.variant('OAK', { minimum_stock: 2.5 })
  t.deepEqual(await told(room, { below: 'minimum' }), ['OAK@none: 0 + 0 = 0, short 2.5; for nobody; by nothing'])
})

test('what is below its minimum is found however minimum, stock and main place came about', async t => {
  const room = Object.assign(await workshop(bench), { places: [] as string[] })
  const { tenant } = room
  const below = async () => (await told(room, { below: 'minimum' })).map(row => row.replace(/;.*/, ''))
  const ids: Record<string, string> = {}
  for (const [sku, product] of [
    ['LATER', {}],
    ['BATCHED', { batch_tracked: true, minimum_stock: 4 }],
    ['RESERVED', { minimum_stock: 1 }],
  ] as const)
    ids[sku] = await room.variant(sku, product)
  const { LATER = '', BATCHED = '', RESERVED = '' } = ids
  await room.adjust([itemLine(LATER, 5), itemLine(BATCHED, 3, { batch_number: 'A' }), itemLine(RESERVED, 2)])
  const [batched, reserved] = ['BATCHED@none: 3 + 0 = 3, short 1', 'RESERVED@none: 0 + 0 = 0, short 1']
  t.deepEqual(await below(), [batched])
  await tenant.done(sell, { customer: { title: 'C' }, items: [itemLine(RESERVED, 2)] })
  t.deepEqual(await below(), [batched, reserved])
  const [product] = await tenant.page(listProducts, { filters: { sku: 'LATER' } })
  for (const [minimum_stock, short] of [
    [6, ['LATER@none: 5 + 0 = 5, short 1']],
    [5, []],
    [5.5, ['LATER@none: 5 + 0 = 5, short 0.5']],
    [null, []],
    [7, ['LATER@none: 5 + 0 = 5, short 2']],
  ] as const) {
    await tenant.done(changeProduct, { minimum_stock }, { id: product.id })
    t.deepEqual(await below(), [...short, batched, reserved], `minimum ${minimum_stock}`)
  }
  await reconciles(t, room)

  room.places.push(await room.place('Main'))
  t.deepEqual(await below(), [
    'LATER@Main: 0 + 0 = 0, short 7',
    'BATCHED@Main: 0 + 0 = 0, short 4',
    'RESERVED@Main: 0 + 0 = 0, short 1',
  ])
  await reconciles(t, room)
  await room.adjust([itemLine(LATER, 7), itemLine(BATCHED, 1, { batch_number: 'A' })])
  t.deepEqual(await below(), ['BATCHED@Main: 1 + 0 = 1, short 3', 'RESERVED@Main: 0 + 0 = 0, short 1'])
  await reconciles(t, room)
})

test('what is delivered, received, closed, cancelled, started or made is no longer asked for or expected', async t => {
  const { room, ids, docs } = await filled()
  const { tenant } = room
  const { bought, making, sold, wanted, elsewhere } = docs
  await tenant.done(
    createReceipt,
    { storage_place_id: ids['second'], items: [{ purchase_order_item_id: bought.items[0].id, quantity: 1 }] },
    { id: bought.id },
  )
  await room.block(making, { reason: 'Waits' })
  t.deepEqual((await told(room))[0], OAK.replace('+ 4 = -4, short 4', '+ 3 = -5, short 5').replace('01 4', '01 3'))
  await tenant.done(closeOrder, {}, { id: bought.id })
  await room.unblock(making)
  await tenant.done(changeOrder, { status: 'CANCELLED' }, { id: wanted.id })
  await tenant.done(changeOrder, { status: 'DONE' }, { id: elsewhere.id })
  await reconciles(t, room)
  t.deepEqual(await told(room), ['OAK@Main: -7 + 0 = -7, short 7; for MO-00001 12 2026-11-25; by nothing', TABLE])
  await room.adjust([itemLine(ids['OAK'], 8)])
  await room.start(making)
  await room.complete(making, { quantity: 2 })
  const line = { id: sold.items[0].id, quantity: 1 }
  await tenant.done(changeOrder, { items: [line, { id: sold.items[2].id, quantity: 6 }] }, { id: sold.id })
  t.deepEqual(await told(room), [
    'TABLE@Main: -5 + 4 = -1, short 1; for SO-00001 7 2026-12-10; by MO-00001 4 2026-12-05',
  ])
  await reconciles(t, room)
  await room.complete(making, { quantity: 5 })
  t.deepEqual(await told(room), [])
  await reconciles(t, room)
})

const sum = (entries: readonly Loose[]): number => entries.reduce((total, { quantity }) => total + quantity, 0)

test('every answer is one snapshot: sums hold while eight clients write', async t => {
  const client = await service.tenant()
  const { made: done } = client
  await done('/storage-places', { title: 'Main' })
  const product = (sku: string) => done('/products', { title: sku, sku, minimum_stock: 1_000_000 })
  const [part, whole] = (await Promise.all(['PART', 'WHOLE'].map(product))).map(made => made.variants[0].id)
  await done('/recipes', { item_variant_id: whole, materials: [itemLine(part, 2)] })
  const [supplier, customer] = [await done('/suppliers', { title: 'S' }), await done('/customers', { title: 'C' })]
  let writing = 8
  const write = async (of: number): Promise<void> => {
    for (let n = 1; n <= 4; n++) {
      const items = [itemLine(n % 2 ? part : whole, of + n)]
      const sold = await done('/sales-orders', { customer_id: customer.id, items })
      const bought = await done('/purchase-orders', { supplier_id: supplier.id, items })
      const made = await done('/manufacturing-orders', { item_variant_id: whole, quantity: n })
      if (n % 2) await client.patch(`/sales-orders/${sold.id}`, { status: 'CANCELLED' })
      else await client.request('DELETE', `/manufacturing-orders/${made.id}`)
      await done(`/purchase-orders/${bought.id}/close`, {})
    }
    writing--
  }
  const writers = Promise.all(Array.from({ length: 8 }, (_, of) => write(of)))
  const seen = new Set<string>()
  while (writing > 0) for (const row of await everyRow(t, client)) seen.add(JSON.stringify(row))
  await writers
  t.true(seen.size > 4, 'much was seen between')
  const [left] = await everyRow(t, client)
  t.is(left.reserved_quantity, sum(left.demand))
  t.is(left.expected_quantity, 0)
})

async function everyRow(t: ExecutionContext, client: Client): Promise<readonly Loose[]> {
  const { body } = await client.get('/shortages?below=minimum')
  t.is(body.data.length, 2)
  for (const row of body.data) {
    t.is(sum(row.demand), row.reserved_quantity)
    t.is(sum(row.supply), row.expected_quantity)
  }
  return body.data
}
