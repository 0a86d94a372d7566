/** What reconciling finds of the books: each way in which somebody may change a row by hand. */

import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { createOrder as buy } from '../../lib/domain/purchasing/orders/commands.ts'
import { createReceipt, reverseReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { noteTurnovers } from '../../lib/domain/stock/books/turnovers.ts'
import { type Fragment, sql } from '../../lib/platform/postgres/postgres.ts'
import { checksOf, faultsAfter } from '../support/corrupted.ts'
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

const line = (account: string, change: Fragment) => (id: string) =>
  sql.fragment`update book_lines set ${change} where tenant_id = ${id}::bigint and account = ${account}`
const added = sql.fragment`amount = amount + 0.0001`

const corruptions: readonly { what: string; how: (tenantId: string) => Fragment; checks: string[] }[] = [
  { what: 'a difference', how: line('VALUATION_DIFFERENCE', added), checks: [BALANCE, NOTES] },
  {
    what: 'operations',
    how: id =>
      sql.fragment`update book_lines set amount = amount * 2 where tenant_id = ${id}::bigint and source_type = 'MANUFACTURING_ORDER'`,
    checks: [DOCUMENTS, NOTES],
  },
  {
    what: 'lines that are gone',
    how: id =>
      sql.fragment`delete from book_lines where tenant_id = ${id}::bigint and source_type = 'MANUFACTURING_ORDER'`,
    checks: [DOCUMENTS, FIRST, NOTES],
  },
  { what: 'the day of a line', how: line('VALUATION_DIFFERENCE', sql.fragment`day = day - 1`), checks: [ROWS, NOTES] },
  {
    what: 'the account of a line',
    how: line('VALUATION_DIFFERENCE', sql.fragment`account = 'PRODUCTION_EXPENSED'`),
    checks: [DOCUMENTS, FIRST, NOTES],
  },
  {
    what: 'the place of a line',
    how: line('PRODUCTION_COSTS_ABSORBED', sql.fragment`storage_place_id = null`),
    checks: [WHERE],
  },
  {
    what: 'the category of a line',
    how: id =>
      sql.fragment`update book_lines set category = 'Nails' where tenant_id = ${id}::bigint and source_type = 'PRODUCT' and amount > 0`,
    checks: [CATEGORIES],
  },
  {
    what: 'the product of a line',
    how: id =>
      sql.fragment`update book_lines set item_variant_id = 1 where tenant_id = ${id}::bigint and source_type = 'PRODUCT' and amount > 0`,
    checks: [INVENTORY, 'what records refer to is there'],
  },
  {
    what: 'the accounts of an entry',
    how: id =>
      sql.fragment`update stock_movements set entry_accounts = 3 where tenant_id = ${id}::bigint and entry_accounts & 32 <> 0`,
    checks: [FIRST],
  },
  {
    what: 'how many movements an entry has',
    how: id =>
      sql.fragment`update stock_movements set entry_movements = 2 where tenant_id = ${id}::bigint and entry_movements = 1`,
    checks: [FIRST],
  },
  {
    what: 'a note',
    how: id =>
      sql.fragment`update book_turnovers set debit = debit + 1 where tenant_id = ${id}::bigint and split = 'place' and is_month`,
    checks: [NOTES],
  },
]

for (const { what, how, checks } of corruptions)
  test(`reconciling finds ${what} of the books that was changed by hand`, async t => {
    const { tenant } = shop
    t.deepEqual(await bench.faults(tenant.id), [])
    t.deepEqual(checksOf(await faultsAfter(bench.pool, tenant.id, how(tenant.id))), [...checks].sort())
  })
