/** Notes on sales orders in every status, lines by their reference, and addresses as shops send them. */
import { annotateOrder } from '../../lib/domain/sales/orders/commands.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const line = { title: 'Tip', quantity: 1, price: 2 }

test('a finished order is annotated, and nothing else of it changes', async t => {
  const room = await salesroom(bench)
  const order = await room.order([line], { metadata: { channel: 'web', desk: '1' } })
  await room.ship(order)
  const of = { id: order.id }
  const { body, events } = await room.tenant.run(
    annotateOrder,
    { notes: 'Paid', external_ref: 'A-1', metadata: { desk: null, ticket: '7' } },
    of,
  )
  t.like(body, { status: 'DONE', notes: 'Paid', external_ref: 'A-1', metadata: { channel: 'web', ticket: '7' } })
  t.deepEqual(columns(events, 'type'), [['sales_order.updated']])
  t.deepEqual(await room.read(order), body)
  t.deepEqual(await room.tenant.run(annotateOrder, { notes: 'Paid' }, of), { body, events: [] })
  t.is(
    await room.tenant.refusal(annotateOrder, {}, of),
    'validation_failed body: must have at least one of notes, external_ref, metadata',
  )
  const other = await room.order([line])
  t.regex(
    await room.tenant.refusal(annotateOrder, { external_ref: 'A-1' }, { id: other.id }),
    /^validation_failed external_ref: /,
  )
})

test('orders are found by the reference of a line, which need not be unique', async t => {
  const room = await salesroom(bench)
  const named = { ...line, external_ref: 'L-1' }
  const both = await room.order([named, named])
  const one = await room.order([line, named])
  await room.order([{ ...line, external_ref: 'L-2' }])
  const found = await room.orders({ filters: { line_external_ref: 'L-1' } })
  t.deepEqual(columns(found, 'id'), [[both.id], [one.id]])
})

test('an address has a company, and its empty texts count as null', async t => {
  const room = await salesroom(bench)
  const order = await room.order([line], {
    shipping_address: { company: 'Oak Ltd', name: '', line_2: ' ', country_code: '' },
  })
  t.like(order.shipping_address, { company: 'Oak Ltd', name: null, line_2: null, country_code: null })
  t.deepEqual(await room.read(order), order)
  t.regex(
    await room.refusedOrder([line], { shipping_address: { name: '' } }),
    /^validation_failed shipping_address: must have at least one of name, company, /,
  )
})
