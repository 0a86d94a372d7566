/** Addresses of customers, suppliers and sales orders: what an order takes from its customer, and how a change replaces them. */
import { customerEndpoints, supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { createOrder as buy } from '../../lib/domain/purchasing/orders/commands.ts'
import { createOrder as sell } from '../../lib/domain/sales/orders/commands.ts'
import { salesroom } from '../sales/salesroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const nothing = {
  ...{ name: null, company: null, line_1: null, line_2: null, city: null },
  ...{ region: null, zip: null, country_code: null, phone: null },
}
const whole = (some: object) => ({ ...nothing, ...some })
const dock = {
  name: 'Kühne "Nord"',
  line_1: 'Kai 7',
  city: 'Bremen',
  zip: '28217',
  country_code: 'DE',
  phone: '+49 421 1',
}
const office = { line_1: 'Am Wall 1', line_2: '2. Stock', city: 'Bremen', region: 'HB' }
const ONE_OF = 'must have at least one of name, company, line_1, line_2, city, region, zip, country_code, phone'

test('customers have two addresses and suppliers one, shown whole, with null for what was not given', async t => {
  const tenant = await bench.tenant()
  const customer = await tenant.done(customerEndpoints.create, {
    title: 'Ash',
    shipping_address: { ...dock, line_1: '  Kai 7 ' },
    billing_address: office,
  })
  t.like(customer, { shipping_address: whole(dock), billing_address: whole(office) })
  t.deepEqual(Object.keys(customer.shipping_address), Object.keys(nothing))
  t.deepEqual(await tenant.read(customerEndpoints.read, { id: customer.id }), customer)
  const supplier = await tenant.done(supplierEndpoints.create, { title: 'Oak', address: { city: 'Oslo' } })
  t.deepEqual(supplier.address, whole({ city: 'Oslo' }))
  t.deepEqual(await tenant.read(supplierEndpoints.read, { id: supplier.id }), supplier)
  t.deepEqual((await tenant.done(supplierEndpoints.create, { title: 'Elm' })).address, null)
})

test('a PATCH replaces an address whole, null clears it, and the same address changes nothing', async t => {
  const tenant = await bench.tenant()
  const customer = await tenant.done(customerEndpoints.create, { title: 'Ash', shipping_address: dock })
  const patch = (body: object) => tenant.run(customerEndpoints.update, body, { id: customer.id })
  for (const same of [{}, { shipping_address: dock }, { shipping_address: { ...dock, region: null } }])
    t.deepEqual(await patch(same), { body: customer, events: [] })
  const moved = await patch({ shipping_address: { city: 'Hamburg' }, billing_address: office })
  t.like(moved.body, { shipping_address: whole({ city: 'Hamburg' }), billing_address: whole(office) })
  t.deepEqual(moved.events[0]?.previous, { shipping_address: whole(dock), billing_address: null })
  t.deepEqual(await tenant.read(customerEndpoints.read, { id: customer.id }), moved.body)
  const cleared = await patch({ shipping_address: null })
  t.like(cleared.body, { shipping_address: null, billing_address: whole(office) })
})

test('an address without any text, with an unknown field, a wrong country or a text too long is refused', async t => {
  const tenant = await bench.tenant()
  const refused = (address: unknown) => tenant.refusal(supplierEndpoints.create, { title: 'Oak', address })
  t.is(await refused({}), `validation_failed address: ${ONE_OF}`)
  t.is(await refused({ city: null, zip: null }), `validation_failed address: ${ONE_OF}`)
  t.is(await refused({ city: ' ' }), `validation_failed address: ${ONE_OF}`)
  t.is(await refused({ city: 'a'.repeat(256) }), 'validation_failed address.city: must have at most 255 characters')
  t.is(await refused({ street: 'Kai 7' }), 'validation_failed address.street: is not a known field')
  t.regex(await refused({ country_code: 'de' }), /^validation_failed address.country_code: must be an ISO 3166-1/)
  t.regex(await refused('Kai 7, Bremen'), /^validation_failed address: /)
})

test('an order takes the addresses of its customer as they are then, unless it says others or none', async t => {
  const { change, order, read, tenant, variant } = await salesroom(bench)
  const oak = await variant('OAK')
  const customer = await tenant.done(customerEndpoints.create, {
    title: 'Ash',
    shipping_address: dock,
    billing_address: office,
  })
  const items = [{ item_variant_id: oak, quantity: 1 }]
  const made = (extra = {}) => order(items, { customer_id: customer.id, ...extra })
  const taken = await made()
  t.like(taken, { shipping_address: whole(dock), billing_address: whole(office) })
  t.deepEqual(await read(taken), taken)
  t.like(await made({ shipping_address: null }), { shipping_address: null, billing_address: whole(office) })
  t.like(await made({ shipping_address: office, billing_address: null }), {
    shipping_address: whole(office),
    billing_address: null,
  })
  await tenant.done(customerEndpoints.update, { shipping_address: { city: 'Kiel' } }, { id: customer.id })
  t.deepEqual(await read(taken), taken)
  t.like(await made(), { shipping_address: whole({ city: 'Kiel' }) })
  const other = await tenant.done(customerEndpoints.create, { title: 'Birch', shipping_address: office })
  const moved = await change(taken, { customer_id: other.id })
  t.deepEqual(moved.shipping_address, whole(dock))
})

test('a customer or supplier that an order brings along brings its addresses, which the order takes', async t => {
  const { order, tenant, variant } = await salesroom(bench)
  const oak = await variant('OAK')
  const items = [{ item_variant_id: oak, quantity: 1 }]
  const customer = { title: 'Ash', external_ref: 'C-1', shipping_address: dock }
  const sold = await order(items, { customer })
  t.like(sold, { shipping_address: whole(dock), billing_address: null })
  const stored = await tenant.read(customerEndpoints.read, { id: sold.customer.id })
  t.like(stored, { shipping_address: whole(dock), billing_address: null })
  // A customer that is found by its reference stays as it is.
  const again = await order(items, { customer: { ...customer, shipping_address: office } })
  t.like(again, { customer: { id: sold.customer.id }, shipping_address: whole(dock) })
  const bought = await tenant.done(buy, { supplier: { title: 'Oak', address: office }, items })
  const supplier = await tenant.read(supplierEndpoints.read, { id: bought.supplier.id })
  t.deepEqual(supplier.address, whole(office))
  const empty = { customer: { title: 'Elm', billing_address: {} }, items }
  t.is(await tenant.refusal(sell, empty), `validation_failed customer.billing_address: ${ONE_OF}`)
})

test('a PATCH replaces the addresses of an order whole, tells what they were, and changes nothing with the same', async t => {
  const { order, read, refusedChange, tryChange, variant } = await salesroom(bench)
  const oak = await variant('OAK')
  const made = await order([{ item_variant_id: oak, quantity: 1 }], { shipping_address: dock })
  t.deepEqual(await tryChange(made, { shipping_address: dock, billing_address: null }), { body: made, events: [] })
  const { body, events } = await tryChange(made, { shipping_address: office, billing_address: dock })
  t.deepEqual(body, { ...made, shipping_address: whole(office), billing_address: whole(dock) })
  t.deepEqual(
    events.map(({ type, previous }: Loose) => [type, previous]),
    [['sales_order.updated', { shipping_address: whole(dock), billing_address: null }]],
  )
  t.deepEqual(await read(made), body)
  t.is((await tryChange(made, { shipping_address: null })).body.shipping_address, null)
  t.is(await refusedChange(made, { shipping_address: {} }), `validation_failed shipping_address: ${ONE_OF}`)
})
