/**
 * Many commands at the same time that want the same number, external_ref or sku: one gets it, and the answers of all others name the record
 * that has it.
 */
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()

type World = { readonly variant: string; readonly place: string; readonly order: Loose; readonly supplier: string }

const cases: { path: (world: World) => string; body: (world: World) => object; field: string }[] = [
  { path: () => '/products', body: () => ({ title: 'x', external_ref: 'R' }), field: 'external_ref' },
  { path: () => '/suppliers', body: () => ({ title: 'x', external_ref: 'R' }), field: 'external_ref' },
  { path: () => '/customers', body: () => ({ title: 'x', external_ref: 'R' }), field: 'external_ref' },
  { path: () => '/storage-places', body: () => ({ title: 'x', external_ref: 'R' }), field: 'external_ref' },
  {
    path: () => '/operations',
    body: () => ({ title: 'x', cost_per_hour: 1, external_ref: 'R' }),
    field: 'external_ref',
  },
  {
    path: () => '/recipes',
    body: ({ variant, order }) => ({
      item_variant_id: order.items[1].item_variant_id,
      materials: [{ item_variant_id: variant, quantity: 1 }],
      external_ref: 'R',
    }),
    field: 'external_ref',
  },
  {
    path: () => '/supplier-items',
    body: ({ variant, supplier }) => ({ supplier_id: supplier, item_variant_id: variant, external_ref: 'R' }),
    field: 'external_ref',
  },
  ...['number', 'external_ref'].flatMap(field => {
    const items = ({ variant }: World) => [{ item_variant_id: variant, quantity: 1 }]
    return [
      { path: () => '/stock-adjustments', body: (world: World) => ({ items: items(world), [field]: 'R' }), field },
      { path: () => '/stock-counts', body: () => ({ [field]: 'R' }), field },
      {
        path: () => '/stock-transfers',
        body: (world: World) => ({
          from_storage_place_id: world.place,
          to_storage_place_id: null,
          items: items(world),
          [field]: 'R',
        }),
        field,
      },
      {
        path: () => '/purchase-orders',
        body: (world: World) => ({ supplier: { title: 'S' }, items: items(world), [field]: 'R' }),
        field,
      },
      {
        path: () => '/sales-orders',
        body: (world: World) => ({ customer: { title: 'C' }, items: items(world), [field]: 'R' }),
        field,
      },
      {
        path: () => '/reservations',
        body: (world: World) => ({ expires_at: new Date(Date.now() + 3_600_000), items: items(world), [field]: 'R' }),
        field,
      },
      {
        path: () => '/manufacturing-orders',
        body: ({ variant }: World) => ({ item_variant_id: variant, quantity: 1, [field]: 'R' }),
        field,
      },
      {
        path: ({ order }: World) => `/sales-orders/${order.id}/shipments`,
        body: ({ order }: World) => ({
          items: [{ sales_order_item_id: order.items[0].id, quantity: 1 }],
          [field]: 'R',
        }),
        field,
      },
      {
        path: ({ order }: World) => `/sales-orders/${order.id}/packings`,
        body: ({ order }: World) => ({
          items: [{ sales_order_item_id: order.items[0].id, quantity: 1 }],
          [field]: 'R',
        }),
        field,
      },
    ]
  }),
]

for (const { path, body, field } of cases) {
  const example: Loose = { id: 'ID', items: [{}, {}] }
  test(`twenty at once on POST ${path({ variant: '', place: '', order: example, supplier: '' })} with one ${field}`, async t => {
    const client = await service.tenant()
    const made = async (to: string, what: object) => {
      const { status, body: answer, text } = await client.post(to, what)
      if (status !== 201) throw new Error(text)
      return answer
    }
    const place = (await made('/storage-places', { title: 'Main' })).id
    const [one, two] = [await made('/products', { title: 'One' }), await made('/products', { title: 'Two' })]
    const [variant, other] = [one.variants[0].id, two.variants[0].id]
    await made('/stock-adjustments', { items: [{ item_variant_id: variant, quantity: 100 }] })
    const order = await made('/sales-orders', {
      customer: { title: 'C' },
      items: [variant, other].map(item_variant_id => ({ item_variant_id, quantity: 50 })),
    })
    const supplier = (await made('/suppliers', { title: 'S' })).id
    const world = { variant, place, order, supplier }
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.post(path(world), body(world))))
    const winners = replies.filter(({ status }) => status === 201)
    t.is(winners.length, 1)
    const refused = replies.filter(({ status }) => status === 400).map(({ body: { message } }) => message)
    t.deepEqual(refused, Array(19).fill(`${field}: is taken by ${winners[0]?.body.id}`))
  })
}

test('twenty at once with one sku', async t => {
  const client = await service.tenant()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => client.post('/products', { title: 'x', sku: 'OAK' })),
  )
  const [winner, ...more] = replies.filter(({ status }) => status === 201)
  t.is(more.length, 0)
  const messages = new Set(replies.filter(({ status }) => status === 400).map(({ body: { message } }) => message))
  const [variant] = winner?.body.variants ?? []
  t.deepEqual([...messages], [`sku: "OAK" is taken by ${variant.id}, a variant of product ${winner?.body.id}`])
})
