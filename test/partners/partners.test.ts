/** The guarantees of suppliers and customers: one shape, two tables, unique references, archiving. */
import * as v from 'valibot'
import { createProduct } from '../../lib/domain/catalogue/commands.ts'
import { customerEndpoints, supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { Customer, Supplier } from '../../lib/domain/partners/noun.ts'
import { createOrder as createPurchaseOrder } from '../../lib/domain/purchasing/orders/commands.ts'
import { createOrder as createSalesOrder } from '../../lib/domain/sales/orders/commands.ts'
import type { CommandEndpoint } from '../../lib/kit/api/endpoint.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { untouched } from '../stock/stockroom.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

for (const [noun, { list, read, create, update }] of Object.entries({
  supplier: supplierEndpoints,
  customer: customerEndpoints,
})) {
  test(`a ${noun} is made with every field, read, and listed by id`, async t => {
    const tenant = await bench.tenant()
    const bare = await tenant.run(create, { title: ' Ash ' })
    t.deepEqual(bare.body, {
      id: bare.body.id,
      title: 'Ash',
      country_code: null,
      email: null,
      phone: null,
      tax_number: null,
      currency: null,
      external_ref: null,
      ...(noun === 'supplier' ? { address: null } : { shipping_address: null, billing_address: null }),
      ...untouched,
      archived: false,
      created_at: tenant.now,
      updated_at: tenant.now,
    })
    t.deepEqual(bare.events, [{ type: `${noun}.created`, data: bare.body, previous: null }])
    const given = {
      title: 'Birch',
      country_code: 'FI',
      email: 'a@b.example',
      phone: '+358 1',
      tax_number: 'FI1',
      currency: 'JPY',
      external_ref: 'B-1',
    }
    const full = await tenant.done(create, given)
    t.like(full, given)
    t.is(v.safeParse(replyOf(noun === 'supplier' ? Supplier : Customer), full).issues, undefined)
    t.deepEqual(await tenant.read(read, { id: full.id }), full)
    t.deepEqual(await tenant.page(list), [bare.body, full])
    t.deepEqual(await tenant.page(list, { filters: { external_ref: 'B-1' } }), [full])
    t.deepEqual(await tenant.page(list, { filters: { external_ref: 'b-1' } }), [])
    t.deepEqual(await tenant.page(list, { after: bare.body.id, limit: 1 }), [full])
  })

  test(`a PATCH of a ${noun} changes what it names, clears with null, and moves updated_at only on a change`, async t => {
    const tenant = await bench.tenant()
    const made = await tenant.done(create, { title: 'Ash', email: 'a@b.example', phone: '1', external_ref: 'A' })
    tenant.now = '2026-11-21T06:00:00.000Z'
    for (const same of [{ title: 'Ash', external_ref: 'A' }, {}])
      t.deepEqual(await tenant.run(update, same, { id: made.id }), { body: made, events: [] })
    const { body: changed, events } = await tenant.run(
      update,
      { title: 'Alder', email: null, archived: true },
      { id: made.id },
    )
    const previous = { title: 'Ash', email: 'a@b.example', archived: false, updated_at: made.updated_at }
    t.deepEqual(events, [{ type: `${noun}.updated`, data: changed, previous }])
    t.deepEqual(changed, { ...made, title: 'Alder', email: null, archived: true, updated_at: tenant.now })
    t.deepEqual(await tenant.read(read, { id: made.id }), changed)
    t.deepEqual(await tenant.page(list, { filters: { archived: 'true' } }), [changed])
    t.deepEqual(await tenant.page(list, { filters: { archived: 'false' } }), [])
    t.deepEqual(await tenant.page(list), [changed])
  })

  test(`a fault in a ${noun} names its field, and nothing is written`, async t => {
    const tenant = await bench.tenant()
    const made = await tenant.done(create, { title: 'Ash', external_ref: 'A' })
    const other = await tenant.done(create, { title: 'Birch' })
    const cases: [object, string][] = [
      [{}, 'title: is required'],
      [{ title: 'x', country_code: 'FIN' }, 'country_code: must be an ISO 3166-1 alpha-2 country code'],
      [{ title: 'x', currency: 'XYZ' }, 'currency: XYZ is not a currency in circulation (ISO 4217)'],
      [{ title: 'x', external_ref: 'A' }, `external_ref: is taken by ${made.id}`],
      [{ title: 'x', archived: true }, 'archived: is not a known field'],
    ]
    for (const [body, message] of cases) t.is(await tenant.refusal(create, body), `validation_failed ${message}`)
    const change = (body: object, id: string) => tenant.refusal(update, body, { id })
    t.is(await change({ title: null }, other.id), 'validation_failed title: must not be null')
    t.is(await change({ external_ref: 'A' }, other.id), `validation_failed external_ref: is taken by ${made.id}`)
    t.is(await change({ title: 'x' }, '1'), `not_found no such ${noun}`)
    t.like(await tenant.read(read, { id: '1' }), { refusal: 'not_found' })
    t.deepEqual(await tenant.page(list), [made, other])
  })

  test(`a ${noun} of another tenant is not there, and its reference is free`, async t => {
    const [tenant, stranger] = [await bench.tenant(), await bench.tenant()]
    const made = await tenant.done(create, { title: 'Ash', external_ref: 'A' })
    t.like(await stranger.read(read, { id: made.id }), { refusal: 'not_found' })
    t.is(await stranger.refusal(update, { title: 'x' }, { id: made.id }), `not_found no such ${noun}`)
    t.deepEqual(await stranger.page(list), [])
    await stranger.done(create, { title: 'Ash', external_ref: 'A' })
    t.deepEqual(await tenant.page(list), [made])
  })

  test(`the examples of ${noun}s are answered with success`, async t => {
    const tenant = await bench.tenant()
    const { id } = await tenant.done(create, (create as CommandEndpoint).example)
    t.is((await tenant.done(update, (update as CommandEndpoint).example, { id })).id, id)
  })
}

test('a supplier and a customer may share a reference, but are not each other', async t => {
  const tenant = await bench.tenant()
  const supplier = await tenant.done(supplierEndpoints.create, { title: 'Ash', external_ref: 'A' })
  await tenant.done(customerEndpoints.create, { title: 'Ash', external_ref: 'A' })
  t.like(await tenant.read(customerEndpoints.read, { id: supplier.id }), { refusal: 'not_found' })
})

test('a partner that an order brings along takes every field of its own POST', async t => {
  const tenant = await bench.tenant()
  const { variants } = await tenant.done(createProduct, { title: 'Oak', sku: 'OAK' })
  const items = [{ item_variant_id: variants[0].id, quantity: 1 }]
  const fields = {
    title: 'Ash',
    country_code: 'DE',
    email: 'office@ash.example',
    phone: '+49 421 1',
    tax_number: 'DE1',
    currency: 'CHF',
    external_ref: 'ash',
  }
  for (const [name, create, partner] of [
    ['customer', createSalesOrder, customerEndpoints],
    ['supplier', createPurchaseOrder, supplierEndpoints],
  ] as const) {
    const { events } = await tenant.run(create, { [name]: fields, items })
    t.like(events.find(({ type }) => type === `${name}.created`)?.data, { ...fields, archived: false })
    t.like(await tenant.page(partner.list), [fields])
    const unknown = await tenant.refusal(create, { [name]: { title: 'Birch', currency: 'XTS' }, items })
    t.is(unknown, `validation_failed ${name}.currency: XTS is not a currency in circulation (ISO 4217)`)
  }
})
