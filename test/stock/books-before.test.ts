/** What the release before posted: it is entered into the books, which then tie (sql/000074_books_before.sql). */
import { createLandedCost } from '../../lib/domain/purchasing/landed-costs/commands.ts'
import { createOrder as buy } from '../../lib/domain/purchasing/orders/commands.ts'
import { createReceipt, reverseReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { reverseAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { getAccountBalances } from '../../lib/domain/stock/books/balances.ts'
import { enterBefore } from '../../lib/domain/stock/books/before.ts'
import { noteTurnovers } from '../../lib/domain/stock/books/turnovers.ts'
import { createTransfer, reverseTransfer } from '../../lib/domain/stock/transfers/commands.ts'
import { valuationTotals } from '../../lib/domain/stock/valuation/queries.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { type Trade, trade } from './trade.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const why = { reason: 'booked twice' }

/** Something of each kind, with reversals that leave a difference. */
async function everything(shop: Trade): Promise<void> {
  const { tenant } = shop
  const [north, south] = [await shop.place('North'), await shop.place('South')]
  const [oak, table] = [await shop.variant('OAK', { category: 'Wood' }), await shop.variant('TABLE')]
  const order = await tenant.done(buy, {
    supplier: { title: 'Santos', external_ref: 'santos' },
    items: [{ item_variant_id: oak, quantity: 9, price: 10 }],
  })
  const [line] = order.items
  const receive = (quantity: number) =>
    tenant.done(
      createReceipt,
      { storage_place_id: north, items: [{ purchase_order_item_id: line.id, quantity }] },
      { id: order.id },
    )
  const kept = await receive(4)
  const wrong = await receive(2)
  await shop.adjust([{ item_variant_id: oak, quantity: 2, unit_cost: 1 }], { reason: 'OTHER' })
  await shop.adjust([{ item_variant_id: oak, quantity: -6 }])
  await tenant.done(reverseReceipt, why, { id: wrong.id })
  await tenant.done(createLandedCost, { purchase_receipt_id: kept.id, items: [{ title: 'Freight', amount: 8 }] })
  const up = await shop.adjust([{ item_variant_id: oak, quantity: 20, unit_cost: 3 }])
  const moved = await tenant.done(createTransfer, {
    ...{ from_storage_place_id: north, to_storage_place_id: south },
    items: [{ item_variant_id: oak, quantity: 1 }],
  })
  await tenant.done(reverseTransfer, why, { id: moved.id })
  const saw = await shop.operation('Saw', 30)
  await shop.recipe(table, [[oak, 2]], [[saw, 0.5]])
  const made = await shop.order(table, 2)
  await shop.start(made)
  await shop.complete(made, { quantity: 1 })
  await shop.ship(await shop.sold('Hotel', [{ item_variant_id: table, quantity: 1 }]))
  // Two completions of one order at one time would be one entry.
  tenant.now = new Date(Date.parse(tenant.now) + 1_000).toISOString()
  await shop.complete(made, { quantity: 0, is_final: true })
  await shop.adjust([{ item_variant_id: oak, quantity: 9, unit_cost: 0 }])
  await tenant.run(reverseAdjustment, why, { id: up.id })
}

/** Takes out of the books what the release before does not write. */
const forget = (tenantId: string) =>
  bench.pool.transaction(async connection => {
    await connection.query(statement`set local session_replication_role = replica`)
    await connection.query(statement`
      update stock_movements
      set day = null, sku = null, category = null, entry_id = null, entry_accounts = null, entry_movements = null
      where tenant_id = ${tenantId}::bigint`)
    await connection.query(statement`delete from book_lines where tenant_id = ${tenantId}::bigint`)
  })

const journal = async ({ tenant }: Trade): Promise<Loose[]> =>
  (await tenant.page(endpointOf('listJournalEntries'), { limit: 200 })) as unknown as Loose[]

test('movements of the release before are entered as commands posted them, and the books tie', async t => {
  const shop = await trade(bench)
  const { tenant } = shop
  await everything(shop)
  const day = tenant.now.slice(0, 10)
  const balances = () => tenant.read(getAccountBalances, {}, { through: day })
  const [before, entries] = [await balances(), await journal(shop)]
  t.deepEqual(await bench.faults(tenant.id), [])
  await forget(tenant.id)
  // Nothing is noted before it is entered.
  await noteTurnovers(bench.pool, '0', 1)
  const faults = await bench.faults(tenant.id)
  t.true(faults.length > 0)
  while ((await enterBefore(bench.pool)) > 0);
  t.deepEqual(await bench.faults(tenant.id), [])
  const closings = ({ rows }: Loose) => rows.map((row: Loose) => [row.account, row.closing])
  t.deepEqual(closings(await balances()), closings(before))
  await noteTurnovers(bench.pool, '0', 1)
  t.deepEqual(closings(await balances()), closings(before))
  // Entries of movements alone are the same.
  const others = new Set([
    'PRODUCTION_COSTS_ABSORBED',
    'PRODUCTION_EXPENSED',
    'LANDED_COST_EXPENSED',
    'VALUATION_DIFFERENCE',
  ])
  const alone = (list: Loose[]) => list.filter(({ lines }) => !lines.some((line: Loose) => others.has(line.account)))
  const entered = await journal(shop)
  const ids = new Set(alone(entries).map(({ id }) => id))
  t.true(ids.size >= 8)
  t.deepEqual(
    alone(entered).filter(({ id }) => ids.has(id)),
    alone(entries),
  )
  // What is booked beside movements has one entry of each document.
  t.deepEqual(
    entered
      .filter(({ id }) => BigInt(id) > BigInt(entries.at(-1)?.id))
      .map(({ source_type: type }) => type)
      .sort(),
    ['LANDED_COST', 'MANUFACTURING_ORDER', 'PURCHASE_RECEIPT', 'STOCK_ADJUSTMENT'],
  )
  for (const account of others)
    t.is(entered.filter(({ lines }) => lines.some((line: Loose) => line.account === account)).length > 0, true, account)
})

test('a movement that is not entered yet has its day in the zone of the tenant', async t => {
  const shop = await trade(bench, { timeZone: 'Pacific/Kiritimati' })
  const { tenant } = shop
  tenant.now = '2026-11-21T11:00:00.000Z'
  await shop.adjust([{ item_variant_id: await shop.variant('OAK'), quantity: 2, unit_cost: 3 }])
  const moved = async (through: string) => {
    const { rows } = await tenant.read(getAccountBalances, {}, { through })
    const { stock_value } = JSON.parse(await valuationTotals(bench.pool, { tenantId: tenant.id, filters: { through } }))
    return [rows.map((row: Loose) => [row.account, row.closing]), stock_value]
  }
  const days = async () => [await moved('2026-11-21'), await moved('2026-11-22')]
  const before = await days()
  t.deepEqual(before[0], [[['VALUATION_DIFFERENCE', 0]], 0])
  t.is(before[1]?.[1], 6)
  await forget(tenant.id)
  t.deepEqual(await days(), before)
})
