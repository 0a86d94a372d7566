/** Kits: a product of type KIT holds no stock, and its variants list their components. */

import * as v from 'valibot'
import { changeProduct as change, createProduct as create } from '../../lib/domain/catalogue/commands.ts'
import { getProduct as get } from '../../lib/domain/catalogue/endpoints.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { benchOfFile } from '../support/of-file.ts'
import { column, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
type Tenant = Awaited<ReturnType<typeof bench.tenant>>
type Json = Record<string, unknown>

const variantOf = async (tenant: Tenant, sku: string, more: object = {}) =>
  (await tenant.done(create, { title: `A ${sku}`, sku, ...more })).variants[0] as { id: string; item_id: string }

/** The components of a product as its answer shows them, without ids. */
const shownOf = ({ variants }: { variants: { components: Json[] }[] }) =>
  variants.map(({ components }) => components.map(({ sku, title, quantity }) => [sku, title, quantity]))

test('a kit shows its components in the order sent, by id or sku, as they are now', async t => {
  const tenant = await bench.tenant()
  const [cup, tea] = [await variantOf(tenant, 'CUP'), await variantOf(tenant, 'TEA', { is_sellable: false })]
  const wrapping = await variantOf(tenant, 'WRAP', { type: 'SERVICE' })
  const body = {
    title: 'Tea set',
    type: 'KIT',
    sku: 'SET',
    components: [itemLine(tea.id, 0.25), { sku: 'CUP', quantity: 2 }, itemLine(wrapping.id, 1)],
  }
  const made = await tenant.done(create, body)
  const at = { id: made.id }
  t.deepEqual(made.variants[0].components, [
    { item_variant_id: tea.id, item_id: tea.item_id, sku: 'TEA', title: 'A TEA', quantity: 0.25 },
    { item_variant_id: cup.id, item_id: cup.item_id, sku: 'CUP', title: 'A CUP', quantity: 2 },
    { item_variant_id: wrapping.id, item_id: wrapping.item_id, sku: 'WRAP', title: 'A WRAP', quantity: 1 },
  ])
  t.false('made_of' in made.variants[0])
  t.deepEqual(
    [made.is_sellable, made.is_producible, made.is_purchasable, made.batch_tracked],
    [true, false, false, false],
  )
  t.deepEqual(await tenant.read(get, at), made)
  await tenant.done(change, { sku: 'MUG' }, { id: cup.item_id })
  const after = await tenant.read(get, at)
  t.deepEqual(shownOf(after), [
    [
      ['TEA', 'A TEA', 0.25],
      ['MUG', 'A CUP', 2],
      ['WRAP', 'A WRAP', 1],
    ],
  ])
  t.is(after.updated_at, made.updated_at)
  const plain = await tenant.read(get, { id: cup.item_id })
  t.deepEqual(plain.variants[0].components, [])
})

test('a change replaces the components, and one that names what is there changes nothing', async t => {
  const tenant = await bench.tenant()
  const [cup, tea] = [await variantOf(tenant, 'CUP'), await variantOf(tenant, 'TEA')]
  const kit = { title: 'Small', sku: 'S', components: [itemLine(cup.id, 1)] }
  const made = await tenant.done(create, { title: 'Sets', type: 'KIT', variants: [kit] })
  const at = { id: made.id }
  const [{ id }] = made.variants
  const same = { variants: [{ id, components: [{ sku: 'CUP', quantity: 1 }] }] }
  t.deepEqual((await tenant.run(change, same, at)).events, [])
  const both = [
    { sku: 'TEA', quantity: 3 },
    { sku: 'CUP', quantity: 1 },
  ]
  const told = await tenant.run(change, { components: both }, at)
  t.deepEqual(shownOf(await tenant.read(get, at)), [
    [
      ['TEA', 'A TEA', 3],
      ['CUP', 'A CUP', 1],
    ],
  ])
  t.deepEqual(column(told.events, 'type'), ['product.updated'])
  const added = { variants: [{ title: 'Large', components: [itemLine(tea.id, 5)] }] }
  t.deepEqual(shownOf(await tenant.done(change, added, at)), [
    [
      ['TEA', 'A TEA', 3],
      ['CUP', 'A CUP', 1],
    ],
    [['TEA', 'A TEA', 5]],
  ])
  const kept = await bench.pool.any(rows(v.object({ part: v.string(), kits: v.number() }))`
    select item_variant_id::text as part, count(*)::int as kits from kit_components
    where tenant_id = ${tenant.id}::bigint group by item_variant_id order by item_variant_id`)
  t.deepEqual(kept, [
    { part: cup.id, kits: 1 },
    { part: tea.id, kits: 2 },
  ])
})

test('a refused component is named with its kit', async t => {
  const tenant = await bench.tenant()
  const [cup, tea] = [await variantOf(tenant, 'CUP'), await variantOf(tenant, 'TEA')]
  const set = { title: 'Set', type: 'KIT', sku: 'SET', components: [{ sku: 'CUP', quantity: 1 }] }
  const made = await tenant.done(create, set)
  const refusal = (body: object) => tenant.refusal(create, { title: 'Box', type: 'KIT', sku: 'BOX', ...body })
  const of = (...components: object[]) => refusal({ components })
  const at0 = 'validation_failed components[0].item_variant_id'
  t.is(await refusal({}), 'validation_failed components: is required: BOX is a kit, and must have at least 1 component')
  t.is(
    await tenant.refusal(create, { title: 'Box', type: 'KIT', variants: [{ sku: 'B' }] }),
    'validation_failed variants[0].components: is required: B is a kit, and must have at least 1 component',
  )
  t.is(await of({ sku: 'SET', quantity: 1 }), `${at0}: SET is a kit, so the kit BOX cannot contain it`)
  t.is(
    await of({ sku: 'CUP', quantity: 1 }, itemLine(cup.id, 2)),
    'validation_failed components[1].item_variant_id: CUP appears twice in the kit BOX',
  )
  t.is(await of(itemLine('999999999', 1)), `${at0}: no such variant`)
  t.is(
    await of({ sku: 'NONE', quantity: 1 }),
    'validation_failed components[0].sku: is the sku of no unarchived variant',
  )
  t.regex(await of({ sku: 'CUP', quantity: 0 }), /^validation_failed components\[0\]\.quantity: must be greater than 0/)
  await tenant.done(change, { archived: true }, { id: tea.item_id })
  t.is(await of(itemLine(tea.id, 1)), `${at0}: TEA is archived, so the kit BOX cannot contain it`)
  const many = Array.from({ length: 51 }, () => itemLine(cup.id, 1))
  t.is(await of(...many), 'validation_failed components: must have at most 50 entries')
  t.is(await of(), 'validation_failed components: must have at least 1 entry')
  // A component may be archived; the kit stays as it is.
  await tenant.done(change, { archived: true }, { id: cup.item_id })
  t.is(await tenant.refusal(change, { title: 'Old set' }, { id: made.id }), 'done')
})

test('a kit says nothing of stock, and other products have no components', async t => {
  const tenant = await bench.tenant()
  await variantOf(tenant, 'CUP')
  const components = [{ sku: 'CUP', quantity: 1 }]
  const kit = { title: 'Set', type: 'KIT', components }
  const refusal = (body: object) => tenant.refusal(create, { ...kit, ...body })
  for (const flag of ['is_producible', 'is_purchasable', 'batch_tracked'])
    t.is(
      await refusal({ [flag]: true }),
      `validation_failed ${flag}: must be false: a kit is neither made, bought nor tracked`,
    )
  const values = {
    shelf_life_days: 3,
    minimum_stock: 1,
    purchase_price: 2,
    lead_time_days: 1,
    minimum_order_quantity: 1,
    order_multiple: 1,
  }
  for (const [name, value] of Object.entries(values))
    t.is(await refusal({ [name]: value }), `validation_failed ${name}: must be null: a kit holds no stock`)
  const nulls = Object.fromEntries(Object.keys(values).map(name => [name, null]))
  const made = await tenant.done(create, { ...kit, ...nulls, is_producible: false, is_purchasable: false })
  const at = { id: made.id }
  t.is(
    await tenant.refusal(change, { variants: [{ id: made.variants[0].id, minimum_stock: 2 }] }, at),
    'validation_failed variants[0].minimum_stock: must be null: a kit holds no stock',
  )
  t.regex(await tenant.refusal(change, { batch_tracked: true }, at), /^validation_failed batch_tracked: must be false/)
  t.is(
    await tenant.refusal(create, { title: 'Plain', components }),
    'validation_failed components: is only for a product of type KIT',
  )
  const plain = await tenant.done(create, { title: 'Plain' })
  t.is(
    await tenant.refusal(change, { variants: [{ id: plain.variants[0].id, components }] }, { id: plain.id }),
    'validation_failed variants[0].components: is only for a product of type KIT',
  )
})

test('a variant stands in 200 kits at most', async t => {
  const tenant = await bench.tenant()
  await variantOf(tenant, 'CUP')
  const kits = (count: number, from: number) =>
    Array.from({ length: count }, (_, n) => ({ sku: `K${from + n}`, components: [{ sku: 'CUP', quantity: 1 }] }))
  const made = await tenant.done(create, { title: 'Kits', type: 'KIT', variants: kits(100, 0) })
  await tenant.done(create, { title: 'More', type: 'KIT', variants: kits(99, 100) })
  t.is(
    await tenant.refusal(create, { title: 'Last', type: 'KIT', variants: kits(2, 199) }),
    'validation_failed variants[1].components[0].item_variant_id: CUP stands in 200 kits already, so the kit K200 cannot contain it',
  )
  await tenant.done(create, { title: 'Last', type: 'KIT', variants: kits(1, 199) })
  // The product is a component of this kit already.
  const [{ id }] = made.variants
  const body = { variants: [{ id, components: [{ sku: 'CUP', quantity: 2 }] }] }
  t.is(await tenant.refusal(change, body, { id: made.id }), 'done')
})
