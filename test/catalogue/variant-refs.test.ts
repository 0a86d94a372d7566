/** References and metadata of variants: references are unique among all variants and found by a filter, and changes merge metadata. */
import { changeProduct as change, createProduct as create } from '../../lib/domain/catalogue/commands.ts'
import { listProducts } from '../../lib/domain/catalogue/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test("a reference of a variant is unique among the tenant's variants, archived ones too", async t => {
  const tenant = await bench.tenant()
  const made = await tenant.done(create, { title: 'Mug', variants: [{ external_ref: 'v-1' }] })
  const [{ id }] = made.variants
  const taken = (place: string) =>
    `validation_failed ${place}.external_ref: "v-1" is taken by ${id}, a variant of product ${made.id}`
  await tenant.done(change, { archived: true }, { id: made.id })
  t.is(await tenant.refusal(create, { title: 'Cup', variants: [{ external_ref: 'v-1' }] }), taken('variants[0]'))
  // A product's own reference is separate from those of its variants.
  const cup = await tenant.done(create, { title: 'Cup', external_ref: 'v-1', sku: 'CUP' })
  t.is(cup.variants[0].external_ref, null)
  const add = { variants: [{ title: 'Small' }, { title: 'Large', external_ref: 'v-1' }] }
  t.is(await tenant.refusal(change, add, { id: cup.id }), taken('variants[1]'))
  const twice = [{ external_ref: 'v-2' }, { external_ref: 'v-2' }]
  t.is(
    await tenant.refusal(create, { title: 'Jug', variants: twice }),
    'validation_failed variants[1].external_ref: "v-2" would stand on two variants of this product',
  )
  // Another tenant may use the same reference.
  const other = await bench.tenant()
  await other.done(create, { title: 'Mug', variants: [{ external_ref: 'v-1' }] })
})

test('two variants swap their references in one change, and a freed one is taken at once', async t => {
  const tenant = await bench.tenant()
  const made = await tenant.done(create, {
    title: 'Mug',
    variants: [{ external_ref: 'a' }, { external_ref: 'b' }, { external_ref: 'c' }],
  })
  const [one, two, three] = made.variants.map(({ id }: { id: string }) => id)
  const swapped = await tenant.done(
    change,
    {
      variants: [
        { id: one, external_ref: 'b' },
        { id: two, external_ref: 'a' },
        { id: three, external_ref: null },
        { title: 'New', external_ref: 'c' },
      ],
    },
    { id: made.id },
  )
  t.deepEqual(column(swapped.variants, 'external_ref'), ['b', 'a', null, 'c'])
  t.is(
    await tenant.refusal(change, { variants: [{ id: three, external_ref: 'a' }] }, { id: made.id }),
    'validation_failed variants[0].external_ref: "a" would stand on two variants of this product',
  )
})

test('metadata of a variant merges and keeps its limits', async t => {
  const tenant = await bench.tenant()
  const made = await tenant.done(create, { title: 'Mug', variants: [{ metadata: { a: '1', b: '2' } }] })
  const at = { id: made.id }
  const [{ id }] = made.variants
  const merged = await tenant.run(change, { variants: [{ id, metadata: { b: null, c: '3' } }] }, at)
  t.deepEqual(merged.body.variants[0].metadata, { a: '1', c: '3' })
  t.is(merged.events.length, 1)
  t.is((await tenant.run(change, { variants: [{ id, metadata: { a: '1', x: null } }] }, at)).events.length, 0)
  const names = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`n${n}`, 'x']))
  t.is(
    await tenant.refusal(change, { variants: [{ id, metadata: names }] }, at),
    'validation_failed variants[0].metadata: must have at most 50 names',
  )
  const added = await tenant.done(change, { variants: [{ title: 'New', metadata: { k: 'v', gone: null } }] }, at)
  t.deepEqual(added.variants[1].metadata, { k: 'v' })
})

test('the filter variant_external_ref finds the product of the variant', async t => {
  const tenant = await bench.tenant()
  await tenant.done(create, { title: 'Cup', external_ref: 'v-9', sku: 'CUP' })
  const made = await tenant.done(create, { title: 'Mug', variants: [{}, { title: 'L', external_ref: 'v-9' }] })
  const found = async (variant_external_ref: string) =>
    (await tenant.page(listProducts, { filters: { variant_external_ref } })).map(({ id }: { id: string }) => id)
  t.deepEqual(await found('v-9'), [made.id])
  t.deepEqual(await found('v-8'), [])
})
