/** An accountant's own codes beside the accounts of the books. */
import { changeAccounting } from '../../lib/domain/accounting/codes/endpoints.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test('codes are shown beside accounts, that of a category before that of the account', async t => {
  const room = await stockroom(bench)
  const { tenant } = room
  const read = (): Promise<Loose> => tenant.read(endpointOf('getAccounting'))
  t.like((await read()).accounts, { INVENTORY: { code: null, name: null } })
  const changed = await tenant.run(changeAccounting, {
    accounts: { INVENTORY: { code: '1140', name: 'Goods' }, STOCK_ADJUSTMENT: { code: '5900' } },
    categories: [{ category: 'Wood', account: 'INVENTORY', code: '1141' }],
  })
  t.deepEqual(changed.events, [])
  t.deepEqual(await read(), changed.body)
  await tenant.done(changeAccounting, { accounts: { INVENTORY: { name: null } } })
  t.deepEqual((await read()).accounts.INVENTORY, { code: '1140', name: null })
  t.is((await read()).categories.length, 1)
  await room.place('North')
  const [oak, nail] = [await room.variant('OAK', { category: 'Wood' }), await room.variant('NAIL')]
  await room.adjust([itemLine(oak, 1, { unit_cost: 3 }), itemLine(nail, 1, { unit_cost: 2 })])
  const [entry] = (await tenant.page(endpointOf('listJournalEntries'))) as unknown as Loose[]
  const codes = (rows: Loose[]) => rows.map(row => `${row.account} ${row.category ?? '-'} ${row.account_code}`)
  t.deepEqual(codes(entry?.lines), [
    'INVENTORY Wood 1141',
    'INVENTORY - 1140',
    'STOCK_ADJUSTMENT Wood 5900',
    'STOCK_ADJUSTMENT - 5900',
  ])
  const through = tenant.now.slice(0, 10)
  const balances = (by: string): Promise<Loose> => tenant.read(endpointOf('getAccountBalances'), {}, { through, by })
  t.deepEqual(codes((await balances('category')).rows), [
    'INVENTORY - 1140',
    'INVENTORY Wood 1141',
    'STOCK_ADJUSTMENT - 5900',
    'STOCK_ADJUSTMENT Wood 5900',
    'VALUATION_DIFFERENCE - null',
  ])
  t.deepEqual(codes((await balances('account')).rows)[0], 'INVENTORY - 1140')
})

test('a category that names an account twice, and an account that is none, are refused', async t => {
  const { tenant } = await stockroom(bench)
  const wood = { category: 'Wood', account: 'INVENTORY', code: '1141' }
  t.regex(
    await tenant.refusal(changeAccounting, { categories: [wood, wood] }),
    /^validation_failed categories\[1\]\.category: /,
  )
  t.regex(await tenant.refusal(changeAccounting, { accounts: { CASH: { code: '1' } } }), /^validation_failed accounts/)
})
