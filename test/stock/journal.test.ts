/** The journal: each row of the table in docs/rules/books.md, computed by hand. */
import { setClosedThrough } from '../../lib/access/tenants.ts'
import { createLandedCost, reverseLandedCost } from '../../lib/domain/purchasing/landed-costs/commands.ts'
import { createOrder as buy } from '../../lib/domain/purchasing/orders/commands.ts'
import { createReceipt, reverseReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { reverseShipment } from '../../lib/domain/sales/shipments/reversal.ts'
import { reverseAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { getAccountBalances } from '../../lib/domain/stock/books/balances.ts'
import { reverseTransfer } from '../../lib/domain/stock/transfers/commands.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Trade, trade } from './trade.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const journal = ({ tenant }: Trade, filters: Record<string, string> = {}, page = {}): Promise<Loose[]> =>
  tenant.page(endpointOf('listJournalEntries'), { filters, limit: 200, ...page }) as Promise<Loose[]>

/** `INVENTORY OAK 12.5`, a credit below 0. Checks that the lines add up to 0. */
const inWords = ({ lines }: Loose): string[] =>
  lines.map(({ account, sku, debit, credit }: Loose) => `${account} ${sku ?? '-'} ${debit || -credit}`)

async function last(shop: Trade): Promise<Loose> {
  const [entry] = await journal(shop, {}, { limit: 1, order: 'desc' })
  return entry ?? {}
}

const why = { reason: 'booked twice' }

/** Buys these lines and receives them. */
async function received(shop: Trade, items: Loose[], order: Loose = {}, receipt: Loose = {}): Promise<Loose> {
  const made = await shop.tenant.done(buy, { supplier: { title: 'Santos', external_ref: 'santos' }, items, ...order })
  return shop.tenant.done(createReceipt, receipt, { id: made.id })
}

test('a receipt in a foreign currency debits the stock and credits what is not invoiced; its reversal swaps the sides', async t => {
  const shop = await trade(bench)
  const north = await shop.place('North')
  const oak = await shop.variant('OAK', { category: 'Wood' })
  const receipt = await received(
    shop,
    [itemLine(oak, 3, { price: 1.5 })],
    { currency: 'USD', exchange_rate: 0.9123456 },
    { storage_place_id: north, received_date: '2026-11-01' },
  )
  const entry = await last(shop)
  // 3 * 1.5 * 0.9123456 = 4.1055552
  t.like(entry, {
    day: '2026-11-01',
    source_type: 'PURCHASE_RECEIPT',
    source_id: receipt.id,
    source_number: 'PR-00001',
  })
  t.is(receipt.stock_amount, 4.1056)
  const [moved] = await shop.movements()
  t.like(moved, { source_number: 'PR-00001', sku: 'OAK', title: 'Item OAK', reason: null })
  t.like(entry, { document_date: '2026-11-01T00:00:00.000Z', reason: null, currency: 'EUR' })
  t.deepEqual(entry.lines, [
    {
      ...{ account: 'INVENTORY', account_code: null, debit: 4.1056, credit: 0 },
      ...{ storage_place_id: north, item_variant_id: oak, sku: 'OAK', category: 'Wood' },
    },
    {
      ...{ account: 'GOODS_RECEIVED_NOT_INVOICED', account_code: null, debit: 0, credit: 4.1056 },
      ...{ storage_place_id: north, item_variant_id: oak, sku: 'OAK', category: 'Wood' },
    },
  ])
  await shop.tenant.done(reverseReceipt, why, { id: receipt.id })
  t.deepEqual(inWords(await last(shop)), ['INVENTORY OAK -4.1056', 'GOODS_RECEIVED_NOT_INVOICED OAK 4.1056'])
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('where cheaper goods came in before a reversal, the difference of the ledger is booked by itself', async t => {
  const shop = await trade(bench)
  const north = await shop.place('North')
  const oak = await shop.variant('OAK')
  const receipt = await received(shop, [itemLine(oak, 2, { price: 10 })], {}, { storage_place_id: north })
  await shop.adjust([itemLine(oak, 2, { unit_cost: 1 })], { reason: 'OTHER' })
  const other = await last(shop)
  t.is(other.reason, 'OTHER')
  t.deepEqual(inWords(other), ['INVENTORY OAK 2', 'STOCK_ADJUSTMENT OAK -2'])
  // 22 for 4: 2 leave for 11, 11 stay. The receipt gives up 20, but no more than is there.
  await shop.adjust([itemLine(oak, -2)])
  t.deepEqual(inWords(await last(shop)), ['INVENTORY OAK -11', 'STOCK_ADJUSTMENT OAK 11'])
  await shop.tenant.done(reverseReceipt, why, { id: receipt.id })
  t.deepEqual(inWords(await last(shop)), [
    'INVENTORY OAK -11',
    'GOODS_RECEIVED_NOT_INVOICED OAK 20',
    'VALUATION_DIFFERENCE - -9',
  ])
  const found = await journal(shop, { account: 'VALUATION_DIFFERENCE' })
  t.is(found.length, 1)
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('an entry counts on the day of its document in the zone of the tenant', async t => {
  for (const [timeZone, day] of [
    ['Pacific/Kiritimati', '2026-11-01'],
    ['Pacific/Niue', '2026-10-30'],
  ] as const) {
    const shop = await trade(bench, { timeZone })
    await shop.place('North')
    const oak = await shop.variant('OAK')
    await shop.adjust([itemLine(oak, 1, { unit_cost: 3 })], { date: '2026-10-31T10:30:00Z' })
    t.like(await journal(shop, { day_from: day, day_to: day }), [{ day, document_date: '2026-10-31T10:30:00.000Z' }])
    const { rows } = await shop.tenant.read(getAccountBalances, {}, { from: day, through: day })
    t.like(rows[0], { account: 'INVENTORY', opening: 0, debit: 3 })
  }
})

test('a document of a closed period is reversed in an open one, and what was final stays', async t => {
  const shop = await trade(bench)
  const { tenant } = shop
  const north = await shop.place('North')
  const oak = await shop.variant('OAK', { category: 'Wood' })
  const receipt = await received(
    shop,
    [itemLine(oak, 2, { price: 10 })],
    {},
    { storage_place_id: north, received_date: '2026-10-10' },
  )
  await shop.adjust([itemLine(oak, 1, { unit_cost: 1 })], { date: '2026-10-20' })
  const final = async () => [
    await journal(shop, { day_to: '2026-10-31' }),
    await tenant.read(getAccountBalances, {}, { from: '2026-10-01', through: '2026-10-31', by: 'category' }),
  ]
  await setClosedThrough(bench.pool, tenant.id, '2026-10-31')
  const before = await final()
  // 21 for 3: 2 leave for 14, and 7 stay.
  await shop.adjust([itemLine(oak, -2)], { date: '2026-11-02' })
  await shop.adjust([itemLine(oak, 1, { unit_cost: 1 })], { date: '2026-11-03' })
  t.regex(
    await tenant.refusal(reverseReceipt, { ...why, date: '2026-10-31' }, { id: receipt.id }),
    /accounting period is closed through 2026-10-31/,
  )
  await tenant.done(reverseReceipt, { ...why, date: '2026-11-05' }, { id: receipt.id })
  const reversal = await last(shop)
  t.like(reversal, { day: '2026-11-05', source_id: receipt.id, source_number: 'PR-00001' })
  // 20 were received. All that is left are 2 for 8.
  t.deepEqual(inWords(reversal), [
    'INVENTORY OAK -8',
    'GOODS_RECEIVED_NOT_INVOICED OAK 20',
    'VALUATION_DIFFERENCE - -12',
  ])
  t.deepEqual(await final(), before)
  t.deepEqual(await bench.faults(tenant.id), [])
})

test('shipments and returns cost of goods sold; transfers move value between places, and leave no rest', async t => {
  const shop = await trade(bench)
  const [north, south] = [await shop.place('North'), await shop.place('South')]
  const oak = await shop.variant('OAK')
  await shop.adjust([itemLine(oak, 3, { unit_cost: 1.3333 })])
  const order = await shop.sold('Hotel', [itemLine(oak, 2)])
  const shipment = await shop.ship(order)
  t.deepEqual(inWords(await last(shop)), ['INVENTORY OAK -2.6666', 'COST_OF_GOODS_SOLD OAK 2.6666'])
  await shop.tenant.done(reverseShipment, why, { id: shipment.id })
  t.deepEqual(inWords(await last(shop)), ['INVENTORY OAK 2.6666', 'COST_OF_GOODS_SOLD OAK -2.6666'])
  await shop.ship(order)
  await shop.returned(order, 1)
  t.deepEqual(inWords(await last(shop)), ['INVENTORY OAK 1.3333', 'COST_OF_GOODS_SOLD OAK -1.3333'])
  const moved = await shop.transfer({
    ...{ from_storage_place_id: north, to_storage_place_id: south },
    items: [itemLine(oak, 1)],
  })
  const sides = async () =>
    (await last(shop)).lines.map((line: Loose) => [line.storage_place_id, line.debit - line.credit])
  t.deepEqual(await sides(), [
    [north, -1.3333],
    [south, 1.3333],
  ])
  await shop.adjust([itemLine(oak, 1, { unit_cost: 9 })], { storage_place_id: south })
  await shop.tenant.done(reverseTransfer, why, { id: moved.id })
  t.deepEqual(await sides(), [
    [north, 1.3333],
    [south, -1.3333],
  ])
  const count = (await journal(shop)).length
  await shop.transfer({
    ...{ from_storage_place_id: north, to_storage_place_id: north },
    items: [itemLine(oak, 1, { to_quarantine: true })],
  })
  t.is((await journal(shop)).length, count)
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('materials, operations, output and what is expensed go through work in progress', async t => {
  const shop = await trade(bench)
  const north = await shop.place('North')
  const [oak, table] = [await shop.variant('OAK'), await shop.variant('TABLE')]
  await shop.adjust([itemLine(oak, 10, { unit_cost: 2 })])
  const saw = await shop.operation('Saw', 30)
  await shop.recipe(table, [[oak, 2]], [[saw, 0.5]])
  const order = await shop.order(table, 2)
  await shop.start(order)
  t.deepEqual(inWords(await last(shop)), [
    'INVENTORY OAK -8',
    'WORK_IN_PROGRESS OAK 8',
    'WORK_IN_PROGRESS TABLE 30',
    'PRODUCTION_COSTS_ABSORBED TABLE -30',
  ])
  await shop.materials(order, { items: [itemLine(oak, -1)] })
  t.deepEqual(inWords(await last(shop)), ['INVENTORY OAK 2', 'WORK_IN_PROGRESS OAK -2'])
  const [task] = await shop.tasks(order)
  // The order has 36: 6 of materials and 30 of operations. After the report it has 27, of which half is posted.
  await shop.complete(order, { quantity: 1, tasks: [{ id: task?.id, actual_duration: 0.7 }] })
  t.deepEqual(inWords(await last(shop)), [
    'INVENTORY TABLE 13.5',
    'WORK_IN_PROGRESS TABLE -22.5',
    'PRODUCTION_COSTS_ABSORBED TABLE 9',
  ])
  await shop.adjust([itemLine(table, -1)])
  await shop.complete(order, { quantity: 0, is_final: true })
  const expensed = await last(shop)
  t.deepEqual(inWords(expensed), ['WORK_IN_PROGRESS TABLE -13.5', 'PRODUCTION_EXPENSED TABLE 13.5'])
  t.is(expensed.lines[0].storage_place_id, north)
  t.is((await journal(shop, { source_id: order.id })).length, 4)
  t.is((await journal(shop, { source_type: 'MANUFACTURING_ORDER', day_from: '2026-01-01' })).length, 4)
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('a landed cost raises the stock and expenses the rest; its reversal gives back both', async t => {
  const shop = await trade(bench)
  const north = await shop.place('North')
  const oak = await shop.variant('OAK')
  const receipt = await received(shop, [itemLine(oak, 4, { price: 1 })], {}, { storage_place_id: north })
  await shop.adjust([itemLine(oak, -1)])
  const landed = await shop.tenant.done(createLandedCost, {
    purchase_receipt_id: receipt.id,
    items: [{ title: 'Freight', amount: 8 }],
  })
  t.deepEqual(inWords(await last(shop)), [
    'INVENTORY OAK 6',
    'LANDED_COST_CLEARING OAK -8',
    'LANDED_COST_EXPENSED OAK 2',
  ])
  await shop.adjust([itemLine(oak, -2)])
  await shop.tenant.done(reverseLandedCost, why, { id: landed.id })
  // A third of the goods is left: 2 of the 6 are taken back.
  t.deepEqual(inWords(await last(shop)), [
    'INVENTORY OAK -2',
    'LANDED_COST_CLEARING OAK 8',
    'LANDED_COST_EXPENSED OAK -2',
    'VALUATION_DIFFERENCE - -4',
  ])
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('an adjustment of several lines is one entry, netted; a reversal keeps its reason; nothing of value is no entry', async t => {
  const shop = await trade(bench)
  await shop.place('North')
  const oak = await shop.variant('OAK')
  const made = await shop.adjust([itemLine(oak, 3, { unit_cost: 2 }), itemLine(oak, -1)], {
    reason: 'INITIAL',
    date: '2026-10-05',
  })
  t.deepEqual(inWords(await last(shop)), ['INVENTORY OAK 4', 'STOCK_ADJUSTMENT OAK -4'])
  t.is((await last(shop)).day, '2026-10-05')
  await shop.tenant.done(reverseAdjustment, why, { id: made.id })
  t.like(await last(shop), { reason: 'INITIAL', source_id: made.id })
  const free = await shop.variant('FREE')
  await shop.adjust([itemLine(free, 1, { unit_cost: 0 })])
  t.is((await journal(shop)).length, 2)
  t.is((await journal(shop, { day_to: '2026-10-05' })).length, 1)
  t.is((await journal(shop, { day_to: '2026-10-04' })).length, 0)
})
