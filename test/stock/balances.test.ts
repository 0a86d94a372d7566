/** Balances of accounts: computed by hand, and compared with the journal, the valuation and the orders, with notes and without. */

import { reverseAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { type Balance, balancesOf, type Moved } from '../../lib/domain/stock/books/balance-rules.ts'
import { getAccountBalances } from '../../lib/domain/stock/books/balances.ts'
import { noteTurnovers } from '../../lib/domain/stock/books/turnovers.ts'
import { listValuationEndpoint } from '../../lib/domain/stock/valuation/endpoints.ts'
import { valuationTotals } from '../../lib/domain/stock/valuation/queries.ts'
import { formatScaled, parseCost, parseScaled } from '../../lib/platform/decimal.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Trade, trade } from './trade.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const balances = ({ tenant }: Trade, query: Record<string, string>): Promise<Loose> =>
  tenant.read(getAccountBalances, {}, query)

/** `INVENTORY 12.5` with the named columns. */
const inWords = ({ rows }: Loose, ...columns: string[]): string[] =>
  rows.map((row: Loose) =>
    [row.account, row.category ?? row.reason ?? row.storage_place_id, ...columns.map(column => row[column])]
      .filter(part => part !== null)
      .join(' '),
  )

const sum = (rows: Loose[], column: string): string =>
  formatScaled(
    rows.reduce((total, row) => total + parseScaled(String(row[column]), 4), 0n),
    4,
  )

async function totalsOf({ tenant }: Trade, filters: Record<string, string>): Promise<Loose> {
  return JSON.parse(await valuationTotals(bench.pool, { tenantId: tenant.id, filters }))
}

test('balances of a period open with those of the day before, and round by themselves', async t => {
  const shop = await trade(bench)
  await shop.place('North')
  const oak = await shop.variant('OAK', { category: 'Wood' })
  const nail = await shop.variant('NAIL')
  await shop.adjust([itemLine(oak, 1, { unit_cost: 1.004 })], { date: '2026-10-31', reason: 'INITIAL' })
  await shop.adjust([itemLine(nail, 1, { unit_cost: 0.005 })], { date: '2026-11-01' })
  await shop.adjust([itemLine(oak, -1)], { date: '2026-11-02', reason: 'DAMAGE' })
  const november = await balances(shop, { from: '2026-11-01', through: '2026-11-30' })
  t.like(november, { currency: 'EUR', from: '2026-11-01', through: '2026-11-30', posted_through: null })
  t.deepEqual(
    inWords(november, 'opening', 'debit', 'credit', 'closing', 'opening_rounded', 'net_rounded', 'closing_rounded'),
    [
      'INVENTORY 1.004 0.005 1.004 0.005 1 -0.99 0.01',
      'STOCK_ADJUSTMENT -1.004 1.004 0.005 -0.005 -1 0.99 -0.01',
      'VALUATION_DIFFERENCE 0 0 0 0 0 0 0',
    ],
  )
  t.deepEqual(november.totals, {
    ...{ opening: 0, debit: 1.009, credit: 1.009, closing: 0 },
    ...{ opening_rounded: 0, net_rounded: 0, closing_rounded: 0 },
  })
  t.deepEqual(inWords(await balances(shop, { through: '2026-10-31', by: 'category' }), 'closing'), [
    'INVENTORY Wood 1.004',
    'STOCK_ADJUSTMENT Wood -1.004',
    'VALUATION_DIFFERENCE 0',
  ])
  t.deepEqual(inWords(await balances(shop, { through: '2026-11-30', by: 'reason' }), 'closing', 'closing_rounded'), [
    'INVENTORY 0.005 0.01',
    'STOCK_ADJUSTMENT CORRECTION -0.005 -0.01',
    'STOCK_ADJUSTMENT DAMAGE 1.004 1',
    'STOCK_ADJUSTMENT INITIAL -1.004 -1',
    'VALUATION_DIFFERENCE 0 0',
  ])
})

test('a question that names no end, two, or a period that runs backwards is refused', async t => {
  const shop = await trade(bench)
  const refused = async (query: Record<string, string>) => (await balances(shop, query)).message
  t.regex(await refused({}), /^through: /)
  t.regex(await refused({ through: '2026-11-01', posted_through: '2026-11-01T00:00:00Z' }), /^through: /)
  t.regex(await refused({ through: '2026-11-01', from: '2026-11-02' }), /^from: /)
  t.regex(await refused({ posted_through: '2026-11-01T00:00:00Z', from: '2026-11-02' }), /^from: /)
  t.regex(await refused({ posted_through: '2999-11-01T00:00:00Z' }), /^posted_through: /)
})

test('whatever happens, inventory is the valuation and work in progress the orders, with notes as without', async t => {
  const shop = await trade(bench)
  const { tenant } = shop
  const [north, south] = [await shop.place('North'), await shop.place('South')]
  const [oak, table] = [await shop.variant('OAK', { category: 'Wood' }), await shop.variant('TABLE')]
  const saw = await shop.operation('Saw', 31.7)
  await shop.recipe(table, [[oak, 1.3]], [[saw, 0.37]])
  const times: string[] = []
  const orders: Loose[] = []
  let day = 1
  const step = async (run: () => Promise<unknown>) => {
    day += 1
    tenant.now = `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`
    await run()
    times.push(tenant.now)
    await proveNow()
  }
  const proveNow = async () => {
    const rows = await tenant.page(listValuationEndpoint, { filters: { as_of: tenant.now }, limit: 200 })
    t.like(await totalsOf(shop, { as_of: tenant.now }), {
      rows: rows.length,
      stock_value: Number(sum(rows as unknown as Loose[], 'stock_value')),
    })
    const posted = await balances(shop, { posted_through: tenant.now })
    const closing = (account: string) => String(posted.rows.find((row: Loose) => row.account === account)?.closing ?? 0)
    t.is(closing('INVENTORY'), sum(rows as unknown as Loose[], 'stock_value'))
    const found = await Promise.all(orders.map(order => shop.read(order)))
    t.is(
      closing('WORK_IN_PROGRESS'),
      sum(
        found.map(({ actual_cost }) => actual_cost),
        'wip_cost',
      ),
    )
    t.is(posted.totals.closing, 0)
  }
  let first: Loose = {}
  await step(async () => {
    first = await shop.adjust([itemLine(oak, 7, { unit_cost: 1.23456 })], { date: '2026-10-03' })
  })
  await step(() => shop.bought(oak, '', north, [3, 2]).catch(() => shop.adjust([itemLine(oak, 2)])))
  await step(async () => orders.push(await shop.order(table, 3)))
  await step(() => shop.start(orders[0] as Loose))
  await step(() => shop.complete(orders[0] as Loose, { quantity: 1 }))
  await step(() =>
    shop.transfer({ from_storage_place_id: north, to_storage_place_id: south, items: [itemLine(oak, 0.7)] }),
  )
  await step(() => shop.complete(orders[0] as Loose, { quantity: 1, is_final: true }))
  await step(async () => shop.ship(await shop.sold('Hotel', [itemLine(table, 1)])))
  await step(() => shop.adjust([itemLine(oak, 4, { unit_cost: 0.1 })], { reason: 'OTHER' }))
  await step(() => tenant.run(reverseAdjustment, { reason: 'wrong' }, { id: first.id }))
  // Balances by the dates of documents: INVENTORY up to a day is the valuation at its end.
  for (const through of ['2026-10-02', '2026-10-03', '2026-11-05', '2026-11-08', '2026-11-30']) {
    const valued = (await tenant.page(listValuationEndpoint, {
      filters: { through },
      limit: 200,
    })) as unknown as Loose[]
    const { rows: found } = await balances(shop, { through })
    const inventory = found.find((row: Loose) => row.account === 'INVENTORY')?.closing ?? 0
    t.is(String(inventory), sum(valued, 'stock_value'), through)
    t.deepEqual(await totalsOf(shop, { through }), {
      ...{ as_of: null, through, rows: valued.length, stock_value: Number(inventory) },
    })
    for (const row of valued) t.like(row, { as_of: null, through, category: row.sku === 'OAK' ? 'Wood' : null })
  }
  const questions: Record<string, string>[] = ['account', 'category', 'place', 'reason'].flatMap(by => [
    { by, through: '2026-11-30' },
    { by, through: '2026-11-06', from: '2026-11-04' },
    // Days in the first month of the period, a whole month, and days in its last month.
    { by, through: '2026-11-06', from: '2026-10-02' },
    { by, through: '2026-12-06', from: '2026-10-02' },
    ...times.map(posted_through => ({ by, posted_through })),
  ])
  const all = () => Promise.all(questions.map(query => balances(shop, query)))
  const before = await all()
  for (const { totals } of before)
    t.like(totals, { opening: 0, closing: 0, opening_rounded: 0, net_rounded: 0, closing_rounded: 0 })
  // All turnovers are noted, in batches of one unit of work or more. Then something more is posted.
  await noteTurnovers(bench.pool, '0', 1)
  await noteTurnovers(bench.pool, '0', 1)
  t.deepEqual(await all(), before)
  await step(() => shop.adjust([itemLine(oak, 1, { unit_cost: 5 })]))
  // What the journal's lines add up to is what balances say.
  const entries = (await tenant.page(endpointOf('listJournalEntries'), { limit: 200 })) as unknown as Loose[]
  const lines = entries.flatMap(entry => entry.lines as Loose[])
  const { rows } = await balances(shop, { through: '2026-11-30' })
  for (const row of rows) {
    const own = lines.filter(({ account }) => account === row.account)
    t.is(String(row.debit), sum(own, 'debit'), row.account)
    t.is(String(row.credit), sum(own, 'credit'), row.account)
  }
  t.deepEqual(await bench.faults(tenant.id), [])
})

test('parts of an account go by their text, places by their ids, and none is first', t => {
  const moved = (part: string, isPlace: boolean): Moved => ({
    ...{ account: 'INVENTORY', part, isPlace, opening: 0n, debit: 1n, credit: 0n },
  })
  const orderOf = (isPlace: boolean) =>
    balancesOf(
      ['9', '', '10'].map(part => moved(part, isPlace)),
      2,
    ).rows.map(({ part }) => part)
  t.deepEqual(orderOf(false), ['', '10', '9', ''])
  t.deepEqual(orderOf(true), ['', '9', '10', ''])
})

test('rounded columns add up to 0 over any partition of the days, and are at most half a unit off', t => {
  const accounts = ['INVENTORY', 'COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENT', 'WORK_IN_PROGRESS'] as const
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 200; round += 1) {
    const digits = [0, 2, 3][random(3)] ?? 2
    const unit = 10n ** BigInt(4 - digits)
    const openings = new Map<string, bigint>()
    const booked = new Map<string, bigint>()
    for (let period = 0; period < 5; period += 1) {
      const moved: Moved[] = accounts.map(account => ({
        ...{ account, part: '', opening: openings.get(account) ?? 0n },
        ...{ debit: BigInt(random(30_000)), credit: BigInt(random(30_000)) },
      }))
      const left = moved.reduce((total, { debit, credit }) => total + debit - credit, 0n)
      moved.push({
        ...{ account: 'VALUATION_DIFFERENCE', part: '', opening: openings.get('VALUATION_DIFFERENCE') ?? 0n },
        ...{ debit: left < 0n ? -left : 0n, credit: left > 0n ? left : 0n },
      })
      const { rows, totals } = balancesOf(moved, digits)
      t.deepEqual(
        [totals.opening_rounded, totals.net_rounded, totals.closing_rounded, totals.closing],
        [0n, 0n, 0n, 0n],
      )
      for (const row of rows) {
        openings.set(row.account, row.closing)
        const sumOfNets = (booked.get(row.account) ?? 0n) + row.net_rounded
        booked.set(row.account, sumOfNets)
        t.is(sumOfNets, row.closing_rounded)
        if (row.account !== 'VALUATION_DIFFERENCE') t.true(off(row) * 2n <= unit)
      }
    }
  }
  t.is(parseCost('0.0001'), 1n)
})

const off = ({ closing, closing_rounded: rounded }: Balance): bigint =>
  closing > rounded ? closing - rounded : rounded - closing
