/** The ledger as documents use it: reservations, revaluation, picking for sale, value of each outflow. */

import { sellableStock } from '../../lib/domain/stock/pick-order.ts'
import { pick } from '../../lib/domain/stock/picking-rules.ts'
import { adjustPlanned, issue, receive, revalue } from '../../lib/domain/stock/posting-rules.ts'
import { type Cause, type Position, positionOf, type Stock } from '../../lib/domain/stock/stock.ts'
import { stockOf } from '../../lib/domain/stock/stock-load.ts'
import type { Endpoint } from '../../lib/kit/api/endpoint.ts'
import { command } from '../../lib/kit/documents/command.ts'
import { parseCost, parseMicro } from '../../lib/platform/decimal.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const cause: Cause = {
  kind: 'SALES_SHIPMENT',
  sourceType: 'SALES_SHIPMENT',
  sourceId: '77',
  documentDate: '2026-11-21T05:00:00.000Z',
}

/** A command that posts to one variant without a place. */
const posting = (itemVariantId: string, post: (stock: Stock, position: Position) => void): Endpoint =>
  command({
    id: 'post',
    method: 'POST',
    path: '/post',
    tag: ['test', 'For a test.'],
    scope: 'test',
    summary: 'test',
    success: 200,
    countsAsDocument: false,
    refusals: [],
    ids: () => 0,
    needs: () => ({}),
    more: () => {
      const take = { quantity: null, order: sellableStock('2026-11-21') }
      return { stock: stockOf({ positions: [{ itemVariantId, storagePlaceId: null, take }] }) }
    },
    decide: (_request, { stock }) => {
      post(stock, positionOf(stock, { itemVariantId, storagePlaceId: null }))
      return { body: '{}', events: [] }
    },
  })

test('reservations and expectations stand on the row without a batch, tell, and write no movement', async t => {
  const { tenant, adjust, movements, stock, variant } = await stockroom(bench)
  const milk = await variant('MILK', { batch_tracked: true })
  await adjust([itemLine(milk, 3, { unit_cost: 2, batch_number: 'A' })])
  const { events } = await tenant.run(
    posting(milk, (stock, position) => {
      adjustPlanned(stock, { position, reserved: parseMicro('5'), expected: parseMicro('4') })
      adjustPlanned(stock, { position, reserved: parseMicro('-0.5') })
    }),
  )
  t.deepEqual(events[0]?.data, {
    item_variant_id: milk,
    sku: 'MILK',
    storage_place_id: null,
    is_kit: false,
    quantity: 3,
    quarantine_quantity: 0,
    expired_quantity: 0,
    reserved_quantity: 4.5,
    expected_quantity: 4,
    available_quantity: -1.5,
    average_cost: 2,
    updated_at: tenant.now,
  })
  t.deepEqual(events[0]?.previous, { reserved_quantity: 0, expected_quantity: 0, available_quantity: 3 })
  t.deepEqual(
    columns(await stock(), 'batch_number', 'quantity', 'reserved_quantity', 'expected_quantity', 'available_quantity'),
    [
      ['A', 3, 0, 0, 3],
      [null, 0, 4.5, 4, -4.5],
    ],
  )
  t.is((await movements()).length, 1)
})

test('a reservation of what was never in stock makes its entry', async t => {
  const { tenant, stock, variant } = await stockroom(bench)
  const oak = await variant('OAK')
  await tenant.done(posting(oak, (stock, position) => adjustPlanned(stock, { position, reserved: 1n })))
  t.deepEqual(columns(await stock(), 'quantity', 'reserved_quantity', 'average_cost', 'stock_value'), [
    [0, 0.000001, null, 0],
  ])
})

test('start and shipment pick neither expired nor quarantined stock; the day of expiry itself is not expired', async t => {
  const { tenant, adjust, stock, transfer, variant } = await stockroom(bench)
  const milk = await variant('MILK', { batch_tracked: true })
  await adjust([
    itemLine(milk, 1, { batch_number: 'YESTERDAY', expiry_date: '2026-11-20' }),
    itemLine(milk, 2, { batch_number: 'TODAY', expiry_date: '2026-11-21' }),
    itemLine(milk, 2, { batch_number: 'LATER', expiry_date: '2026-12-21' }),
  ])
  await transfer({
    from_storage_place_id: null,
    to_storage_place_id: null,
    items: [itemLine(milk, 2, { to_quarantine: true })],
  })
  await tenant.done(
    posting(milk, (stock, position) => {
      const want = { position, batch: undefined, condition: 'sellable' } as const
      // Quarantine took YESTERDAY and one of TODAY.
      const { missing } = pick(position, { ...want, quantity: parseMicro('3.000001'), day: '2026-11-21' })
      t.is(missing, 1n)
      const issued = issue(stock, cause, { ...want, quantity: parseMicro('1.5') })
      t.is(issued.missing, 0n)
      t.deepEqual(
        issued.takes.map(take => [take.level.batch?.number, take.quantity]),
        [
          ['TODAY', parseMicro('1')],
          ['LATER', parseMicro('0.5')],
        ],
      )
    }),
  )
  t.deepEqual(columns(await stock(), 'batch_number', 'quantity', 'quarantine_quantity'), [
    ['YESTERDAY', 1, 1],
    ['TODAY', 1, 1],
    ['LATER', 1.5, 0],
  ])
})

test('a value of quantity 0 raises the average; with no stock left it is not posted', async t => {
  const { tenant, adjust, movements, stock, variant } = await stockroom(bench)
  const oak = await variant('OAK')
  await adjust([itemLine(oak, 3, { unit_cost: 1 })])
  const { events } = await tenant.run(
    posting(oak, (stock, position) =>
      t.true(revalue(stock, cause, { position, batch: null, value: parseCost('1.5') })),
    ),
  )
  t.deepEqual(events, [])
  t.deepEqual(columns(await stock(), 'quantity', 'average_cost', 'stock_value'), [[3, 1.5, 4.5]])
  t.deepEqual(columns((await movements()).slice(1), 'quantity', 'value', 'quantity_after'), [[0, 1.5, 3]])
  await adjust([itemLine(oak, -3)])
  await tenant.done(
    posting(oak, (stock, position) => t.false(revalue(stock, cause, { position, batch: null, value: parseCost('1') }))),
  )
  t.is((await movements()).length, 3)
})

test('stock can be received into quarantine at a given value', async t => {
  const { tenant, stock, variant } = await stockroom(bench)
  const oak = await variant('OAK')
  await tenant.done(
    posting(oak, (stock, position) => {
      const quantity = parseMicro('3')
      receive(stock, cause, { position, batch: null, quantity, value: parseCost('10'), quarantine: true })
    }),
  )
  t.deepEqual(columns(await stock(), 'quantity', 'quarantine_quantity', 'available_quantity', 'stock_value'), [
    [3, 3, 0, 10],
  ])
})

test('stock that was not asked for cannot be touched', async t => {
  const { tenant, variant } = await stockroom(bench)
  const [oak, ash] = [await variant('OAK'), await variant('ASH')]
  const wrong = posting(oak, stock => void positionOf(stock, { itemVariantId: ash, storagePlaceId: null }))
  await t.throwsAsync(tenant.done(wrong), { message: /was not asked for/ })
})
