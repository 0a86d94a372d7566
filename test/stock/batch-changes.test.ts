/** The guarantees of changing a batch: what shows the change, what keeps the old values, and what is refused. */
import { listAdjustments } from '../../lib/domain/stock/adjustments/endpoints.ts'
import { changeBatch } from '../../lib/domain/stock/batches/commands.ts'
import { getBatch, listBatches } from '../../lib/domain/stock/batches/endpoints.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { columns } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf } from '../support/units.ts'
import { type Trade, trade } from './trade.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()

type Dairy = Trade & { milk: string; amend: (number: string, body: object) => Promise<Loose> }

/** Milk in three batches of 5 that expire one after another. */
async function dairy(): Promise<Dairy> {
  const shop = await trade(bench)
  await shop.place('Home')
  const milk = await shop.variant('MILK', { batch_tracked: true })
  await shop.adjust(
    ['M-1', 'M-2', 'M-3'].map((batch, n) => ({
      item_variant_id: milk,
      quantity: 5,
      unit_cost: 1,
      batch_number: batch,
      manufacture_date: '2026-11-01',
      expiry_date: `2027-0${n + 1}-28`,
    })),
  )
  const of = async (number: string) => ({ id: (await shop.batch(number)).id })
  return { ...shop, milk, amend: async (number, body) => shop.tenant.done(changeBatch, body, await of(number)) }
}

const refusal = async (shop: Dairy, number: string, body: object) =>
  shop.tenant.refusal(changeBatch, body, { id: (await shop.batch(number)).id })
const batches = async (shop: Dairy) =>
  columns(await shop.tenant.page(listBatches), 'number', 'manufacture_date', 'expiry_date', 'quantity')

test('a batch gets another number and other dates, and tells of it', async t => {
  const shop = await dairy()
  const before = await shop.batch('M-2')
  t.is(before.updated_at, before.created_at)
  const { id } = before
  shop.tenant.now = '2026-11-22T05:00:00.000Z'
  const body = { number: ' L-2 ', manufacture_date: '2026-10-31', expiry_date: '2026-11-20' }
  const changed = await shop.tenant.run(changeBatch, body, { id })
  const after = { number: 'L-2', manufacture_date: '2026-10-31', expiry_date: '2026-11-20', is_expired: true }
  t.deepEqual(changed.body, { ...before, ...after, updated_at: shop.tenant.now })
  const { number, manufacture_date, expiry_date, is_expired, updated_at } = before
  t.deepEqual(changed.events, [
    {
      type: 'stock.changed',
      data: { ...changed.events[0]?.data, quantity: 15, expired_quantity: 5, available_quantity: 10 },
      previous: { expired_quantity: 0, available_quantity: 15 },
    },
    {
      type: 'batch.updated',
      data: changed.body,
      previous: { number, manufacture_date, expiry_date, is_expired, updated_at },
    },
  ])
  t.deepEqual(await shop.tenant.read(getBatch, { id }), changed.body)
  // Null clears a date. A value that is the same changes nothing.
  t.like(await shop.tenant.done(changeBatch, { expiry_date: null }, { id }), { expiry_date: null, is_expired: false })
  const again = await shop.tenant.run(changeBatch, { number: 'L-2', expiry_date: null }, { id })
  t.deepEqual(again.events, [])
  t.deepEqual(again.body, await shop.tenant.read(getBatch, { id }))
  t.deepEqual(await batches(shop), [
    ['M-1', '2026-11-01', '2027-01-28', 5],
    ['L-2', '2026-10-31', null, 5],
    ['M-3', '2026-11-01', '2027-03-28', 5],
  ])
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('a number of another batch of the variant is refused; of another variant it is free', async t => {
  const shop = await dairy()
  const cream = await shop.variant('CREAM', { batch_tracked: true })
  await shop.adjust([{ item_variant_id: cream, quantity: 1, batch_number: 'C-1' }])
  const { id } = await shop.batch('M-1')
  t.is(await refusal(shop, 'M-2', { number: 'M-1' }), `validation_failed number: is taken by ${id}`)
  t.is((await shop.amend('C-1', { number: 'M-1' })).number, 'M-1')
  for (const [body, words] of [
    [{ number: null }, 'number: must not be null'],
    [{ number: '' }, 'number: must not be empty'],
    [{ number: 'x'.repeat(65) }, 'number: must have at most 64 characters'],
    [{ expiry_date: '2027-02-30' }, 'expiry_date: must be an ISO-8601 date'],
    [{ quantity: 1 }, 'quantity: is not a known field'],
  ] as const)
    t.true(
      (await refusal(shop, 'M-2', body)).startsWith(`validation_failed ${words}`),
      await refusal(shop, 'M-2', body),
    )
  t.is(await shop.tenant.refusal(changeBatch, { number: 'x' }, { id: '1' }), 'not_found no such batch')
  const other = await dairy()
  t.is(await other.tenant.refusal(changeBatch, { number: 'x' }, { id }), 'not_found no such batch')
})

test('picking, stock and traces follow a change at once; documents keep what they showed', async t => {
  const shop = await dairy()
  const [movement] = await shop.movements()
  const order = await shop.sold('Cafe', [{ item_variant_id: shop.milk, quantity: 9 }])
  const line = order.items[0].id
  const first = await shop.ship(order, [{ sales_order_item_id: line, quantity: 1 }])
  const taken = async () =>
    columns(await shop.stock(), 'batch_number', 'quantity', 'expiry_date', 'is_expired').slice(0, 3)
  t.deepEqual(await taken(), [
    ['M-1', 4, '2027-01-28', false],
    ['M-2', 5, '2027-02-28', false],
    ['M-3', 5, '2027-03-28', false],
  ])
  // The last batch becomes the first, and the first has expired.
  await shop.amend('M-3', { number: 'NEXT', expiry_date: '2027-01-01' })
  await shop.amend('M-1', { expiry_date: '2026-11-20' })
  await shop.ship(order, [{ sales_order_item_id: line, quantity: 6 }])
  t.deepEqual(await taken(), [
    ['M-1', 4, '2026-11-20', true],
    ['M-2', 4, '2027-02-28', false],
    ['NEXT', 0, '2027-01-01', false],
  ])
  t.deepEqual((await shop.stock({ batch_number: 'NEXT' })).length, 1)
  const { batch, rows } = await shop.trace((await shop.batch('NEXT')).id, 'forward')
  t.deepEqual([batch.number, columns(rows, 'kind', 'batch_number', 'quantity')], ['NEXT', [['SHIPPED', 'NEXT', 5]]])
  t.is(first.items[0].quantity, 1)
  const [adjustment] = await shop.tenant.page(listAdjustments)
  t.deepEqual(columns(adjustment.items, 'batch_number'), [['M-1'], ['M-2'], ['M-3']])
  t.deepEqual((await shop.movements())[0], movement)
  // The old number is free again, and names another batch.
  await shop.adjust([{ item_variant_id: shop.milk, quantity: 2, batch_number: 'M-3', expiry_date: '2029-01-01' }])
  t.deepEqual((await batches(shop)).at(-1), ['M-3', null, '2029-01-01', 2])
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test("a completion that names no batch goes on into the order's last output batch, whatever its number and dates are now", async t => {
  const shop = await dairy()
  const cheese = await shop.variant('CHEESE', { batch_tracked: true, shelf_life_days: 10 })
  await shop.recipe(cheese, [[shop.milk, 1]])
  const order = await shop.order(cheese, 5)
  await shop.start(order)
  const dates = { output_manufacture_date: '2026-11-20' }
  t.like(await shop.complete(order, { quantity: 1, ...dates }), {
    output_batch_number: 'MO-00001',
    output_expiry_date: '2026-11-30',
  })
  await shop.amend('MO-00001', { number: 'C-1', manufacture_date: '2026-11-19', expiry_date: '2027-01-01' })
  // The order keeps the old values until it puts more output into the batch.
  t.like(await shop.read(order), { output_batch_number: 'MO-00001', output_expiry_date: '2026-11-30' })
  t.is(
    await shop.complete.refused(order, { quantity: 1, output_manufacture_date: '2026-11-20' }),
    'validation_failed output_manufacture_date: the batch C-1 has 2026-11-19',
  )
  t.like(await shop.complete(order, { quantity: 1 }), {
    output_batch_number: 'C-1',
    output_manufacture_date: '2026-11-19',
    output_expiry_date: '2027-01-01',
  })
  t.like(await shop.complete(order, { quantity: 1, output_manufacture_date: '2026-11-19' }), {
    output_batch_number: 'C-1',
  })
  // A body with the old number makes another batch, and the next completion uses that one.
  await shop.complete(order, { quantity: 1, output_batch_number: 'MO-00001' })
  await shop.complete(order)
  t.deepEqual((await batches(shop)).slice(3), [
    ['C-1', '2026-11-19', '2027-01-01', 3],
    ['MO-00001', null, null, 2],
  ])
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('in a unit of work, commands on the stock of a changed batch wait for the next unit, and so does a change after them', async t => {
  const shop = await dairy()
  const { id } = shop.tenant
  const [m1, m2] = [await shop.batch('M-1'), await shop.batch('M-2')]
  const adjust = (quantity: number, batch: string) =>
    commandOf(id, ['createStockAdjustment', { items: [{ item_variant_id: shop.milk, quantity, batch_number: batch }] }])
  const rename = (batch: Loose, number: string) => commandOf(id, ['updateBatch', { number }, batch.id])
  /** How many commands were decided in one unit, and their outcomes. Those that wait run afterwards. */
  const run = async (...commands: ReturnType<typeof commandOf>[]) => {
    const [first = []] = await units.outcomesOf([{ tenantId: id, commands }])
    const rest = commands.slice(first.length)
    const [behind = []] = rest.length === 0 ? [] : await units.outcomesOf([{ tenantId: id, commands: rest }])
    return [first.length, ...[...first, ...behind].map(({ kind }) => kind)]
  }
  t.deepEqual(await run(rename(m1, 'N-1'), adjust(1, 'N-1')), [1, 'done', 'done'])
  t.deepEqual(await run(adjust(1, 'N-1'), rename(m1, 'O-1')), [1, 'done', 'done'])
  t.deepEqual(await run(adjust(1, 'O-1'), rename(m2, 'N-2')), [2, 'done', 'done'])
  // An earlier command took the number, or freed it.
  t.deepEqual(await run(adjust(1, 'P-1'), rename(m2, 'P-1')), [2, 'done', 'refused'])
  t.deepEqual(await run(rename(m1, 'Q-1'), rename(m2, 'Q-1')), [1, 'done', 'refused'])
  t.deepEqual(await run(rename(m1, 'R-1'), rename(m2, 'Q-1')), [1, 'done', 'done'])
  t.deepEqual(columns(await shop.tenant.page(listBatches), 'number', 'quantity'), [
    ['R-1', 8],
    ['Q-1', 5],
    ['M-3', 5],
    ['P-1', 1],
  ])
  t.deepEqual(await bench.faults(shop.tenant.id), [])
})

test('a reader who follows the changes finds a changed batch, and not one whose quantity alone changed', async t => {
  const shop = await dairy()
  shop.tenant.now = '2026-11-22T05:00:00.000Z'
  await shop.amend('M-2', { number: 'N-2' })
  await shop.adjust([{ item_variant_id: shop.milk, quantity: 1, batch_number: 'M-1' }])
  const filters = { updated_after: shop.tenant.now }
  t.deepEqual(columns(await shop.tenant.page(listBatches, { filters }), 'number'), [['N-2']])
})
