/** Who did it: records show who made and last changed them, and events show who caused them. */
import * as v from 'valibot'
import type { AnyNoun } from '../../lib/kit/documents/noun.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { changeOf, creationOf, headOf, readOf, recorded, type Shop, shop } from './recorded.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const ada = { keyId: '11', userName: 'Ada "the 1st"' }
const bob = { keyId: '12', userName: 'Bob' }
/** A key that was made without a name has the owner's address as its name. */
const unnamed = { keyId: '13', userName: 'owner@example.com' }

const path = ({ id }: Loose) => ({ id: id as string })
const whoIn = (record: Loose) => [record.created_by_user_name, record.updated_by_user_name]

/** The bodies of the tenant's events after this one, as they are sent. */
async function eventsOf({ tenant }: Shop, after = 0): Promise<readonly string[]> {
  const found = await bench.pool.any(rows(v.object({ body: v.string() }))`
    select body from events where tenant_id = ${tenant.id}::bigint and sequence > ${after} order by sequence`)
  return found.map(({ body }) => body)
}

test('a record of every noun says who made it and who changed it last; nobody for a key without a name', async t => {
  const room = await shop(bench)
  const { tenant } = room
  for (const noun of recorded) {
    const { endpoint, body, params } = await creationOf(room, noun)
    tenant.actor = ada
    const made = headOf(noun, await tenant.done(endpoint, body, params))
    t.deepEqual(whoIn(made), [ada.userName, ada.userName], noun.kind)
    const change = changeOf(noun)
    if (change) await changed(noun, change, made)
    tenant.actor = unnamed
    const again = await creationOf(room, noun)
    const quiet = headOf(noun, await tenant.done(again.endpoint, again.body, again.params))
    t.deepEqual(whoIn(quiet), [null, null], noun.kind)
  }

  async function changed(noun: AnyNoun, change: Loose, made: Loose) {
    tenant.actor = bob
    const { body, events } = await tenant.run(change, { external_ref: 'a' }, path(made))
    t.deepEqual(whoIn(headOf(noun, body)), [ada.userName, 'Bob'], noun.kind)
    t.is(headOf(noun, events.at(-1)?.previous).updated_by_user_name, ada.userName, noun.kind)
    tenant.actor = ada
    const same = await tenant.done(change, { external_ref: 'a' }, path(made))
    t.deepEqual(whoIn(headOf(noun, same)), [ada.userName, 'Bob'], `${noun.kind}: a change of nothing is none`)
    tenant.actor = unnamed
    const cleared = await tenant.done(change, { external_ref: null }, path(made))
    t.deepEqual(whoIn(headOf(noun, cleared)), [ada.userName, null], noun.kind)
    const read = readOf(noun)
    if (read) t.deepEqual(await tenant.read(read, path(made)), cleared, noun.kind)
  }
})

test('what changes a record beside another is by whoever did it, and so are the records that it brings along', async t => {
  const room = await shop(bench)
  const { tenant, sold, from } = room
  const by = (actor: typeof ada) => {
    tenant.actor = actor
  }
  const whoOf = async (endpoint: string, record: Loose) => whoIn(await tenant.read(endpointOf(endpoint), path(record)))
  const items = [{ item_variant_id: sold, quantity: 2 }]

  by(ada)
  const purchase = await tenant.done(endpointOf('createPurchaseOrder'), { supplier: { title: 'Timber' }, items })
  t.deepEqual(await whoOf('getSupplier', purchase.supplier), [ada.userName, ada.userName])
  by(bob)
  const receipt = await tenant.done(
    endpointOf('createPurchaseReceipt'),
    { storage_place_id: from, items: [{ purchase_order_item_id: purchase.items[0].id, quantity: 1 }] },
    path(purchase),
  )
  t.deepEqual(await whoOf('getPurchaseOrder', purchase), [ada.userName, 'Bob'])
  t.deepEqual(await whoOf('getSupplier', purchase.supplier), [ada.userName, ada.userName], 'it did not change')
  by(ada)
  await tenant.done(endpointOf('reversePurchaseReceipt'), { reason: 'x' }, path(receipt))
  t.deepEqual(await whoOf('getPurchaseReceipt', receipt), ['Bob', ada.userName])
  t.deepEqual(await whoOf('getPurchaseOrder', purchase), [ada.userName, ada.userName])
  by(bob)
  await tenant.done(endpointOf('closePurchaseOrder'), {}, path(purchase))
  t.deepEqual(await whoOf('getPurchaseOrder', purchase), [ada.userName, 'Bob'])

  by(ada)
  const sale = await tenant.done(endpointOf('createSalesOrder'), { customer: { title: 'Cafe' }, items })
  by(bob)
  const shipped = await tenant.done(endpointOf('updateSalesOrder'), { delivery_status: 'SHIPPED' }, path(sale))
  t.deepEqual(whoIn(shipped), [ada.userName, 'Bob'])
  const [shipment] = await room.shipments(sale)
  t.deepEqual(whoIn(shipment), ['Bob', 'Bob'])
  by(ada)
  const { sales_return: back } = await tenant.done(endpointOf('createSalesReturn'), {
    sales_order_id: sale.id,
    items: [{ sales_order_item_id: sale.items[0].id, quantity: 1 }],
  })
  by(bob)
  const { sales_return: received } = await tenant.done(endpointOf('receiveSalesReturn'), {}, path(back))
  t.deepEqual(whoIn(received), [ada.userName, 'Bob'])

  by(ada)
  const production = await tenant.done(endpointOf('createManufacturingOrder'), { item_variant_id: sold, quantity: 1 })
  by(bob)
  t.deepEqual(whoIn(await tenant.done(endpointOf('startManufacturingOrder'), {}, path(production))), [
    ada.userName,
    'Bob',
  ])
  by(ada)
  t.deepEqual(whoIn(await tenant.done(endpointOf('completeManufacturingOrder'), {}, path(production))), [
    ada.userName,
    ada.userName,
  ])

  const product = await tenant.done(endpointOf('createProduct'), { title: 'Mug', sku: 'MUG' })
  by(bob)
  const variants = [{ id: product.variants[0].id, price: 2 }]
  t.deepEqual(whoIn(await tenant.done(endpointOf('updateProduct'), { variants }, path(product))), [ada.userName, 'Bob'])
})

test('every event names the key, its user and the request, between the version and the data', async t => {
  const room = await shop(bench)
  const { tenant, sold } = room
  const before = (await eventsOf(room)).length
  tenant.actor = ada
  await tenant.done(endpointOf('createStockAdjustment'), { items: [{ item_variant_id: sold, quantity: 1 }] })
  tenant.actor = unnamed
  await tenant.done(endpointOf('createSupplier'), { title: 'Timber' })
  const bodies = await eventsOf(room, before)
  t.deepEqual(
    bodies.map(body => {
      const { type, actor } = JSON.parse(body)
      t.regex(actor.request_id, /^req_test_\d+$/)
      return [type, actor.key_id, actor.user_name, Object.keys(actor)]
    }),
    [
      ['stock.changed', '11', ada.userName, ['key_id', 'user_name', 'request_id']],
      ['stock_adjustment.created', '11', ada.userName, ['key_id', 'user_name', 'request_id']],
      ['supplier.created', '13', null, ['key_id', 'user_name', 'request_id']],
    ],
  )
  const [stock, adjustment, supplier] = bodies.map(body => JSON.parse(body).actor.request_id)
  t.is(stock, adjustment, 'one command, one request')
  t.not(adjustment, supplier)
  const names = ['id', 'type', 'timestamp', 'sequence', 'api_version', 'actor', 'data', 'previous']
  for (const body of bodies) t.deepEqual(Object.keys(JSON.parse(body)), names)
})
