/** Random sequences of commands: after each, the books agree with the stock and the orders in every digit. */
import fc from 'fast-check'
import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { createLandedCost, reverseLandedCost } from '../../lib/domain/purchasing/landed-costs/commands.ts'
import { createOrder as buy } from '../../lib/domain/purchasing/orders/commands.ts'
import { createReceipt, reverseReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { createShipment } from '../../lib/domain/sales/shipments/commands.ts'
import { reverseShipment } from '../../lib/domain/sales/shipments/reversal.ts'
import { createAdjustment, reverseAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { getAccountBalances } from '../../lib/domain/stock/books/balances.ts'
import { noteTurnovers } from '../../lib/domain/stock/books/turnovers.ts'
import { createTransfer, reverseTransfer } from '../../lib/domain/stock/transfers/commands.ts'
import { valuationTotals } from '../../lib/domain/stock/valuation/queries.ts'
import { formatScaled, parseScaled } from '../../lib/platform/decimal.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Trade, trade } from './trade.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const RUNS = Number(process.env['MODEL_RUNS'] ?? 6)
const why = { reason: 'random' }
/** Accounts that moved in any run. */
const moved = new Set<string>()

const step = fc.record({
  kind: fc.constantFrom(
    ...([
      'in',
      'in',
      'out',
      'revalue',
      'receive',
      'land',
      'ship',
      'move',
      'make',
      'start',
      'complete',
      'finish',
      'category',
    ] as const),
    ...(['reverse', 'reverse', 'reverse', 'note'] as const),
  ),
  quantity: fc.constantFrom(1, 2, 3, 7, 0.333333),
  cost: fc.constantFrom(0, 3.333333, 1.00005, 10, 0.0049),
  /** How many days before today the document is dated. */
  ago: fc.constantFrom(0, 0, 1, 20, 40),
  pick: fc.nat({ max: 100 }),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const days = (now: string, ago: number): string => new Date(Date.parse(now) - ago * 86_400_000).toISOString()
const sumOf = (rows: readonly Loose[], column: string): string =>
  formatScaled(
    rows.reduce((sum, row) => sum + parseScaled(String(row[column]), 4), 0n),
    4,
  )

test('after any command debits equal credits, INVENTORY is the valuation, WORK_IN_PROGRESS the orders', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 22 }), async steps => {
      const shop = await trade(bench)
      const world = await worldOf(shop)
      for (const each of steps) {
        shop.tenant.now = new Date(Date.parse(shop.tenant.now) + 1_000).toISOString()
        await run(world, each)
        await ties(world)
      }
      await rounds(world, steps)
      t.deepEqual(await bench.faults(shop.tenant.id), [])
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  // Some accounts move rarely.
  t.true(moved.size >= 3, [...moved].join())
  t.log([...moved].join())
})

type World = {
  readonly shop: Trade
  readonly places: readonly string[]
  readonly oak: string
  readonly table: string
  readonly product: string
  readonly bought: Loose
  readonly sold: Loose
  readonly receipts: Loose[]
  readonly orders: Loose[]
  /** How to reverse what was made. */
  readonly made: (readonly [endpoint: Parameters<Trade['tenant']['run']>[0], id: string])[]
}

async function worldOf(shop: Trade): Promise<World> {
  const places = [await shop.place('North'), await shop.place('South')]
  const [oak, table] = [await shop.variant('OAK', { category: 'Wood' }), await shop.variant('TABLE')]
  await shop.adjust([itemLine(oak, 5, { unit_cost: 1.3333 })])
  const saw = await shop.operation('Saw', 31.7)
  await shop.recipe(table, [[oak, 1.3]], [[saw, 0.37]])
  const bought = await shop.tenant.done(buy, {
    ...{ supplier: { title: 'Santos', external_ref: 'santos' }, currency: 'USD', exchange_rate: 0.9123456 },
    items: [itemLine(oak, 500, { price: 1.7 })],
  })
  const sold = await shop.sold('Hotel', [itemLine(oak, 100), itemLine(table, 100)])
  const [{ item_id: product }] = (await shop.stock({ item_variant_id: oak })) as [{ item_id: string }]
  return { shop, places, oak, table, product, bought, sold, receipts: [], orders: [], made: [] }
}

/** Runs a step. A refused step changes nothing. */
async function run(world: World, { kind, quantity, cost, ago, pick }: Step): Promise<void> {
  const { shop, places, oak, table, bought, sold, receipts, orders, made } = world
  const { tenant } = shop
  const date = days(tenant.now, ago)
  const variant = pick % 3 === 0 ? table : oak
  const place = places[pick % 2] as string
  const order = orders[pick % Math.max(1, orders.length)]
  const tried = async (...asked: Parameters<typeof tenant.run>): Promise<Loose | null> => {
    const outcome = (await tenant.run(...asked)) as Loose
    return outcome['refusal'] === undefined ? (outcome['body'] as Loose | null) : null
  }
  const adjust = (line: Loose, extra: Loose = {}) =>
    tried(createAdjustment, { date, storage_place_id: place, items: [{ item_variant_id: variant, ...line }], ...extra })
  const keep = (endpoint: Parameters<typeof tenant.run>[0], document: Loose | null) => {
    if (document) made.push([endpoint, String(document['id'])])
  }
  if (kind === 'in') keep(reverseAdjustment, await adjust({ quantity, unit_cost: cost }))
  if (kind === 'out') keep(reverseAdjustment, await adjust({ quantity: -quantity }, { reason: 'DAMAGE' }))
  if (kind === 'revalue')
    keep(
      reverseAdjustment,
      await adjust({ value_change: cost === 0 ? 1 : -cost.toFixed(4) }, { reason: 'REVALUATION' }),
    )
  if (kind === 'receive') {
    const items = [{ purchase_order_item_id: bought['items'][0].id, quantity }]
    const body = { storage_place_id: place, received_date: date, items }
    const receipt = await tried(createReceipt, body, { id: bought['id'] })
    if (receipt) receipts.push(receipt)
    keep(reverseReceipt, receipt)
  }
  const receipt = receipts[pick % Math.max(1, receipts.length)]
  if (kind === 'land' && receipt) {
    const body = { purchase_receipt_id: receipt['id'], items: [{ title: 'Freight', amount: cost + 1 }] }
    keep(reverseLandedCost, await tried(createLandedCost, body))
  }
  if (kind === 'ship') {
    const line = sold['items'][variant === oak ? 0 : 1]
    const body = { items: [{ sales_order_item_id: line.id, quantity }] }
    keep(reverseShipment, await tried(createShipment, body, { id: sold['id'] }))
  }
  if (kind === 'move') {
    const [from, to] = pick % 2 === 0 ? places : places.toReversed()
    const body = { from_storage_place_id: from, to_storage_place_id: to, items: [itemLine(variant, quantity)] }
    keep(reverseTransfer, await tried(createTransfer, body))
  }
  if (kind === 'make') orders.push(await shop.order(table, Math.ceil(quantity)))
  if (kind === 'start' && order) await shop.start.run(order)
  if (kind === 'complete' && order) await shop.complete.run(order, { quantity: 1 })
  if (kind === 'finish' && order) {
    const [task] = (await shop.tasks(order)).filter(each => each['manufacturing_order_id'] === order['id'])
    const tasks = task ? [{ id: task['id'], actual_duration: cost }] : []
    await shop.complete.run(order, { quantity: pick % 2, is_final: true, tasks })
  }
  if (kind === 'category')
    await tenant.run(changeProduct, { category: ['Wood', 'Boards', null][pick % 3] }, { id: world.product })
  if (kind === 'reverse' && made.length > 0) {
    const [endpoint, id] = made[pick % made.length] as World['made'][number]
    await tenant.run(endpoint, why, { id })
  }
  if (kind === 'note') await noteTurnovers(bench.pool, '0', 1)
}

async function ties({ shop, orders }: World): Promise<void> {
  const { tenant } = shop
  const posted = await tenant.read(getAccountBalances, {}, { posted_through: tenant.now })
  for (const { account, debit, credit } of posted.rows as readonly Loose[])
    if (debit || credit) moved.add(String(account))
  const closing = (account: string) => posted.rows.find((row: Loose) => row['account'] === account)?.closing ?? 0
  const valued = JSON.parse(await valuationTotals(bench.pool, { tenantId: tenant.id, filters: { as_of: tenant.now } }))
  const found = await Promise.all(orders.map(order => shop.read(order)))
  const wip = sumOf(
    found.map(each => each['actual_cost']),
    'wip_cost',
  )
  const [last] = (await tenant.page(endpointOf('listJournalEntries'), {
    limit: 1,
    order: 'desc',
  })) as unknown as Loose[]
  const sides = ['debit', 'credit'].map(side => sumOf(last?.['lines'] ?? [], side))
  const seen = [closing('INVENTORY'), Number(closing('WORK_IN_PROGRESS')), posted.totals.closing, sides[0]]
  const wanted = [valued.stock_value, Number(wip), 0, sides[1]]
  if (JSON.stringify(seen) !== JSON.stringify(wanted))
    throw new Error(`${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`)
}

/** For any division of the days into periods: each rounded column adds up to 0, and the periods add up to the last balance. */
async function rounds({ shop: { tenant } }: World, steps: readonly Step[]): Promise<void> {
  const cuts = [...new Set([60, ...steps.map(({ pick }) => pick % 45), 0])].sort((a, b) => b - a)
  for (const by of ['account', 'category', 'place', 'reason']) {
    const booked = new Map<string, bigint>()
    const keyOf = (row: Loose) => [row['account'], row['category'], row['storage_place_id'], row['reason']].join()
    let last: readonly Loose[] = []
    for (const [at, ago] of cuts.entries()) {
      const before = cuts[at - 1]
      const from = before === undefined ? {} : { from: days(tenant.now, before - 1).slice(0, 10) }
      const through = days(tenant.now, ago).slice(0, 10)
      const { rows, totals } = await tenant.read(getAccountBalances, {}, { by, through, ...from })
      const sums = [totals.opening_rounded, totals.net_rounded, totals.closing_rounded, totals.opening, totals.closing]
      if (sums.some(sum => Number(sum) !== 0)) throw new Error(`${by} through ${through}: ${JSON.stringify(totals)}`)
      for (const row of rows)
        booked.set(keyOf(row), (booked.get(keyOf(row)) ?? 0n) + parseScaled(String(row.net_rounded), 4))
      last = rows
    }
    for (const row of last)
      if (booked.get(keyOf(row)) !== parseScaled(String(row['closing_rounded']), 4))
        throw new Error(`${by}: ${keyOf(row)}`)
  }
}
