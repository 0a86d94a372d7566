/** Every command that can run short names everything that is short, in the same words. */
import { startOrder } from '../../lib/domain/manufacturing/orders/commands.ts'
import { createManufacturingOrder as createManufacturingOrderEndpoint } from '../../lib/domain/manufacturing/orders/creation-command.ts'
import { changeOrder, createOrder } from '../../lib/domain/sales/orders/commands.ts'
import { createShipment } from '../../lib/domain/sales/shipments/commands.ts'
import { createAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { createTransfer } from '../../lib/domain/stock/transfers/commands.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Stockroom, stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const SHORT =
  'not enough OAK at Main: 5 needed, 3 on hand; not enough Nameless at Main: 2 needed, 0 on hand; not enough ASH at Main: 4 needed, 1 on hand'

/** The same for a body whose lines ask for it. `oak` is the line of OAK that the message names. */
const shortOf = (oak: number) => {
  const [first, second, third] = SHORT.split('; ')
  return `items[${oak}].quantity: ${first}; items[2].quantity: ${second}; items[4].quantity: ${third}`
}

/** 3 OAK, 1 ASH, 9 ELM and none of a product without sku. Two lines ask for OAK. */
async function shelves() {
  const room = await stockroom(bench)
  const [main, side] = [await room.place('Main'), await room.place('Side')]
  const [oak, ash, elm] = [await room.variant('OAK'), await room.variant('ASH'), await room.variant('ELM')]
  const nameless = await room.variant('', { title: 'Nameless', sku: null })
  await room.adjust([itemLine(oak, 3), itemLine(ash, 1), itemLine(elm, 9)])
  const items = [itemLine(oak, 2), itemLine(elm, 9), itemLine(nameless, 2), itemLine(oak, 3), itemLine(ash, 4)]
  return { room, main, side, oak, ash, elm, nameless, items }
}

const order = (room: Stockroom, items: Loose[]) => room.tenant.done(createOrder, { customer: { title: 'Shop' }, items })

test('a sales order without backorder names all that is short, and so does its change', async t => {
  const { room, oak, ash, items } = await shelves()
  const body = { customer: { title: 'Shop' }, allow_backorder: false }
  t.is(await room.tenant.refusal(createOrder, { ...body, items }), `insufficient_stock ${shortOf(0)}`)
  const made = await room.tenant.done(createOrder, { ...body, items: [itemLine(oak, 1), itemLine(ash, 1)] })
  const more = made.items.map(({ id }: Loose) => ({ id, quantity: 7 }))
  t.is(
    await room.tenant.refusal(changeOrder, { items: more }, { id: made.id }),
    'insufficient_stock not enough OAK at Main: 7 needed, 3 on hand; not enough ASH at Main: 7 needed, 1 on hand',
  )
})

test('a shipment names all that is short, and so does SHIPPED', async t => {
  const { room, items } = await shelves()
  const made = await order(room, items)
  const entries = made.items.map(({ id, quantity }: Loose) => ({ sales_order_item_id: id, quantity }))
  const before = await room.movements()
  for (const [body, short] of [
    [{}, SHORT],
    [{ items: entries }, shortOf(3)],
  ] as const)
    t.is(await room.tenant.refusal(createShipment, body, { id: made.id }), `insufficient_stock ${short}`)
  t.is(
    await room.tenant.refusal(changeOrder, { delivery_status: 'SHIPPED' }, { id: made.id }),
    `insufficient_stock ${SHORT}`,
  )
  t.deepEqual(await room.movements(), before)
})

test('a start names all that is short', async t => {
  const { room, items } = await shelves()
  const product = await room.variant('BOX')
  const made = await room.tenant.done(createManufacturingOrderEndpoint, {
    item_variant_id: product,
    quantity: 1,
    items,
  })
  t.is(await room.tenant.refusal(startOrder, {}, { id: made.id }), `unprocessable ${SHORT}`)
})

test('a transfer and an adjustment name all that is short, whatever else is wrong behind the first', async t => {
  const { room, main, side, items, oak } = await shelves()
  const places = { from_storage_place_id: main, to_storage_place_id: side }
  const lost = itemLine('1', 1)
  const refusedTransfer = (moved: Loose[]) => room.tenant.refusal(createTransfer, { ...places, items: moved })
  t.is(await refusedTransfer(items), `insufficient_stock ${shortOf(3)}`)
  t.is(await refusedTransfer([...items, lost]), `insufficient_stock ${shortOf(3)}`)
  t.is(await refusedTransfer([lost, ...items]), 'validation_failed items[0].item_variant_id: no such variant')

  const taken = items.map(item => ({ ...item, quantity: -item.quantity }))
  const refusedAdjust = (adjusted: Loose[]) => room.tenant.refusal(createAdjustment, { items: adjusted })
  const named =
    'validation_failed items[3].quantity: not enough OAK at Main: 5 needed, 3 on hand; ' +
    'items[2].quantity: not enough Nameless at Main: 2 needed, 0 on hand; items[4].quantity: not enough ASH at Main: 4 needed, 1 on hand'
  t.is(await refusedAdjust(taken), named)
  t.is(await refusedAdjust([...taken, lost]), named)
  const differs = itemLine(oak, 1, { expected_quantity: 8 })
  t.is(await refusedAdjust([...taken, differs]), named)
  // What a line brings in, those behind it may take.
  t.is(await refusedAdjust([itemLine(oak, 2), itemLine(oak, -5)]), 'done')
})

test('an adjustment names each stock that is not what it expects', async t => {
  const { room, oak, ash, elm } = await shelves()
  const milk = await room.variant('MILK', { batch_tracked: true })
  await room.adjust([itemLine(milk, 4, { batch_number: 'B7' })])
  const line = (item_variant_id: string, expected_quantity: number, extra = {}) => ({
    item_variant_id,
    quantity: -1,
    expected_quantity,
    ...extra,
  })
  t.is(
    await room.refusedAdjust([
      line(elm, 9),
      line(oak, 4),
      line(milk, 0, { batch_number: 'B7' }),
      itemLine(elm, -99),
      line(ash, 2),
    ]),
    'stock_changed items[1].expected_quantity: OAK at Main: 4 expected, 3 on hand; ' +
      'items[2].expected_quantity: MILK (batch B7) at Main: 0 expected, 4 on hand; ' +
      'items[4].expected_quantity: ASH at Main: 2 expected, 1 on hand',
  )
})

test('ten are named, and how many more there are', async t => {
  const room = await stockroom(bench)
  const items: Loose[] = []
  for (let n = 0; n < 13; n++) items.push({ item_variant_id: await room.variant(`V${n}`), quantity: -1 })
  const refusal = await room.refusedAdjust(items)
  t.regex(
    refusal,
    /not enough V0: 1 needed, 0 on hand; .*; items\[9\].quantity: not enough V9: 1 needed, 0 on hand; and 3 more$/,
  )
  t.false(refusal.includes('V10'))
})

test('a batch that is named and the rest of the stock are short each by itself', async t => {
  const room = await stockroom(bench)
  const milk = await room.variant('MILK', { batch_tracked: true })
  await room.adjust([itemLine(milk, 4, { batch_number: 'A' }), itemLine(milk, 3, { batch_number: 'B' })])
  t.is(
    await room.refusedAdjust([itemLine(milk, -5, { batch_number: 'A' }), itemLine(milk, -9)]),
    'validation_failed items[0].quantity: not enough MILK (batch A): 5 needed, 4 on hand; ' +
      'items[1].quantity: not enough MILK: 9 needed, 3 on hand',
  )
})
