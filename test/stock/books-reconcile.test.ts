/** What reconciling finds in the books: each row that can be changed by hand. */

import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { createOrder as buy } from '../../lib/domain/purchasing/orders/commands.ts'
import { createReceipt, reverseReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { noteTurnovers } from '../../lib/domain/stock/books/turnovers.ts'
import { sql } from '../../lib/platform/postgres/postgres.ts'
import { type Corruption, checksOf, faultsAfter, rowsOf } from '../support/corrupted.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { type Trade, trade } from './trade.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

let shop: Trade
test.before(async () => {
  shop = await trade(bench)
  const { tenant } = shop
  const north = await shop.place('North')
  const [oak, table] = [await shop.variant('OAK', { category: 'Wood' }), await shop.variant('TABLE')]
  const order = await tenant.done(buy, {
    supplier: { title: 'Santos', external_ref: 'santos' },
    items: [{ item_variant_id: oak, quantity: 2, price: 10 }],
  })
  const receipt = await tenant.done(createReceipt, { storage_place_id: north }, { id: order.id })
  await shop.adjust([{ item_variant_id: oak, quantity: 8, unit_cost: 1 }])
  await shop.adjust([{ item_variant_id: oak, quantity: -7 }])
  await tenant.done(reverseReceipt, { reason: 'wrong' }, { id: receipt.id })
  const saw = await shop.operation('Saw', 30)
  await shop.recipe(table, [[oak, 1]], [[saw, 0.5]])
  const made = await shop.order(table, 1)
  await shop.start(made)
  await shop.adjust([{ item_variant_id: oak, quantity: 4, unit_cost: 1 }])
  const [{ item_id: item }] = (await shop.stock({ item_variant_id: oak })) as [{ item_id: string }]
  await noteTurnovers(bench.pool, '0', 1)
  await tenant.done(changeProduct, { category: 'Boards' }, { id: item })
})

const BALANCE = 'debits equal credits in each entry of the books'
const DOCUMENTS = 'accounts of orders, receipts and landed costs = their documents; those of reversed documents are 0'
const ROWS = 'the rows of an entry of the books have one source, one day and one time'
const INVENTORY = 'INVENTORY of a variant at a place = its stock value'
const CATEGORIES = 'INVENTORY of a category = the stock value of its products'
const FIRST = 'the first row of an entry of the books says which accounts it has, and how many movements'
const NOTES = 'notes of what accounts moved = the lines that they note'
const WHERE = 'operations and expensed cost are booked for the product of their order, at its place'

const line = (account: string, set: string) => rowsOf('book_lines', set, `account = '${account}'`)
const added = 'amount = amount + 0.0001'

const corruptions: readonly Corruption[] = [
  { what: 'a difference', how: line('VALUATION_DIFFERENCE', added), checks: [BALANCE, NOTES] },
  {
    what: 'operations',
    how: rowsOf('book_lines', 'amount = amount * 2', "source_type = 'MANUFACTURING_ORDER'"),
    checks: [DOCUMENTS, NOTES],
  },
  {
    what: 'lines that are gone',
    how: id =>
      sql.fragment`delete from book_lines where tenant_id = ${id}::bigint and source_type = 'MANUFACTURING_ORDER'`,
    checks: [DOCUMENTS, FIRST, NOTES],
  },
  { what: 'the day of a line', how: line('VALUATION_DIFFERENCE', 'day = day - 1'), checks: [ROWS, NOTES] },
  {
    what: 'the account of a line',
    how: line('VALUATION_DIFFERENCE', "account = 'PRODUCTION_EXPENSED'"),
    checks: [DOCUMENTS, FIRST, NOTES],
  },
  { what: 'the place of a line', how: line('PRODUCTION_COSTS_ABSORBED', 'storage_place_id = null'), checks: [WHERE] },
  {
    what: 'the category of a line',
    how: rowsOf('book_lines', "category = 'Nails'", "source_type = 'PRODUCT' and amount > 0"),
    checks: [CATEGORIES],
  },
  {
    what: 'the product of a line',
    how: rowsOf('book_lines', 'item_variant_id = 1', "source_type = 'PRODUCT' and amount > 0"),
    checks: [INVENTORY, 'what records refer to is there'],
  },
  {
    what: 'the accounts of an entry',
    how: rowsOf('stock_movements', 'entry_accounts = 3', 'entry_accounts & 32 <> 0'),
    checks: [FIRST],
  },
  {
    what: 'how many movements an entry has',
    how: rowsOf('stock_movements', 'entry_movements = 2', 'entry_movements = 1'),
    checks: [FIRST],
  },
  {
    what: 'a note',
    how: rowsOf('book_turnovers', 'debit = debit + 1', "split = 'place' and is_month"),
    checks: [NOTES],
  },
]

for (const { what, how, checks } of corruptions)
  test(`reconciling finds ${what} of the books that was changed by hand`, async t => {
    const { tenant } = shop
    t.deepEqual(await bench.faults(tenant.id), [])
    t.deepEqual(checksOf(await faultsAfter(bench.pool, tenant.id, how(tenant.id))), [...checks].sort())
  })
