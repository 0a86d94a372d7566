/** Owns the guarantees of storage places: the first is main, addresses, references. */
import test from 'ava'
import * as v from 'valibot'
import type { CommandEndpoint } from '../../lib/api/endpoint.ts'
import { createStoragePlace as create, listStoragePlaces as list } from '../../lib/places/endpoints.ts'
import { StoragePlace } from '../../lib/places/schemas.ts'
import { commandBench } from '../support/command-context.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const bench = await commandBench(services.databaseUrl)
test.after.always(async () => {
  await bench.close()
  await services.close()
})

test('the first place becomes main and allows everything unless told otherwise', async t => {
  const tenant = await bench.tenant()
  t.deepEqual(await tenant.page(list), [])
  const { body, events } = await tenant.run(create, { title: ' Warehouse ' })
  t.deepEqual(body, {
    id: body.id,
    title: 'Warehouse',
    code: null,
    is_main: true,
    manufacturing_allowed: true,
    sales_allowed: true,
    purchase_allowed: true,
    address: null,
    external_ref: null,
    archived: false,
    created_at: tenant.now,
    updated_at: tenant.now,
  })
  t.deepEqual(events, [{ type: 'storage_place.created', data: body, previous: null }])
  const second = await tenant.done(create, { title: 'Shop', code: 'S', manufacturing_allowed: false })
  t.like(second, { is_main: false, code: 'S', manufacturing_allowed: false, sales_allowed: true })
  t.deepEqual(await tenant.page(list), [body, second])
  t.deepEqual(await tenant.page(list, { limit: 1 }), [body])
  t.deepEqual(await tenant.page(list, { after: body.id }), [second])
})

test('each tenant has its own main place and its own list', async t => {
  const [one, other] = [await bench.tenant(), await bench.tenant()]
  t.true((await one.done(create, { title: 'x', external_ref: 'r' })).is_main)
  t.true((await other.done(create, { title: 'x', external_ref: 'r' })).is_main)
  t.is((await one.page(list)).length, 1)
})

test('an address always shows all its fields', async t => {
  const tenant = await bench.tenant()
  const empty = { line_1: null, line_2: null, city: null, region: null, zip: null, country_code: null }
  const address = async (given: object) => (await tenant.done(create, { title: 'x', address: given })).address
  t.deepEqual(await address({ city: ' Hamburg ', country_code: 'DE' }), {
    ...empty,
    city: 'Hamburg',
    country_code: 'DE',
  })
  t.deepEqual(await address({}), empty)
})

test('places are found by external_ref, which is unique', async t => {
  const tenant = await bench.tenant()
  const a = await tenant.done(create, { title: 'a', external_ref: 'one' })
  const b = await tenant.done(create, { title: 'b', external_ref: 'two', code: 'same' })
  await tenant.done(create, { title: 'c', code: 'same' })
  t.deepEqual(await tenant.page(list, { filters: { external_ref: 'two' } }), [b])
  t.deepEqual(await tenant.page(list, { filters: { external_ref: 'three' } }), [])
  t.is(
    await tenant.refusal(create, { title: 'x', external_ref: 'one' }),
    `validation_failed external_ref: is taken by ${a.id}`,
  )
})

test('a body with a fault names its field', async t => {
  const tenant = await bench.tenant()
  const cases: [object, string][] = [
    [{}, 'title: is required'],
    [{ title: 'x', is_main: true }, 'is_main: is not a known field'],
    [{ title: 'x', sales_allowed: null }, 'sales_allowed: must not be null'],
    [{ title: 'x', code: '' }, 'code: must not be empty'],
    [{ title: 'x', address: 'Hamburg' }, 'address: must be an object'],
    [{ title: 'x', address: { street: 'x' } }, 'address.street: is not a known field'],
    [
      { title: 'x', address: { country_code: 'de' } },
      'address.country_code: must be an ISO 3166-1 alpha-2 country code',
    ],
  ]
  for (const [body, message] of cases) t.is(await tenant.refusal(create, body), `validation_failed ${message}`)
  t.deepEqual(await tenant.page(list), [])
})

test('answers have the declared shape, with and without an address', async t => {
  const tenant = await bench.tenant()
  for (const body of [{ title: 'x' }, (create as CommandEndpoint).example as object]) {
    const { issues } = v.safeParse(StoragePlace, await tenant.done(create, body))
    t.is(issues, undefined)
  }
})
