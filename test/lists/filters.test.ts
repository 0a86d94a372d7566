/** The filters of lists on a few records. */
import { changeProduct, createProduct } from '../../lib/domain/catalogue/commands.ts'
import { listProducts } from '../../lib/domain/catalogue/endpoints.ts'
import { createManufacturingOrder } from '../../lib/domain/manufacturing/orders/creation-command.ts'
import { listManufacturingOrders as listMakes } from '../../lib/domain/manufacturing/orders/endpoints.ts'
import { customerEndpoints, supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { createStoragePlace } from '../../lib/domain/places/commands.ts'
import { createOrder as createPurchaseOrder } from '../../lib/domain/purchasing/orders/commands.ts'
import { listOrders as listPurchaseOrders } from '../../lib/domain/purchasing/orders/endpoints.ts'
import { createOrder as createSalesOrder } from '../../lib/domain/sales/orders/commands.ts'
import { listOrders as listSalesOrders } from '../../lib/domain/sales/orders/endpoints.ts'
import { createReturn } from '../../lib/domain/sales/returns/commands.ts'
import { listReturns } from '../../lib/domain/sales/returns/endpoints.ts'
import { createShipment } from '../../lib/domain/sales/shipments/commands.ts'
import { createAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { listStock } from '../../lib/domain/stock/levels/endpoints.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

type Titled = { readonly title: string }
const titlesOf = (records: readonly Titled[]) => records.map(({ title }) => title)

test('q finds products by parts of words of title, sku and barcode, their own or of any variant, in any case', async t => {
  const tenant = await bench.tenant()
  const made = await tenant.done(createProduct, {
    title: 'ÄRMEL 100%',
    variants: [
      { title: 'Größe M', sku: 'AB_12', barcode: '4006381' },
      { sku: 'CD\\34', title: 'Größe L' },
    ],
  })
  await tenant.done(createProduct, { title: 'Ärmel 1000', sku: 'ABx12' })
  const found = async (q: string, more = {}) => titlesOf(await tenant.page(listProducts, { filters: { q, ...more } }))
  const both = ['ÄRMEL 100%', 'Ärmel 1000']
  t.deepEqual(await found('ärmel'), both)
  t.deepEqual(await found('RME 10'), both)
  t.deepEqual(await found('  größe\t6381 ab_ '), ['ÄRMEL 100%'])
  t.deepEqual(await found('größe 6381 ab_ x'), [])
  // The wildcards of SQL are plain characters here.
  t.deepEqual(await found('0%'), ['ÄRMEL 100%'])
  t.deepEqual(await found('b_1'), ['ÄRMEL 100%'])
  t.deepEqual(await found('d\\3'), ['ÄRMEL 100%'])
  for (const nothing of ['%', 'b%1', '_____', 'd\\\\3', '1001']) {
    const expected = nothing === '%' ? ['ÄRMEL 100%'] : []
    t.deepEqual(await found(nothing), expected, nothing)
  }
  // A word cannot match across the end of a text.
  t.deepEqual(await found('40063816'), [])
  // A change is found at once, and other filters apply in addition.
  await tenant.done(changeProduct, { title: 'Kragen' }, { id: made.id })
  t.deepEqual(await found('ärm'), ['Ärmel 1000'])
  await tenant.done(
    changeProduct,
    { variants: [{ id: made.variants[0].id, sku: 'neu-1', barcode: null }, { title: 'Ärmlich' }] },
    { id: made.id },
  )
  t.deepEqual(await found('6381'), [])
  t.deepEqual(await found('neu-1 krag'), ['Kragen'])
  t.deepEqual(await found('ärm'), ['Kragen', 'Ärmel 1000'])
  await tenant.done(changeProduct, { archived: true }, { id: made.id })
  t.deepEqual(await found('ärm', { archived: 'true' }), ['Kragen'])
  t.deepEqual(await found('ärm', { archived: 'false', type: 'PRODUCT', sku: 'ABx12' }), ['Ärmel 1000'])
  const stranger = await bench.tenant()
  t.deepEqual(await stranger.page(listProducts, { filters: { q: 'ärm' } }), [])
})

test('q finds suppliers and customers by title and e-mail address', async t => {
  for (const { create, update, list } of [supplierEndpoints, customerEndpoints]) {
    const tenant = await bench.tenant()
    const harbour = await tenant.done(create, { title: 'Harbour Timber', email: 'Sales@harbour.example' })
    await tenant.done(create, { title: 'Hill 50% off' })
    const found = async (q: string) => titlesOf(await tenant.page(list, { filters: { q } }))
    t.deepEqual(await found('TIMB sales@'), ['Harbour Timber'])
    t.deepEqual(await found('h'), ['Harbour Timber', 'Hill 50% off'])
    t.deepEqual(await found('0%'), ['Hill 50% off'])
    t.deepEqual(await found('r_t'), [])
    await tenant.done(update, { email: null }, { id: harbour.id })
    t.deepEqual(await found('sales'), [])
  }
})

test('q finds orders and returns by parts of number, external_ref and the title of the partner, in any case', async t => {
  const tenant = await bench.tenant()
  const { variants } = await tenant.done(createProduct, { title: 'Oak', type: 'SERVICE' })
  const items = [{ item_variant_id: variants[0].id, quantity: 1 }]
  const lists = [
    { create: createSalesOrder, update: customerEndpoints.update, list: listSalesOrders, of: 'customer' },
    { create: createPurchaseOrder, update: supplierEndpoints.update, list: listPurchaseOrders, of: 'supplier' },
  ]
  for (const { create, update, list, of } of lists) {
    const make = (number: string, title: string, more = {}) =>
      tenant.done(create, { number, [of]: { title }, items, ...more })
    const first = await make('AB-4711', 'Harbour Timber 50% off', { external_ref: 'Größe_7\\x' })
    await make('AB-4712', 'Hill', { external_ref: 'harbour-9' })
    await make('XY-1', 'Harbour Mill')
    const found = async (q: string, more = {}) =>
      (await tenant.page(list, { filters: { q, ...more } })).map(({ number }: { number: string }) => number)
    t.deepEqual(await found('471'), ['AB-4711', 'AB-4712'])
    t.deepEqual(await found('HARBOUR'), ['AB-4711', 'AB-4712', 'XY-1'])
    t.deepEqual(await found('  mber 711\tgrö '), ['AB-4711'])
    t.deepEqual(await found('harbour ab-'), ['AB-4711', 'AB-4712'])
    t.deepEqual(await found('harbour hill'), ['AB-4712'])
    t.deepEqual(await found('harbour hill x'), [])
    t.deepEqual(await found('h'), ['AB-4711', 'AB-4712', 'XY-1'])
    // The wildcards of SQL are plain characters here, and a word cannot match across the end of a text.
    for (const one of ['0%', 'e_7', '7\\x', '% _']) t.deepEqual(await found(one), ['AB-4711'], one)
    for (const none of ['r%t', 'b_4', '\\\\', '4711g', '1harbour', '__', '%%']) t.deepEqual(await found(none), [], none)
    t.deepEqual(await found('harbour', { number: 'XY-1' }), ['XY-1'])
    t.deepEqual(await found('471', { [`${of}_id`]: `${first[of].id},1`, status: 'OPEN' }), ['AB-4711'])
    // A new title is found at once.
    await tenant.done(update, { title: 'Beach' }, { id: first[of].id })
    t.deepEqual(await found('harbour'), ['AB-4712', 'XY-1'])
    t.deepEqual(await found('bea 11'), ['AB-4711'])
    const stranger = await bench.tenant()
    t.deepEqual(await stranger.page(list, { filters: { q: 'harbour' } }), [])
  }

  const goods = (await tenant.done(createProduct, { title: 'Chair' })).variants[0].id
  const line = { item_variant_id: goods, quantity: 2 }
  await tenant.done(createAdjustment, { items: [{ ...line, quantity: 9, unit_cost: 1 }] })
  const order = await tenant.done(createSalesOrder, { customer: { title: 'Valley' }, items: [line] })
  await tenant.done(createShipment, {}, { id: order.id })
  const returned = { sales_order_id: order.id, items: [{ sales_order_item_id: order.items[0].id, quantity: 1 }] }
  const { sales_return: back } = await tenant.done(createReturn, { ...returned, external_ref: 'RMA 31' })
  const { sales_return: other } = await tenant.done(createReturn, returned)
  const returns = async (q: string) =>
    (await tenant.page(listReturns, { filters: { q } })).map((row: Loose) => row.sales_return.id)
  t.deepEqual(await returns('valley'), [back.id, other.id])
  t.deepEqual(await returns(`rma vall 31 ${back.number}`), [back.id])
  t.deepEqual(await returns('rma 32'), [])

  await tenant.done(createStoragePlace, { title: 'Hall' })
  const made = await tenant.done(createManufacturingOrder, {
    item_variant_id: goods,
    quantity: 1,
    number: 'MO-77x',
    external_ref: 'plan_8',
  })
  const makes = async (q: string) => (await tenant.page(listMakes, { filters: { q } })).map(({ id }: Loose) => id)
  for (const one of ['77X', 'PLAN_ o-7', 'm']) t.deepEqual(await makes(one), [made.id], one)
  for (const none of ['77y', 'plan%8', 'valley']) t.deepEqual(await makes(none), [], none)
})

test('a barcode finds all products that have it', async t => {
  const tenant = await bench.tenant()
  for (const title of ['a', 'b']) await tenant.done(createProduct, { title, variants: [{}, { barcode: '77' }] })
  await tenant.done(createProduct, { title: 'c', barcode: '7' })
  const found = async (filters: Record<string, string>) =>
    titlesOf(await tenant.page(listProducts, { filters, order: 'desc' }))
  t.deepEqual(await found({ barcode: '77' }), ['b', 'a'])
  t.deepEqual(await found({ barcode: '77', q: 'a' }), ['a'])
  t.deepEqual(await found({ barcode: '777' }), [])
})

test("item_variant_id finds the tenant's products that have one of these variants", async t => {
  const [tenant, other] = [await bench.tenant(), await bench.tenant()]
  const made = []
  for (const title of ['a', 'b', 'c']) made.push(await tenant.done(createProduct, { title, variants: [{}, {}] }))
  const foreign = await other.done(createProduct, { title: 'd' })
  const found = async (...ids: unknown[]) =>
    titlesOf(await tenant.page(listProducts, { filters: { item_variant_id: ids.join() } }))
  const [a, b] = made.map(({ variants }) => variants.map(({ id }: { id: string }) => id))
  t.deepEqual(await found(a[0]), ['a'])
  t.deepEqual(await found(b[1], ...a, '1'), ['a', 'b'])
  t.deepEqual(await found(foreign.variants[0].id), [])
})

test('stock is found by sku and by batch number', async t => {
  const tenant = await bench.tenant()
  const batchOf: Record<string, string> = {}
  for (const sku of ['A', 'B']) {
    const { variants } = await tenant.done(createProduct, { title: sku, sku, batch_tracked: true })
    for (const batch_number of ['L1', `L-${sku}`])
      await tenant.done(createAdjustment, {
        items: [{ item_variant_id: variants[0].id, quantity: 1, batch_number, unit_cost: 1 }],
      })
    batchOf[sku] = variants[0].id
  }
  const found = async (filters: Record<string, string>, order: 'asc' | 'desc' = 'asc') =>
    (await tenant.page(listStock, { filters, order })).map(
      ({ sku, batch_number }: Record<string, string>) => `${sku} ${batch_number}`,
    )
  t.deepEqual(await found({ sku: 'A' }), ['A L1', 'A L-A'])
  t.deepEqual(await found({ batch_number: 'L1' }, 'desc'), ['B L1', 'A L1'])
  t.deepEqual(await found({ batch_number: 'L1', sku: 'B' }), ['B L1'])
  t.deepEqual(await found({ batch_number: 'L1', item_variant_id: batchOf['A'] ?? '' }), ['A L1'])
  t.deepEqual(await found({ sku: 'A', updated_after: tenant.now }), ['A L1', 'A L-A'])
  t.deepEqual(await found({ sku: 'A', updated_after: '2030-01-01' }), [])
  t.deepEqual(await found({ sku: 'a' }), [])
})

test('statuses are joined by commas: an unknown, empty or repeated one is refused by the name of the field', async t => {
  const tenant = await bench.tenant()
  const lists = [
    { list: listSalesOrders, fields: ['status', 'delivery_status'], of: 'OPEN,DONE' },
    { list: listPurchaseOrders, fields: ['status', 'delivery_status'], of: 'OPEN,DONE' },
    { list: listMakes, fields: ['status'], of: 'NOT_STARTED,DONE' },
    { list: listReturns, fields: ['status'], of: 'RETURNED,CANCELLED' },
  ]
  for (const { list, fields, of } of lists) {
    t.deepEqual(await tenant.page(list, { filters: { status: of } }), [])
    for (const field of fields)
      for (const wrong of [
        'X',
        `${of},X`,
        ',',
        `${of},`,
        `,${of}`,
        of.toLowerCase(),
        `${of} `,
        'OPEN,OPEN',
        'DONE,DONE',
      ]) {
        const answer = await tenant.page(list, { filters: { [field]: wrong } })
        t.is(answer.refusal, 'validation_failed', `${field}=${wrong}`)
        t.regex(answer.message, new RegExp(`^${field}: `))
      }
  }
})
