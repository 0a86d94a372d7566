/**
 * Landed costs: the share of each line of a receipt, which part the stock takes, which part is expensed, and what their reversal takes
 * back.
 */
import {
  changeLandedCost,
  createLandedCost,
  reverseLandedCost,
} from '../../lib/domain/purchasing/landed-costs/commands.ts'
import { getLandedCost, listLandedCosts } from '../../lib/domain/purchasing/landed-costs/endpoints.ts'
import { reverseReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { unreversed, untouched } from '../stock/stockroom.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { column, columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import type { Step } from '../support/units.ts'
import { type Buying, buying } from './buying.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()

const why = { reason: 'another receipt' }
const freight = (amount: number, more: object = {}) => ({ title: 'Freight', amount, ...more })
const land = ({ tenant }: Buying, receipt: Loose, body: Loose) =>
  tenant.done(createLandedCost, { purchase_receipt_id: receipt.id, ...body })
const refusedLand = ({ tenant }: Buying, receipt: Loose, body: Loose) =>
  tenant.refusal(createLandedCost, { purchase_receipt_id: receipt.id, ...body })
const reverse = ({ tenant }: Buying, landed: Loose) => tenant.done(reverseLandedCost, why, { id: landed.id })
const reconciled = ({ tenant }: Buying) => bench.faults(tenant.id)
const allocated = ({ allocations }: Loose) => columns(allocations, 'amount', 'stock_amount', 'expensed_amount')
/** Quantity and value of a variant at each place, in the order of the places. */
const held = async (room: Buying, variant: string) =>
  columns(await room.stock({ item_variant_id: variant }), 'quantity', 'stock_value')
/** Sells at the average cost. */
const sell = (room: Buying, variant: string, quantity: number, extra?: Loose) =>
  room.adjust([itemLine(variant, -quantity)], extra)

/** Receives an order in full at the place. */
async function received(room: Buying, items: Loose[], place?: string, order: Loose = {}): Promise<Loose> {
  const north = place ?? (await room.place('North'))
  return room.receive(await room.order(items, order), { storage_place_id: north })
}

test('freight on a receipt that is half sold goes into the stock by half; the rest is expensed', async t => {
  const room = await buying(bench)
  const oak = await room.variant('OAK')
  const receipt = await received(room, [itemLine(oak, 10, { price: 5 })])
  await sell(room, oak, 5)
  const { body: landed, events } = await room.tenant.run(createLandedCost, {
    purchase_receipt_id: receipt.id,
    items: [freight(12.5)],
    notes: 'By sea',
    external_ref: 'inv-1',
    metadata: { invoice: '7731' },
  })
  t.deepEqual(landed, {
    id: landed.id,
    number: 'LC-00001',
    purchase_receipt_id: receipt.id,
    purchase_order_id: receipt.purchase_order_id,
    storage_place_id: receipt.storage_place_id,
    currency: 'EUR',
    exchange_rate: 1,
    date: room.tenant.now,
    notes: 'By sea',
    external_ref: 'inv-1',
    ...untouched,
    metadata: { invoice: '7731' },
    created_at: room.tenant.now,
    ...unreversed(room.tenant.now),
    total_amount: 12.5,
    stock_amount: 6.25,
    expensed_amount: 6.25,
    items: [{ id: landed.items[0].id, title: 'Freight', amount: 12.5, distribution: 'VALUE' }],
    allocations: [
      {
        purchase_receipt_item_id: receipt.items[0].id,
        item_variant_id: oak,
        sku: 'OAK',
        amount: 12.5,
        stock_amount: 6.25,
        expensed_amount: 6.25,
      },
    ],
  })
  t.deepEqual(await room.tenant.read(getLandedCost, { id: landed.id }), landed)
  // No quantity changed, so nobody is told of the stock.
  t.deepEqual(columns(events, 'type', 'data', 'previous'), [['landed_cost.created', landed, null]])
  // 5 pieces worth 25 and 6.25 of freight; a sale takes the new average of 6.25.
  t.deepEqual(await held(room, oak), [[5, 31.25]])
  t.deepEqual(
    columns(
      await room.movements({ source_type: 'LANDED_COST' }),
      'kind',
      'quantity',
      'value',
      'quantity_after',
      'source_id',
    ),
    [['LANDED_COST', 0, 6.25, 5, landed.id]],
  )
  await sell(room, oak, 2)
  t.deepEqual(await held(room, oak), [[3, 18.75]])
  t.deepEqual(await reconciled(room), [])
})

test('0.03 of freight over 500 equal lines is exactly 0.03', async t => {
  const room = await buying(bench)
  const oak = await room.variant('OAK')
  const receipt = await received(
    room,
    Array.from({ length: 500 }, () => itemLine(oak, 1, { price: 2 })),
  )
  const landed = await land(room, receipt, { items: [freight(0.03)] })
  t.like(landed, { total_amount: 0.03, stock_amount: 0.03, expensed_amount: 0 })
  // 0.0300 are 300 units of the fourth decimal: line k gets round(300 k / 500) less round(300 (k - 1) / 500).
  const amounts = landed.allocations.map(({ amount }: Loose) => amount)
  t.deepEqual(amounts.slice(0, 10), [0.0001, 0, 0.0001, 0, 0.0001, 0.0001, 0, 0.0001, 0, 0.0001])
  t.is(amounts.filter((amount: number) => amount === 0.0001).length, 300)
  t.deepEqual(await held(room, oak), [[500, 1000.03]])
  await reverse(room, landed)
  t.deepEqual(await held(room, oak), [[500, 1000]])
  t.deepEqual(await reconciled(room), [])
})

test('costs are spread by value or by quantity, by quantity too where all values are 0; services bear nothing', async t => {
  const room = await buying(bench)
  const north = await room.place('North')
  const [oak, ash] = [await room.variant('OAK'), await room.variant('ASH')]
  const service = await room.variant('SAWING', { type: 'SERVICE' })
  const items = (dear: number, cheap: number) => [
    itemLine(oak, 1, { price: dear }),
    itemLine(service, 1, { price: 100 }),
    itemLine(ash, 3, { price: cheap }),
  ]
  const receipt = await received(room, items(6, 1), north)
  // Values 6 and 3, quantities 1 and 3: 10 by value are 6.6667 and 3.3333, and 8 by quantity are 2 and 6.
  const both = await land(room, receipt, {
    items: [freight(10), { title: 'Unloading', amount: 8, distribution: 'QUANTITY' }],
  })
  t.deepEqual(allocated(both), [
    [8.6667, 8.6667, 0],
    [9.3333, 9.3333, 0],
  ])
  t.deepEqual(columns(both.allocations, 'purchase_receipt_item_id', 'sku'), [
    [receipt.items[0].id, 'OAK'],
    [receipt.items[2].id, 'ASH'],
  ])
  t.deepEqual([await held(room, oak), await held(room, ash)], [[[1, 14.6667]], [[3, 12.3333]]])
  const free = await received(room, items(0, 0), north)
  t.deepEqual(allocated(await land(room, free, { items: [freight(10)] })), [
    [2.5, 2.5, 0],
    [7.5, 7.5, 0],
  ])
  // A line without a value bears nothing if another one has a value.
  const gift = await received(room, items(6, 0), north)
  t.deepEqual(allocated(await land(room, gift, { items: [freight(10)] })), [
    [10, 10, 0],
    [0, 0, 0],
  ])
  t.deepEqual(await reconciled(room), [])
})

test('of goods that moved the place where they lie now takes the cost; what is not there is expensed', async t => {
  const room = await buying(bench)
  const [north, south] = [await room.place('North'), await room.place('South')]
  const oak = await room.variant('OAK')
  const receipt = await received(room, [itemLine(oak, 8, { price: 2 })], north)
  const move = (to: string | null, quantity: number) =>
    room.transfer({ from_storage_place_id: north, to_storage_place_id: to, items: [itemLine(oak, quantity)] })
  await move(south, 6)
  await move(null, 1)
  const at = async (body: Loose) => allocated(await land(room, receipt, { items: [freight(16)], ...body }))
  t.deepEqual(await at({ storage_place_id: south }), [[16, 12, 4]])
  t.deepEqual(await at({}), [[16, 2, 14]])
  t.deepEqual(await at({ storage_place_id: null }), [[16, 2, 14]])
  // The quantity and value of the entries with a place and without one.
  t.deepEqual((await held(room, oak)).toSorted(), [
    [1, 4],
    [1, 4],
    [6, 24],
  ])
  const [, , elsewhere] = await room.tenant.page(listLandedCosts)
  t.is(elsewhere.storage_place_id, null)
  t.deepEqual(await reconciled(room), [])
})

test('freight in another currency is turned into the own one, rounded once to 4 decimals', async t => {
  const room = await buying(bench)
  const oak = await room.variant('OAK')
  const receipt = await received(room, [itemLine(oak, 4, { price: 5 })])
  const landed = await land(room, receipt, {
    items: [freight(100.05), freight(0.00005)],
    currency: 'USD',
    exchange_rate: 0.9137,
  })
  // 100.05 * 0.9137 = 91.415685, 0.00005 * 0.9137 = 0.000045685.
  t.like(landed, { currency: 'USD', exchange_rate: 0.9137, total_amount: 91.4157, stock_amount: 91.4157 })
  t.deepEqual(await held(room, oak), [[4, 111.4157]])
  const refused = (body: Loose) => refusedLand(room, receipt, { items: [freight(1)], ...body })
  t.is(
    await refused({ currency: 'USD' }),
    "validation_failed exchange_rate: is required, since the tenant's currency is EUR",
  )
  t.is(
    await refused({ exchange_rate: 2 }),
    "validation_failed exchange_rate: must be 1 in the tenant's own currency, EUR",
  )
  t.is(
    await refused({ currency: 'XXX', exchange_rate: 2 }),
    'validation_failed currency: XXX is not a currency in circulation (ISO 4217)',
  )
  t.deepEqual(await reconciled(room), [])
})

test('of two lines of one variant the second finds what the first left, also when it is taken back', async t => {
  const room = await buying(bench)
  const oak = await room.variant('OAK')
  const receipt = await received(room, [itemLine(oak, 4, { price: 5 }), itemLine(oak, 6, { price: 5 })])
  // 7 of 10 are left, worth 35: the first line finds 4, the second 3 of its 6.
  await sell(room, oak, 3)
  const landed = await land(room, receipt, { items: [freight(10)] })
  t.deepEqual(allocated(landed), [
    [4, 4, 0],
    [6, 3, 3],
  ])
  t.deepEqual(await held(room, oak), [[7, 42]])
  // 2 are sold at 6. Of the 5 that are left, 4 count for the first line and 1 of 3 for the second, so 4 and 1 of 3 are taken back.
  await sell(room, oak, 2)
  await reverse(room, landed)
  t.deepEqual(await held(room, oak), [[5, 25]])
  t.deepEqual(columns(await room.movements({ source_type: 'LANDED_COST' }), 'kind', 'quantity', 'value'), [
    ['LANDED_COST', 0, 4],
    ['LANDED_COST', 0, 3],
    ['REVERSAL', 0, -4],
    ['REVERSAL', 0, -1],
  ])
  t.deepEqual(await reconciled(room), [])
})

test('a reversed landed cost says so, with a date, a reason and a user; a second time is refused', async t => {
  const room = await buying(bench)
  const { tenant } = room
  const oak = await room.variant('OAK')
  const receipt = await received(room, [itemLine(oak, 3, { price: 5 })])
  const landed = await land(room, receipt, { items: [freight(10)] })
  const kept = await land(room, receipt, { items: [freight(1)] })
  t.is(
    await tenant.refusal(reverseLandedCost, { ...why, date: '2026-11-20' }, { id: landed.id }),
    `validation_failed date: must not be before that of LC-00001, ${landed.date}`,
  )
  const before = tenant.now
  tenant.now = '2026-11-22T08:00:00.000Z'
  const { body, events } = await tenant.run(reverseLandedCost, why, { id: landed.id })
  t.deepEqual(body, {
    ...landed,
    updated_at: tenant.now,
    reversed_at: tenant.now,
    reversal_reason: 'another receipt',
    reversed_by_user_name: 'tester',
  })
  t.deepEqual(await tenant.read(getLandedCost, { id: landed.id }), body)
  t.deepEqual(columns(events, 'type', 'data', 'previous'), [
    [
      'landed_cost.reversed',
      body,
      { updated_at: before, reversed_at: null, reversal_reason: null, reversed_by_user_name: null },
    ],
  ])
  const [, , movement] = await room.movements({ source_type: 'LANDED_COST' })
  t.like(movement, { kind: 'REVERSAL', value: -10, source_id: landed.id, document_date: tenant.now })
  t.is(await tenant.refusal(reverseLandedCost, why, { id: landed.id }), 'already_reversed LC-00001 is reversed')
  const listed = async (filters: Record<string, string>) =>
    (await tenant.page(listLandedCosts, { filters })).map(({ number }: Loose) => number)
  t.deepEqual(await listed({ reversed: 'true' }), ['LC-00001'])
  t.deepEqual(await listed({ reversed: 'false' }), ['LC-00002'])
  t.deepEqual(await listed({ updated_after: tenant.now }), ['LC-00001'])
  t.deepEqual(await listed({ purchase_receipt_id: receipt.id }), ['LC-00001', 'LC-00002'])
  t.deepEqual(await listed({ purchase_order_id: receipt.purchase_order_id }), ['LC-00001', 'LC-00002'])
  t.deepEqual(await listed({ purchase_order_id: receipt.id }), [])
  t.deepEqual(await listed({ id: kept.id }), ['LC-00002'])
  t.deepEqual(await reconciled(room), [])
})

test('a reversal takes at most what the stock is worth, and nothing of what is gone', async t => {
  const room = await buying(bench)
  const north = await room.place('North')
  const dear = async (sku: string) => {
    const variant = await room.variant(sku)
    const receipt = await received(room, [itemLine(variant, 10, { price: 1 })], north)
    // V 10 and 90 of freight over Q 10.
    return { variant, receipt, landed: await land(room, receipt, { items: [freight(90)] }) }
  }
  // All of them are sold at 100, then 10 others come in at 1: the 10 in stock are worth 10.
  const gone = await dear('GONE')
  await sell(room, gone.variant, 10)
  await room.adjust([itemLine(gone.variant, 10, { unit_cost: 1 })])
  await reverse(room, gone.landed)
  t.deepEqual(await held(room, gone.variant), [[10, 0]])
  // No stock is left, so nothing is taken from it.
  const sold = await dear('SOLD')
  await sell(room, sold.variant, 10)
  await reverse(room, sold.landed)
  t.deepEqual(await held(room, sold.variant), [[0, 0]])
  // A cost that was added when no stock was left is expensed as a whole. Its reversal takes nothing from goods that came later.
  const late = await land(room, sold.receipt, { items: [freight(7)] })
  t.deepEqual(allocated(late), [[7, 0, 7]])
  await room.adjust([itemLine(sold.variant, 5, { unit_cost: 2 })])
  await reverse(room, late)
  t.deepEqual(await held(room, sold.variant), [[5, 10]])
  t.is((await room.movements({ source_id: late.id })).length, 0)
  t.deepEqual(await reconciled(room), [])
})

test('the movement stands at the batch that was received; batches share the value, and traces do not show it', async t => {
  const room = await buying(bench)
  const [north, south] = [await room.place('North'), await room.place('South')]
  const milk = await room.variant('MILK', { batch_tracked: true })
  const receipt = await received(room, [itemLine(milk, 4, { price: 1, batch_number: 'A' })], north)
  await room.adjust([itemLine(milk, 4, { unit_cost: 3, batch_number: 'B' })])
  const [{ batch_id: batch }] = receipt.items
  const trace = (direction: string) => room.tenant.read(endpointOf('traceBatch'), { id: batch }, { direction })
  const before = [await trace('forward'), await trace('backward')]
  const landed = await land(room, receipt, { items: [freight(8)] })
  t.deepEqual(columns(await room.movements({ source_id: landed.id }), 'batch_id', 'value', 'quantity_after'), [
    [batch, 8, 4],
  ])
  // V 16 and 8 over Q 8.
  t.deepEqual(await room.shelf(), ['MILK: 0 (0) +0 = 0', 'MILK A: 4 (0) +0 = 12', 'MILK B: 4 (0) +0 = 12'])
  // Only batch B is in the south, where A never was. The south still gets the cost, by the quantity of the variant there.
  const { allocations } = await land(room, receipt, { items: [freight(8)], storage_place_id: south })
  t.like(allocations[0], { stock_amount: 0, expensed_amount: 8 })
  const [, , b] = await room.stock({ item_variant_id: milk })
  await room.transfer({
    from_storage_place_id: north,
    to_storage_place_id: south,
    items: [itemLine(milk, 1, { batch_id: b.batch_id })],
  })
  const other = await land(room, receipt, { items: [freight(8)], storage_place_id: south })
  t.deepEqual(allocated(other), [[8, 2, 6]])
  t.deepEqual(columns(await room.movements({ source_id: other.id }), 'batch_id', 'value'), [[null, 2]])
  await reverse(room, landed)
  await reverse(room, other)
  // The piece that left the north took a value of 3, of which 1 is freight.
  t.deepEqual(
    await room
      .stock({ item_variant_id: milk, storage_place_id: south })
      .then(rows => columns(rows, 'quantity', 'stock_value').toSorted()),
    [
      [0, 0],
      [1, 3],
    ],
  )
  t.deepEqual([await trace('forward'), await trace('backward')], before)
  t.deepEqual(await reconciled(room), [])
})

test('what the stock was worth before a landed cost stays known', async t => {
  const room = await buying(bench)
  const { tenant } = room
  const oak = await room.variant('OAK')
  const receipt = await received(room, [itemLine(oak, 2, { price: 5 })])
  const before = tenant.now
  tenant.now = '2026-11-21T06:00:00.000Z'
  const landed = await land(room, receipt, { items: [freight(3)] })
  const then = tenant.now
  tenant.now = '2026-11-21T07:00:00.000Z'
  await reverse(room, landed)
  const worth = async (as_of: string) =>
    columns(await tenant.page(endpointOf('listStockValuation'), { filters: { as_of } }), 'quantity', 'stock_value')
  t.deepEqual(await worth(before), [[2, 10]])
  t.deepEqual(await worth(then), [[2, 13]])
  t.deepEqual(await worth(tenant.now), [[2, 10]])
})

test('a receipt with a landed cost cannot be reversed before that, and a reversed one takes none', async t => {
  const room = await buying(bench)
  const oak = await room.variant('OAK')
  const receipt = await received(room, [itemLine(oak, 3, { price: 5 })])
  const landed = await land(room, receipt, { items: [freight(10)] })
  const reverseIt = () => room.tenant.refusal(reverseReceipt, why, { id: receipt.id })
  t.is(await reverseIt(), 'conflict the landed cost LC-00001 stands on this receipt: reverse it first')
  await reverse(room, landed)
  t.is(await reverseIt(), 'done')
  t.is(await refusedLand(room, receipt, { items: [freight(1)] }), 'conflict the receipt PR-00001 is reversed')
  t.deepEqual(await held(room, oak), [[0, 0]])
  t.deepEqual(await reconciled(room), [])
})

test('a receipt of services alone bears no landed cost', async t => {
  const room = await buying(bench)
  const service = await room.variant('SAWING', { type: 'SERVICE' })
  const receipt = await received(room, [itemLine(service, 3, { price: 5 })])
  t.is(
    await refusedLand(room, receipt, { items: [freight(1)] }),
    'conflict the receipt PR-00001 has no goods: services bear no landed cost',
  )
})

test('bad input is refused, naming the field', async t => {
  const room = await buying(bench, { closedThrough: '2026-10-31' })
  const oak = await room.variant('OAK')
  const receipt = await received(room, [itemLine(oak, 3, { price: 5 })])
  const refused = (body: Loose) => refusedLand(room, receipt, { items: [freight(1)], ...body })
  for (const [body, message] of [
    [{ items: [freight(0)] }, 'validation_failed items[0].amount: must be greater than 0'],
    [{ items: [freight(-1)] }, 'validation_failed items[0].amount: must be greater than 0'],
    [{ items: [freight(0.0000001)] }, 'validation_failed items[0].amount: must have at most 6 decimals'],
    [{ items: [] }, 'validation_failed items: must have at least 1 entry'],
    [{ items: Array(51).fill(freight(1)) }, 'validation_failed items: must have at most 50 entries'],
    [{ items: undefined }, 'validation_failed items: is required'],
    [{ items: [{ amount: 1 }] }, 'validation_failed items[0].title: is required'],
    [
      { items: [freight(1, { distribution: 'WEIGHT' })] },
      'validation_failed items[0].distribution: must be one of VALUE, QUANTITY',
    ],
    [{ purchase_receipt_id: '1' }, 'validation_failed purchase_receipt_id: no such purchase receipt'],
    [{ purchase_receipt_id: null }, 'validation_failed purchase_receipt_id: must not be null'],
    [{ storage_place_id: '1' }, 'validation_failed storage_place_id: no such storage place'],
    [{ allocations: [] }, 'validation_failed allocations: is not a known field'],
    [{ date: '2026-10-31' }, 'unprocessable date: the accounting period is closed through 2026-10-31'],
    [{ date: '2027-01-01' }, 'unprocessable date: must not be in the future'],
  ] as const)
    t.is(await refused(body), message)
  t.is(
    await room.tenant.refusal(createLandedCost, { items: [freight(1)] }),
    'validation_failed purchase_receipt_id: is required',
  )
  const landed = await land(room, receipt, { items: [freight(1)], external_ref: 'one', number: 'F-1' })
  t.is(await refused({ external_ref: 'one' }), `validation_failed external_ref: is taken by ${landed.id}`)
  t.is(await refused({ number: 'F-1' }), `validation_failed number: is taken by ${landed.id}`)
  t.is(
    await room.tenant.refusal(reverseLandedCost, { ...why, date: '2026-10-31' }, { id: landed.id }),
    `validation_failed date: must not be before that of F-1, ${landed.date}`,
  )
})

test('notes, reference and metadata change in every status; what was booked stays', async t => {
  const room = await buying(bench)
  const oak = await room.variant('OAK')
  const receipt = await received(room, [itemLine(oak, 3, { price: 5 })])
  const landed = await land(room, receipt, { items: [freight(10)] })
  await reverse(room, landed)
  const { body, events } = await room.tenant.run(
    changeLandedCost,
    { notes: 'Paid', metadata: { invoice: '1' } },
    { id: landed.id },
  )
  t.like(body, { notes: 'Paid', metadata: { invoice: '1' }, reversal_reason: 'another receipt' })
  t.deepEqual(column(events, 'type'), ['landed_cost.updated'])
  t.deepEqual(await reconciled(room), [])
})

test('a landed cost on 500 lines, and its reversal, take as many round trips as on one line', async t => {
  const room = await buying(bench)
  const north = await room.place('North')
  const milk = await room.variant('MILK', { batch_tracked: true })
  const tripsOf = async (step: Step) => {
    const { trips, outcome } = await units.alone(room.tenant.id, step, { oneByOne: false })
    t.is(outcome?.kind, 'done')
    return trips
  }
  const trips = async (lines: number) => {
    const items = Array.from({ length: lines }, (_, at) => ({
      ...itemLine(milk, 1, { price: 1, batch_number: `B${at}` }),
    }))
    const receipt = await received(room, items, north)
    const body = { purchase_receipt_id: receipt.id, items: [{ title: 'Freight', amount: 1 }] }
    const made = await tripsOf(['createLandedCost', body])
    const [landed] = await room.tenant.page(listLandedCosts, { filters: { purchase_receipt_id: receipt.id } })
    t.is(landed.allocations.length, lines)
    return [made, await tripsOf(['reverseLandedCost', why, landed.id])]
  }
  t.deepEqual(await trips(1), [3, 3])
  t.deepEqual(await trips(500), [3, 3])
})
