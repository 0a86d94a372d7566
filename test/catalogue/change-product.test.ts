/**
 * The guarantees of a change of a product: omitted fields stay, variants are named by id or by the shorthand, and an archived variant frees
 * its sku.
 */
import { changeProduct as change, createProduct as create } from '../../lib/domain/catalogue/commands.ts'
import { getProduct as get } from '../../lib/domain/catalogue/endpoints.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const LATER = '2026-11-21T06:00:00.123Z'

/** Makes a tenant with the product. The test's clock is an hour later afterwards. */
async function given(body: object, options: { plan?: 'free' | 'pro' } = {}) {
  const tenant = await bench.tenant(options)
  const product = await tenant.done(create, body)
  const at = { id: product.id }
  tenant.now = LATER
  return { tenant, product, at }
}

test('what is omitted stays, null clears, and the event tells what was before', async t => {
  const { tenant, product, at } = await given({
    title: 'Oak table',
    description: 'solid',
    category: 'Furniture',
    shelf_life_days: 5,
    external_ref: 'shop-1',
    sku: 'OAK',
    price: 10,
  })
  const { body, events } = await tenant.run(
    change,
    { description: null, shelf_life_days: null, unit_name: 'm', is_sellable: false },
    at,
  )
  t.deepEqual(body, {
    ...product,
    description: null,
    shelf_life_days: null,
    unit_id: body.unit_id,
    unit_name: 'm',
    is_sellable: false,
    updated_at: LATER,
  })
  t.not(body.unit_id, product.unit_id)
  t.deepEqual(events, [
    {
      type: 'product.updated',
      data: body,
      previous: {
        description: 'solid',
        shelf_life_days: 5,
        unit_id: product.unit_id,
        unit_name: 'pcs',
        is_sellable: true,
        updated_at: product.updated_at,
      },
    },
  ])
  t.deepEqual(await tenant.read(get, at), body)
})

test('every field can be changed', async t => {
  const { tenant, product, at } = await given({ title: 'x' })
  const fields = {
    title: 'y',
    description: 'd',
    category: 'c',
    unit_name: 'kg',
    is_sellable: false,
    is_producible: false,
    is_purchasable: false,
    batch_tracked: true,
    shelf_life_days: 0,
    external_ref: 'r',
    archived: true,
  }
  const variant = {
    title: 'v',
    sku: 's',
    barcode: 'b',
    price: 1.5,
    purchase_price: 0,
    minimum_stock: 0.000001,
    attributes: { a: 'b' },
    external_ref: 'variant-r',
    metadata: { shop: 'eu' },
    archived: true,
  }
  const [{ id }] = product.variants
  const changed = await tenant.done(change, { ...fields, variants: [{ id, ...variant }] }, at)
  t.like(changed, fields)
  t.like(changed.variants[0], { id, ...variant, created_at: product.created_at, updated_at: LATER })
})

test('a body that changes nothing writes nothing and tells nobody', async t => {
  const { tenant, product, at } = await given({
    title: 'x',
    external_ref: 'r',
    variants: [{ sku: 'A', price: 1.5, attributes: { a: '1', b: '2' } }],
  })
  const [{ id }] = product.variants
  for (const body of [
    {},
    { title: 'x', external_ref: 'r', unit_name: 'pcs', archived: false, description: null },
    { sku: 'A', price: 1.5 },
    { variants: [{ id, price: 1.5, attributes: { b: '2', a: '1' } }] },
  ]) {
    t.deepEqual(await tenant.run(change, body, at), { body: product, events: [] })
  }
})

test('the updated_at of a product moves with its variants, that of untouched variants stays', async t => {
  const { tenant, product, at } = await given({ title: 'x', variants: [{ sku: 'A' }, { sku: 'B' }] })
  const [one, two] = product.variants
  const { body, events } = await tenant.run(change, { variants: [{ id: two.id, price: 3 }] }, at)
  t.deepEqual(body, { ...product, updated_at: LATER, variants: [one, { ...two, price: 3, updated_at: LATER }] })
  t.deepEqual(events[0]?.previous, { updated_at: product.updated_at, variants: product.variants })
})

test('entries with id change, entries without add, unnamed variants stay', async t => {
  const { tenant, product, at } = await given({ title: 'x', variants: [{ sku: 'A' }, { sku: 'B' }] })
  const [one, two] = product.variants
  const body = { title: 'new', variants: [{ sku: 'C' }, { id: two.id, title: 'second' }, { title: 'D', price: 0 }] }
  const { variants } = await tenant.done(change, body, at)
  t.deepEqual(variants.slice(0, 2), [one, { ...two, title: 'second', updated_at: LATER }])
  t.like(variants[2], { title: 'new', sku: 'C', price: null, attributes: {}, archived: false, created_at: LATER })
  t.like(variants[3], { title: 'D', sku: null, price: 0 })
})

test('an id of a variant may be text or a number, and must be of this product and named once', async t => {
  const { tenant, product, at } = await given({ title: 'x', variants: [{}, {}] })
  const other = await tenant.done(create, { title: 'other' })
  const foreign = await (await bench.tenant()).done(create, { title: 'foreign' })
  const id = product.variants[0].id
  t.is((await tenant.done(change, { variants: [{ id: Number(id), price: 1 }] }, at)).variants[0].price, 1)
  for (const unknown of [other.variants[0].id, foreign.variants[0].id, product.id, '1', '-1']) {
    t.is(
      await tenant.refusal(change, { variants: [{ id }, { id: unknown }] }, at),
      'validation_failed variants[1].id: no such variant of this product',
    )
  }
  t.is(
    await tenant.refusal(change, { variants: [{ id }, { id: Number(id) }] }, at),
    'validation_failed variants[1].id: the variant appears twice',
  )
})

test('the shorthand changes the one unarchived variant, and is refused where there are several or none', async t => {
  const { tenant, product, at } = await given({ title: 'x', variants: [{ sku: 'A' }, { sku: 'B', price: 2 }] })
  const [one, two] = product.variants
  t.is(
    await tenant.refusal(change, { price: 1 }, at),
    'validation_failed price: the product has 2 unarchived variants, so name them in variants[]',
  )
  await tenant.done(change, { variants: [{ id: one.id, archived: true }] }, at)
  const changed = await tenant.done(change, { sku: 'A', price: null }, at)
  t.like(changed.variants[1], { id: two.id, sku: 'A', price: null })
  await tenant.done(change, { variants: [{ id: two.id, archived: true }] }, at)
  t.is(
    await tenant.refusal(change, { barcode: null }, at),
    'validation_failed barcode: the product has 0 unarchived variants, so name them in variants[]',
  )
})

test('variants beside any shorthand field are refused', async t => {
  const { tenant, product, at } = await given({ title: 'x' })
  t.regex(
    await tenant.refusal(change, { sku: null, variants: [{ id: product.variants[0].id }] }, at),
    /^validation_failed variants: must not stand beside/,
  )
})

test('two variants can swap their skus in one request', async t => {
  const { tenant, product, at } = await given({ title: 'x', variants: [{ sku: 'A' }, { sku: 'B' }] })
  const [one, two] = product.variants
  const body = {
    variants: [
      { id: one.id, sku: 'B' },
      { id: two.id, sku: 'A' },
    ],
  }
  t.like((await tenant.done(change, body, at)).variants, [{ sku: 'B' }, { sku: 'A' }])
  // A sku can also go from a variant that is archived to one that the same change adds.
  const next = { variants: [{ id: one.id, archived: true }, { sku: 'B' }] }
  t.like((await tenant.done(change, next, at)).variants[2], { sku: 'B' })
})

test('a taken sku is refused, naming the entry that wants it', async t => {
  const { tenant, product, at } = await given({ title: 'x', variants: [{ sku: 'A' }, { sku: 'B' }] })
  const other = await tenant.done(create, { title: 'other', sku: 'C' })
  const [one, two] = product.variants
  const taken = `"C" is taken by ${other.variants[0].id}, a variant of product ${other.id}`
  const refusal = (variants: object[]) => tenant.refusal(change, { variants }, at)
  t.is(await refusal([{ id: one.id, sku: 'C' }]), `validation_failed variants[0].sku: ${taken}`)
  t.is(await refusal([{ id: one.id }, { sku: 'C' }]), `validation_failed variants[1].sku: ${taken}`)
  const twice = 'would stand on two unarchived variants of this product'
  t.is(await refusal([{ id: one.id, sku: 'B' }]), `validation_failed variants[0].sku: the sku "B" ${twice}`)
  t.is(await refusal([{ sku: 'A' }]), `validation_failed variants[0].sku: the sku "A" ${twice}`)
  t.is(
    await refusal([{ id: two.id, sku: 'N' }, { sku: 'N' }]),
    `validation_failed variants[1].sku: the sku "N" ${twice}`,
  )
})

test('archiving a variant frees its sku, and unarchiving into a taken one is refused', async t => {
  const { tenant, product, at } = await given({ title: 'x', variants: [{ sku: 'A' }, {}] })
  const [{ id }] = product.variants
  await tenant.done(change, { variants: [{ id, archived: true }] }, at)
  const other = await tenant.done(create, { title: 'other', sku: 'A' })
  t.is(
    await tenant.refusal(change, { variants: [{ id, archived: false }] }, at),
    `validation_failed variants[0].archived: the sku "A" is taken by ${other.variants[0].id}, a variant of product ${other.id}`,
  )
  const freed = await tenant.done(change, { variants: [{ id, archived: false, sku: 'A2' }] }, at)
  t.like(freed.variants[0], { sku: 'A2', archived: false })
  t.is(
    await tenant.refusal(change, { sku: 'A2' }, { id: other.id }),
    `validation_failed sku: "A2" is taken by ${id}, a variant of product ${product.id}`,
  )
})

test('archiving a product archives its variants in effect and keeps their own flags', async t => {
  const { tenant, product, at } = await given({ title: 'x', variants: [{ sku: 'A' }, { sku: 'B' }] })
  const [one, two] = product.variants
  await tenant.done(change, { variants: [{ id: two.id, archived: true }] }, at)
  const archived = await tenant.done(change, { archived: true }, at)
  t.like(archived, { archived: true, updated_at: LATER })
  t.deepEqual(archived.variants[0], one)
  const other = await tenant.done(create, { title: 'other', sku: 'A' })
  t.is(
    await tenant.refusal(change, { archived: false }, at),
    `validation_failed archived: the sku "A" is taken by ${other.variants[0].id}, a variant of product ${other.id}`,
  )
  // While the product is archived, its variants may hold any sku.
  await tenant.done(change, { variants: [{ id: two.id, archived: false, sku: 'A' }] }, at)
  const back = await tenant.done(
    change,
    {
      archived: false,
      variants: [
        { id: one.id, sku: 'A1' },
        { id: two.id, sku: 'A2' },
      ],
    },
    at,
  )
  t.like(back.variants, [
    { sku: 'A1', archived: false },
    { sku: 'A2', archived: false },
  ])
})

test('unarchiving a product is refused where two of its own variants have one sku', async t => {
  const { tenant, at } = await given({ title: 'x', variants: [{ sku: 'A' }] })
  await tenant.done(change, { archived: true }, at)
  await tenant.done(change, { variants: [{ sku: 'A' }] }, at)
  t.is(
    await tenant.refusal(change, { archived: false }, at),
    'validation_failed archived: the sku "A" would stand on two unarchived variants of this product',
  )
})

test('an external_ref that another product has is refused, its own is not', async t => {
  const { tenant, at } = await given({ title: 'x', external_ref: 'one' })
  const { id } = await tenant.done(create, { title: 'y', external_ref: 'two' })
  t.is(await tenant.refusal(change, { external_ref: 'two' }, at), `validation_failed external_ref: is taken by ${id}`)
  t.is((await tenant.done(change, { external_ref: 'one', title: 'z' }, at)).external_ref, 'one')
  t.is((await tenant.done(change, { external_ref: null }, at)).external_ref, null)
})

test('a body with a fault names its field', async t => {
  const { tenant, product, at } = await given({ title: 'x' })
  const [{ id }] = product.variants
  const cases: [object, string][] = [
    [{ type: 'MATERIAL' }, 'type: is not a known field'],
    [{ title: null }, 'title: must not be null'],
    [{ unit_name: null }, 'unit_name: must not be null'],
    [{ is_sellable: null }, 'is_sellable: must not be null'],
    [{ archived: null }, 'archived: must not be null'],
    [{ batch_tracked: 'true' }, 'batch_tracked: must be true or false'],
    [{ variants: null }, 'variants: must not be null'],
    [{ variants: [] }, 'variants: must have at least 1 entry'],
    [{ variants: [{ id: null }] }, 'variants[0].id: must not be null'],
    [{ variants: [{ id: 'x' }] }, 'variants[0].id: must be an id (an int64 integer, as a string or a number)'],
    [{ variants: [{ id, attributes: null }] }, 'variants[0].attributes: must not be null'],
    [{ variants: [{ id, updated_at: LATER }] }, 'variants[0].updated_at: is not a known field'],
    [{ variants: [{ archived: false }] }, 'variants[0].archived: goes with the id of a variant'],
  ]
  for (const [body, message] of cases) t.is(await tenant.refusal(change, body, at), `validation_failed ${message}`)
  t.deepEqual(await tenant.read(get, at), product)
})

test('a product that the tenant does not have is not found, whatever the body wants', async t => {
  const { at } = await given({ title: 'x' })
  const tenant = await bench.tenant()
  t.is(await tenant.refusal(change, { title: 'y' }, at), 'not_found no such product')
  t.is(await tenant.refusal(change, { title: 'y' }, { id: '-9223372036854775808' }), 'not_found no such product')
})

test('a product holds at most 1000 variants', async t => {
  const { tenant, at } = await given({ title: 'x', variants: Array(100).fill({}) })
  for (let round = 0; round < 9; round++) await tenant.done(change, { variants: Array(100).fill({}) }, at)
  t.is(
    await tenant.refusal(change, { variants: [{}] }, at),
    'validation_failed variants: a product has at most 1000 variants',
  )
  t.is((await tenant.read(get, at)).variants.length, 1000)
})

test('the free plan limits adding and unarchiving, and nothing else', async t => {
  const { tenant, product, at } = await given({ title: 'x', variants: [{}, {}] }, { plan: 'free' })
  const [one, two] = product.variants
  tenant.freePlanVariantsMax = 2
  const over = /^SUBSCRIPTION_LIMIT the free plan holds 2 unarchived variants/
  t.regex(await tenant.refusal(change, { variants: [{}] }, at), over)
  await tenant.done(change, { variants: [{ id: one.id, archived: true }, {}] }, at)
  t.regex(await tenant.refusal(change, { variants: [{ id: one.id, archived: false }] }, at), over)
  await tenant.done(change, { archived: true }, at)
  const next = await tenant.done(create, { title: 'y' })
  t.regex(await tenant.refusal(change, { archived: false }, at), over)
  // Variants of an archived product do not count for the plan's limit.
  await tenant.done(change, { variants: [{ id: one.id, archived: false }, { title: 'more' }] }, at)
  await tenant.done(change, { archived: true }, { id: next.id })
  // A tenant above its limit can still change what it has.
  tenant.freePlanVariantsMax = 5
  await tenant.done(change, { archived: false }, at)
  tenant.freePlanVariantsMax = 1
  await tenant.done(change, { title: 'renamed', variants: [{ id: two.id, price: 1 }] }, at)
  await tenant.done(change, { variants: [{ id: two.id, archived: true }] }, at)
})

test('batch tracking cannot change while the product has stock', async t => {
  const { tenant, product, at } = await given({ title: 'x', variants: [{}, {}] })
  const stock = (quantity: string) =>
    bench.pool.query(statement`
      insert into stock_levels (
        tenant_id, item_variant_id, quantity, quarantine_quantity, reserved_quantity, expected_quantity, updated_at
      ) values (${tenant.id}::bigint, ${product.variants[1].id}::bigint, ${quantity}::numeric, 0, 3, 3, now())
      on conflict (tenant_id, item_variant_id, place_key, batch_key) do update set quantity = excluded.quantity
    `)
  await stock('0.000001')
  t.is(
    await tenant.refusal(change, { batch_tracked: true }, at),
    'validation_failed batch_tracked: cannot change while the product has stock',
  )
  await tenant.done(change, { batch_tracked: false, unit_name: 'kg', shelf_life_days: 3 }, at)
  await stock('0')
  t.true((await tenant.done(change, { batch_tracked: true }, at)).batch_tracked)
})
