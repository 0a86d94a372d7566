/** The guarantees of making products: defaults, variants or the shorthand, skus, and the plan's limit. */
import * as v from 'valibot'
import { createProduct as create } from '../../lib/domain/catalogue/commands.ts'
import { getProduct as get } from '../../lib/domain/catalogue/endpoints.ts'
import { Product } from '../../lib/domain/catalogue/noun.ts'
import type { CommandEndpoint } from '../../lib/kit/api/endpoint.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { untouched } from '../stock/stockroom.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test('a product with nothing but a title gets the defaults and one variant without sku', async t => {
  const tenant = await bench.tenant()
  const { body, events } = await tenant.run(create, { title: '  Oak table ' })
  const { id, unit_id, variants } = body
  t.deepEqual(body, {
    id,
    title: 'Oak table',
    type: 'PRODUCT',
    description: null,
    category: null,
    unit_id,
    unit_name: 'pcs',
    is_sellable: true,
    is_producible: true,
    is_purchasable: true,
    batch_tracked: false,
    shelf_life_days: null,
    external_ref: null,
    ...untouched,
    archived: false,
    created_at: tenant.now,
    updated_at: tenant.now,
    variants: [
      {
        id: variants[0].id,
        item_id: id,
        title: 'Oak table',
        sku: null,
        barcode: null,
        barcodes: [],
        price: null,
        purchase_price: null,
        minimum_stock: null,
        lead_time_days: null,
        minimum_order_quantity: null,
        order_multiple: null,
        components: [],
        attributes: {},
        external_ref: null,
        metadata: {},
        archived: false,
        created_at: tenant.now,
        updated_at: tenant.now,
      },
    ],
  })
  t.deepEqual(events, [{ type: 'product.created', data: body, previous: null }])
  t.deepEqual(await tenant.read(get, { id }), body)
})

test('the kind of product decides whether it is producible unless the body says so', async t => {
  const tenant = await bench.tenant()
  const producible = async (body: object) => (await tenant.done(create, { title: 'x', ...body })).is_producible
  t.true(await producible({ type: 'PRODUCT' }))
  t.false(await producible({ type: 'MATERIAL' }))
  t.false(await producible({ type: 'SERVICE' }))
  t.false(await producible({ type: 'PRODUCT', is_producible: false }))
  t.true(await producible({ type: 'MATERIAL', is_producible: true }))
})

test('the shorthand gives the one variant its fields, decimals exactly', async t => {
  const tenant = await bench.tenant()
  const { variants } = await tenant.done(
    create,
    '{"title":"Oil","sku":" OIL ","barcode":"4006","price":1e1,"purchase_price":0.100000,"minimum_stock":999999999.999999}',
  )
  t.like(variants, [{ title: 'Oil', sku: 'OIL', barcode: '4006', price: 10, purchase_price: 0.1 }])
  t.is(variants[0].minimum_stock, 999999999.999999)
})

test('variants keep the order in which they were sent, and take the title of the product where they have none', async t => {
  const tenant = await bench.tenant()
  const sent = Array.from({ length: 100 }, (_, at) => (at % 2 ? { sku: `S-${99 - at}` } : { title: `no ${at}` }))
  const { variants } = await tenant.done(create, { title: 'Shirt', variants: sent })
  t.deepEqual(
    variants.map(({ title, sku }: { title: string; sku: string | null }) => ({ title, sku })),
    sent.map(({ title = 'Shirt', sku = null }) => ({ title, sku })),
  )
  const ids = variants.map(({ id }: { id: string }) => BigInt(id))
  t.true(ids.every((id: bigint, at: number) => at === 0 || id > ids[at - 1]))
})

test('attributes keep their text, whatever their names', async t => {
  const tenant = await bench.tenant()
  const { variants } = await tenant.done(
    create,
    '{"title":"x","variants":[{"attributes":{"colour":"grün \\"A\\"","__proto__":"p","constructor":"c"}}]}',
  )
  t.is(
    JSON.stringify(variants[0].attributes).length,
    '{"colour":"grün \\"A\\"","__proto__":"p","constructor":"c"}'.length,
  )
  t.is(variants[0].attributes.colour, 'grün "A"')
})

test('variants beside any shorthand field, also null, are refused', async t => {
  const tenant = await bench.tenant()
  const message =
    'validation_failed variants: must not stand beside sku, barcode, barcodes, price, purchase_price, minimum_stock, ' +
    'lead_time_days, minimum_order_quantity, order_multiple, components'
  t.is(await tenant.refusal(create, { title: 'x', sku: 'A', variants: [{}] }), message)
  t.is(await tenant.refusal(create, { title: 'x', minimum_stock: null, variants: [{}] }), message)
})

test('a body with a fault names its field', async t => {
  const tenant = await bench.tenant()
  const cases: [object | string, string][] = [
    [{}, 'title: is required'],
    [{ title: ' ' }, 'title: must not be empty'],
    [{ title: null }, 'title: must not be null'],
    [{ title: 'x'.repeat(256) }, 'title: must have at most 255 characters'],
    [{ title: 'x', archived: false }, 'archived: is not a known field'],
    [{ title: 'x', type: 'product' }, 'type: must be one of PRODUCT, MATERIAL, SERVICE, KIT'],
    [{ title: 'x', type: null }, 'type: must not be null'],
    [{ title: 'x', unit_name: null }, 'unit_name: must not be null'],
    [{ title: 'x', is_producible: null }, 'is_producible: must not be null'],
    [{ title: 'x', shelf_life_days: 36501 }, 'shelf_life_days: must be between 0 and 36500'],
    [{ title: 'x', sku: '' }, 'sku: must not be empty'],
    [{ title: 'x', sku: 'x'.repeat(65) }, 'sku: must have at most 64 characters'],
    [{ title: 'x', price: -1 }, 'price: must be 0 or more'],
    [{ title: 'x', price: 0.1234567 }, 'price: must have at most 6 decimals'],
    [{ title: 'x', minimum_stock: 1e9 }, 'minimum_stock: must be less than 1000000000'],
    [{ title: 'x', variants: [] }, 'variants: must have at least 1 entry'],
    [{ title: 'x', variants: Array(101).fill({}) }, 'variants: must have at most 100 entries'],
    [{ title: 'x', variants: [{}, { title: null }] }, 'variants[1].title: must not be null'],
    [{ title: 'x', variants: [{ id: '1' }] }, 'variants[0].id: is not a known field'],
    [{ title: 'x', variants: [{ attributes: null }] }, 'variants[0].attributes: must not be null'],
    [{ title: 'x', variants: [{ attributes: { a: 1 } }] }, 'variants[0].attributes: a: must be a string'],
    [{ title: 'x', variants: [{ attributes: { a: ' ' } }] }, 'variants[0].attributes: a: must not be empty'],
    [{ title: 'x', variants: [{ attributes: { ' ': 'a' } }] }, 'variants[0].attributes: a name must not be empty'],
  ]
  for (const [body, message] of cases) t.is(await tenant.refusal(create, body), `validation_failed ${message}`)
})

test('a sku is unique among the unarchived variants of the tenant, case apart', async t => {
  const tenant = await bench.tenant()
  const first = await tenant.done(create, { title: 'first', sku: 'A' })
  const taken = `"A" is taken by ${first.variants[0].id}, a variant of product ${first.id}`
  t.is(await tenant.refusal(create, { title: 'x', sku: 'A' }), `validation_failed sku: ${taken}`)
  t.is(
    await tenant.refusal(create, { title: 'x', variants: [{ sku: 'B' }, { sku: ' A' }] }),
    `validation_failed variants[1].sku: ${taken}`,
  )
  t.is(
    await tenant.refusal(create, { title: 'x', variants: [{ sku: 'B' }, {}, { sku: 'B' }] }),
    'validation_failed variants[2].sku: the sku "B" would stand on two unarchived variants of this product',
  )
  await tenant.done(create, { title: 'x', sku: 'a' })
  const other = await bench.tenant()
  await other.done(create, { title: 'another tenant', sku: 'A' })
})

test('an external_ref is unique among the products of the tenant', async t => {
  const tenant = await bench.tenant()
  const { id } = await tenant.done(create, { title: 'first', external_ref: 'shop-1' })
  t.is(
    await tenant.refusal(create, { title: 'x', external_ref: 'shop-1' }),
    `validation_failed external_ref: is taken by ${id}`,
  )
  await (await bench.tenant()).done(create, { title: 'x', external_ref: 'shop-1' })
})

test('a new unit name makes the unit, a known one is used again', async t => {
  const tenant = await bench.tenant()
  const one = await tenant.done(create, { title: 'x', unit_name: 'kg' })
  const two = await tenant.done(create, { title: 'y', unit_name: ' kg ' })
  const three = await tenant.done(create, { title: 'z', unit_name: 'KG' })
  t.is(two.unit_id, one.unit_id)
  t.not(three.unit_id, one.unit_id)
  t.deepEqual([one.unit_name, two.unit_name, three.unit_name], ['kg', 'kg', 'KG'])
})

test('the free plan holds 50 unarchived variants, and the 51st is 402', async t => {
  const tenant = await bench.tenant({ plan: 'free' })
  await tenant.done(create, { title: 'x', variants: Array(49).fill({}) })
  const message = (used: number) =>
    `SUBSCRIPTION_LIMIT the free plan holds 50 unarchived variants, of which ${used} are in use`
  t.is(await tenant.refusal(create, { title: 'x', variants: [{}, {}] }), message(49))
  await tenant.done(create, { title: 'x', sku: 'A' })
  t.is(await tenant.refusal(create, { title: 'x' }), message(50))
  const pro = await bench.tenant({ plan: 'pro' })
  await pro.done(create, { title: 'x', variants: Array(100).fill({}) })
})

test('a fault in the body is told before the limit of the plan', async t => {
  const tenant = await bench.tenant({ plan: 'free' })
  tenant.freePlanVariantsMax = 1
  await tenant.done(create, { title: 'x', sku: 'A' })
  t.regex(await tenant.refusal(create, { title: 'x', sku: 'A' }), /^validation_failed sku: /)
  t.regex(await tenant.refusal(create, { title: 'x', sku: 'B' }), /^SUBSCRIPTION_LIMIT /)
})

test('a product of another tenant is not found', async t => {
  const { id } = await (await bench.tenant()).done(create, { title: 'x' })
  t.deepEqual(await (await bench.tenant()).read(get, { id }), { refusal: 'not_found', message: 'no such product' })
})

test('answers have the declared shape, full or empty', async t => {
  const tenant = await bench.tenant()
  const example = (create as CommandEndpoint).example
  for (const body of [
    { title: 'x' },
    example as object,
    { title: 'x', sku: 'S', price: 1.000001, shelf_life_days: 1 },
  ]) {
    const { issues } = v.safeParse(replyOf(Product), await tenant.done(create, body))
    t.is(issues, undefined)
  }
})
