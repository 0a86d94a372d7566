/** Stock transfers: between places, to and from no place, through quarantine, and their refusals. */
import * as v from 'valibot'
import { createTransfer } from '../../lib/domain/stock/transfers/commands.ts'
import { getTransfer, listTransfers } from '../../lib/domain/stock/transfers/endpoints.ts'
import { StockTransfer } from '../../lib/domain/stock/transfers/noun.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { stockroom, unreversed, untouched } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test('a transfer answers its document, which GET, the list and the event show alike', async t => {
  const { tenant, adjust, place, variant } = await stockroom(bench)
  const [north, south] = [await place('North'), await place('South')]
  const oak = await variant('OAK')
  await adjust([itemLine(oak, 3, { unit_cost: 2 })])
  const { body, events } = await tenant.run(createTransfer, {
    from_storage_place_id: north,
    to_storage_place_id: south,
    external_ref: 'move',
    items: [itemLine(oak, 1)],
  })
  t.deepEqual(body, {
    id: body.id,
    number: 'ST-00001',
    from_storage_place_id: north,
    to_storage_place_id: south,
    date: tenant.now,
    notes: null,
    external_ref: 'move',
    ...untouched,
    created_at: tenant.now,
    ...unreversed(tenant.now),
    items: [
      {
        id: body.items[0].id,
        item_variant_id: oak,
        sku: 'OAK',
        title: 'Item OAK',
        batch_id: null,
        batch_number: null,
        quantity: 1,
        value: 2,
      },
    ],
  })
  t.true(v.is(replyOf(StockTransfer), body))
  t.deepEqual(await tenant.read(getTransfer, { id: body.id }), body)
  t.deepEqual(await tenant.page(listTransfers, { filters: { external_ref: 'move' } }), [body])
  t.deepEqual(
    events.map(event => [event.type, event.data.storage_place_id, event.data.quantity, event.previous]),
    [
      ['stock.changed', north, 2, { quantity: 3, available_quantity: 3 }],
      ['stock.changed', south, 1, { quantity: 0, available_quantity: 0 }],
      ['stock_transfer.created', undefined, undefined, null],
    ],
  )
  t.deepEqual(events[2]?.data, body)
})

test('quantity, batch and value move together, first expired first out and expired stock too', async t => {
  const { adjust, movements, place, stock, transfer, variant } = await stockroom(bench)
  const [north, south] = [await place('North'), await place('South')]
  const milk = await variant('MILK', { batch_tracked: true })
  await adjust([
    itemLine(milk, 1, { unit_cost: 1, batch_number: 'LATE', expiry_date: '2027-01-01' }),
    itemLine(milk, 2, { unit_cost: 4.5, batch_number: 'GONE', expiry_date: '2026-01-01' }),
  ])
  const request = { from_storage_place_id: north, to_storage_place_id: south }
  const { items } = await transfer({ ...request, items: [itemLine(milk, 2.5)] })
  // V 10 over Q 3: 2 take round(6.66667) = 6.6667, half of the last unit takes round(3.3333 / 2) = 1.6667.
  t.deepEqual(columns(items, 'batch_number', 'quantity', 'value'), [
    ['GONE', 2, 6.6667],
    ['LATE', 0.5, 1.6667],
  ])
  t.deepEqual(columns(await stock(), 'storage_place_id', 'batch_number', 'quantity', 'stock_value'), [
    [north, 'LATE', 0.5, 1.6666],
    [north, 'GONE', 0, 0],
    [south, 'GONE', 2, 6.6667],
    [south, 'LATE', 0.5, 1.6667],
  ])
  t.deepEqual(columns((await movements()).slice(2), 'kind', 'quantity', 'value', 'quantity_after', 'source_type'), [
    ['TRANSFER_OUT', -2, -6.6667, 0, 'STOCK_TRANSFER'],
    ['TRANSFER_IN', 2, 6.6667, 2, 'STOCK_TRANSFER'],
    ['TRANSFER_OUT', -0.5, -1.6667, 0.5, 'STOCK_TRANSFER'],
    ['TRANSFER_IN', 0.5, 1.6667, 0.5, 'STOCK_TRANSFER'],
  ])
  // Back again, over rows that were emptied before.
  await transfer({ from_storage_place_id: south, to_storage_place_id: north, items: [itemLine(milk, 2.5)] })
  t.deepEqual(columns(await stock(), 'batch_number', 'quantity'), [
    ['LATE', 1],
    ['GONE', 2],
    ['GONE', 0],
    ['LATE', 0],
  ])
})

test('stock enters and leaves quarantine within its place, and its value stays', async t => {
  const { tenant, adjust, movements, place, stock, refusedTransfer, variant } = await stockroom(bench)
  const main = await place('Main')
  const oak = await variant('OAK')
  await adjust([itemLine(oak, 3, { unit_cost: 3.333333 })])
  const within = { from_storage_place_id: main, to_storage_place_id: main }
  const hold = (quantity: number) => ({ ...within, items: [itemLine(oak, quantity, { to_quarantine: true })] })
  const free = (quantity: number) => ({ ...within, items: [itemLine(oak, quantity, { from_quarantine: true })] })
  const { body, events } = await tenant.run(createTransfer, hold(2))
  t.deepEqual(columns(body.items, 'quantity', 'value'), [[2, 6.6667]])
  t.like(events[0], {
    type: 'stock.changed',
    data: { quantity: 3, quarantine_quantity: 2, available_quantity: 1 },
    previous: { quarantine_quantity: 0, available_quantity: 3 },
  })
  const shown = async () =>
    columns(await stock(), 'quantity', 'quarantine_quantity', 'available_quantity', 'stock_value')
  t.deepEqual(await shown(), [[3, 2, 1, 10]])
  t.is(
    await refusedTransfer(hold(2)),
    'insufficient_stock items[0].quantity: not enough OAK at Main: 2 needed, 3 on hand, of which 1 can be taken',
  )
  t.is(
    await refusedTransfer(free(3)),
    'insufficient_stock items[0].quantity: not enough OAK at Main: 3 needed, 3 on hand, of which 2 can be taken',
  )
  await tenant.done(createTransfer, free(2))
  t.deepEqual(await shown(), [[3, 0, 3, 10]])
  t.deepEqual(columns((await movements()).slice(1), 'kind', 'quantity', 'value', 'quantity_after'), [
    ['TRANSFER_OUT', -2, -6.6667, 1],
    ['TRANSFER_IN', 2, 6.6667, 3],
    ['TRANSFER_OUT', -2, -6.6667, 1],
    ['TRANSFER_IN', 2, 6.6667, 3],
  ])
})

test('stock moves to and from no place, and in quarantine from place to place', async t => {
  const { adjust, place, stock, transfer, variant } = await stockroom(bench)
  const oak = await variant('OAK')
  await adjust([itemLine(oak, 3, { unit_cost: 1 })])
  const main = await place('Main')
  await transfer({
    from_storage_place_id: null,
    to_storage_place_id: main,
    items: [itemLine(oak, 1, { to_quarantine: true }), itemLine(oak, 1)],
  })
  await transfer({
    from_storage_place_id: main,
    to_storage_place_id: null,
    items: [itemLine(oak, 1, { from_quarantine: true, to_quarantine: true })],
  })
  t.deepEqual(columns(await stock(), 'storage_place_id', 'quantity', 'quarantine_quantity'), [
    [null, 2, 1],
    [main, 1, 0],
  ])
})

test('refused transfers name the line and change nothing', async t => {
  const { adjust, movements, place, refusedTransfer, stock, variant } = await stockroom(bench, {
    closedThrough: '2026-10-31',
  })
  const [north, south] = [await place('North'), await place('South')]
  const [oak, milk] = [await variant('OAK'), await variant('MILK', { batch_tracked: true })]
  const service = await variant('HELP', { type: 'SERVICE' })
  const { items } = await adjust([itemLine(oak, 5), itemLine(milk, 2, { batch_number: 'B' })])
  const foreign = await stockroom(bench)
  const [foreignOak, foreignPlace] = [await foreign.variant('OAK'), await foreign.place('Elsewhere')]
  const before = [await stock(), await movements()]
  const one = itemLine(oak, 1)
  const cases: [unknown[], Record<string, unknown>, string][] = [
    [
      [
        { ...one, quantity: 3 },
        { ...one, quantity: 3 },
      ],
      {},
      'insufficient_stock items[1].quantity: not enough OAK at North: 6 needed, 5 on hand',
    ],
    [[itemLine(milk, 2.000001)], {}, 'insufficient_stock items[0].quantity: not enough MILK at North: 2.000001 needed'],
    [
      [{ ...one, from_quarantine: true }],
      {},
      'insufficient_stock items[0].quantity: not enough OAK at North: 1 needed, 5 on hand, of which 0 can',
    ],
    [[{ ...one, quantity: 0 }], {}, 'validation_failed items[0].quantity'],
    [[{ ...one, quantity: -1 }], {}, 'validation_failed items[0].quantity'],
    [[one], { to_storage_place_id: north }, 'validation_failed items[0].to_quarantine'],
    [[one], { to_storage_place_id: undefined }, 'validation_failed to_storage_place_id: is required'],
    [[one], { to_storage_place_id: foreignPlace }, 'validation_failed to_storage_place_id: no such storage place'],
    [[one], { from_storage_place_id: '1' }, 'validation_failed from_storage_place_id: no such storage place'],
    [[{ ...one, item_variant_id: foreignOak }], {}, 'validation_failed items[0].item_variant_id: no such variant'],
    [[{ ...one, item_variant_id: service }], {}, 'validation_failed items[0].item_variant_id: HELP is a service'],
    [[{ ...one, batch_id: items[1].batch_id }], {}, 'validation_failed items[0].batch_id: no such batch of OAK'],
    [[one], { date: '2026-10-31' }, 'unprocessable date'],
    [[one], { date: '2027-01-01' }, 'unprocessable date'],
  ]
  for (const [lines, extra, expected] of cases) {
    const body = { from_storage_place_id: north, to_storage_place_id: south, ...extra, items: lines }
    const refusal = await refusedTransfer(body)
    t.true(refusal.startsWith(expected), `${refusal} does not begin with ${expected}`)
  }
  t.deepEqual([await stock(), await movements()], before)
})
