/** Kits on sales orders: the order's line is of the kit, and its components are reserved, held, shipped and counted. */
import { changeProduct, createProduct } from '../../lib/domain/catalogue/commands.ts'
import { getProduct, listProducts } from '../../lib/domain/catalogue/endpoints.ts'
import { listShortagesEndpoint } from '../../lib/domain/planning/shortages/endpoints.ts'
import { createReservation, releaseReservation } from '../../lib/domain/sales/reservations/commands.ts'
import { getReservation } from '../../lib/domain/sales/reservations/endpoints.ts'
import { getShipment, listAllShipments } from '../../lib/domain/sales/shipments/endpoints.ts'
import { reverseShipment } from '../../lib/domain/sales/shipments/reversal.ts'
import { listBatches } from '../../lib/domain/stock/batches/endpoints.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf } from '../support/units.ts'
import { salesroom } from './salesroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()

/** A tenant with 10 cups, 1 tea (kg) and a service, and the kit SET of 2 cups, a third of tea and 1 wrapping. */
async function room() {
  const made = await salesroom(bench)
  const { tenant } = made
  const [cup, tea] = [await made.variant('CUP', { is_sellable: false }), await made.variant('TEA')]
  const wrap = await made.variant('WRAP', { type: 'SERVICE' })
  const product = await tenant.done(createProduct, {
    title: 'Tea set',
    type: 'KIT',
    sku: 'SET',
    price: 20,
    components: [itemLine(cup, 2), itemLine(tea, 0.333333), itemLine(wrap, 1)],
  })
  await made.adjust([itemLine(cup, 10, { unit_cost: 3 }), itemLine(tea, 1, { unit_cost: 12 })])
  const set: string = product.variants[0].id
  return {
    ...made,
    ids: { cup, tea, wrap, set },
    /** `[quantity, reserved]` by sku. */
    levels: async () =>
      Object.fromEntries((await made.stock()).map(row => [row.sku, [row.quantity, row.reserved_quantity]])),
    faults: () => bench.faults(tenant.id),
  }
}

const parts = ({ components }: Loose): unknown[][] => columns(components, 'sku', 'quantity', 'shipped_quantity')

test('a line of a kit shows its components, which are reserved', async t => {
  const { order, read, change, levels, faults, tenant, ids } = await room()
  const made = await order([itemLine(ids.set, 3)])
  const [line] = made.items
  t.deepEqual([line.sku, line.price, line.line_amount], ['SET', 20, 60])
  t.deepEqual(
    columns(line.components, 'item_variant_id', 'sku', 'title', 'quantity_per_kit', 'quantity', 'shipped_quantity'),
    [
      [ids.cup, 'CUP', 'Item CUP', 2, 6, 0],
      [ids.tea, 'TEA', 'Item TEA', 0.333333, 0.999999, 0],
      [ids.wrap, 'WRAP', 'Item WRAP', 1, 3, 0],
    ],
  )
  t.deepEqual(Object.keys(line.components[0]), [
    ...['id', 'item_variant_id', 'sku', 'title', 'quantity_per_kit', 'quantity', 'shipped_quantity'],
  ])
  t.deepEqual(await read(made), made)
  t.deepEqual(await levels(), { CUP: [10, 6], TEA: [1, 0.999999] })
  const more = await change(made, {
    items: [
      { id: line.id, quantity: 6 },
      { sku: 'SET', quantity: 1 },
    ],
  })
  t.deepEqual(more.items.map(parts), [
    [
      ['CUP', 12, 0],
      ['TEA', 1.999998, 0],
      ['WRAP', 6, 0],
    ],
    [
      ['CUP', 2, 0],
      ['TEA', 0.333333, 0],
      ['WRAP', 1, 0],
    ],
  ])
  t.deepEqual(await levels(), { CUP: [10, 14], TEA: [1, 2.333331] })
  const short = await tenant.page(listShortagesEndpoint, {})
  t.deepEqual(
    short.map(({ sku, short_quantity, demand }: Loose) => [sku, short_quantity, demand.length, demand[0].quantity]),
    [
      ['CUP', 4, 1, 14],
      ['TEA', 1.333331, 1, 2.333331],
    ],
  )
  t.deepEqual(await faults(), [])
  await change(made, { status: 'CANCELLED' })
  t.deepEqual(await levels(), { CUP: [10, 0], TEA: [1, 0] })
  t.deepEqual(await faults(), [])
})

test('a component of which nothing is needed is no demand', async t => {
  const { order, tenant, ids } = await room()
  const components = [{ item_variant_id: ids.cup, quantity: 0.000001 }]
  await tenant.done(createProduct, { title: 'Crumb', type: 'KIT', sku: 'CRUMB', components })
  const items = [{ sku: 'CRUMB', quantity: 0.4 }]
  await tenant.done(createReservation, { expires_at: new Date(Date.now() + 60_000).toISOString(), items })
  await order(items)
  const sets = await order([{ item_variant_id: ids.set, quantity: 6 }])
  const [cups] = await tenant.page(listShortagesEndpoint, {})
  t.deepEqual(columns(cups.demand, 'source_id', 'quantity'), [[sets.id, 12]])
})

test('without backorder plain lines and components count together', async t => {
  const { refusedOrder, order, ids } = await room()
  const lines = (sets: number, tea: number) => [itemLine(ids.tea, tea), itemLine(ids.set, sets)]
  const strict = { allow_backorder: false }
  t.is(
    await refusedOrder(lines(2, 0.5), strict),
    'insufficient_stock items[0].quantity: not enough TEA: 1.166666 needed, 1 on hand',
  )
  t.is(
    await refusedOrder([itemLine(ids.set, 6)], strict),
    'insufficient_stock items[0].quantity: not enough CUP (of the kit SET): 12 needed, 10 on hand; items[0].quantity: not enough TEA (of the kit SET): 1.999998 needed, 1 on hand',
  )
  t.is((await order(lines(2, 0.25), strict)).status, 'OPEN')
})

test('kits are shipped in shares of their components, and the last shipment takes the rest', async t => {
  const { order, ship, read, levels, movements, faults, tenant, ids } = await room()
  const made = await order([itemLine(ids.set, 3)])
  const [{ id }] = made.items
  const first = await ship(made, { items: [{ sales_order_item_id: id, quantity: 1 }] })
  t.deepEqual(first.items, [
    {
      id: first.items[0].id,
      sales_order_item_id: id,
      item_variant_id: ids.set,
      quantity: 1,
      batch_id: null,
      storage_place_id: null,
      components: [
        { item_variant_id: ids.cup, sku: 'CUP', title: 'Item CUP', quantity: 2, batch_id: null, batch_number: null },
        {
          item_variant_id: ids.tea,
          sku: 'TEA',
          title: 'Item TEA',
          quantity: 0.333333,
          batch_id: null,
          batch_number: null,
        },
        { item_variant_id: ids.wrap, sku: 'WRAP', title: 'Item WRAP', quantity: 1, batch_id: null, batch_number: null },
      ],
    },
  ])
  t.deepEqual(await tenant.read(getShipment, { id: first.id }), first)
  t.deepEqual(await levels(), { CUP: [8, 4], TEA: [0.666667, 0.666666] })
  const between = await read(made)
  t.deepEqual(parts(between.items[0]), [
    ['CUP', 6, 2],
    ['TEA', 0.999999, 0.333333],
    ['WRAP', 3, 1],
  ])
  t.deepEqual(await faults(), [])
  await ship(made)
  const after = await read(made)
  t.deepEqual([after.status, after.delivery_status], ['DONE', 'SHIPPED'])
  t.deepEqual(parts(after.items[0]), [
    ['CUP', 6, 6],
    ['TEA', 0.999999, 0.999999],
    ['WRAP', 3, 3],
  ])
  t.deepEqual(await levels(), { CUP: [4, 0], TEA: [0.000001, 0] })
  t.deepEqual(columns(await movements({ source_type: 'SALES_SHIPMENT' }), 'quantity', 'value'), [
    [-2, -6],
    [-0.333333, -4],
    [-4, -12],
    [-0.666666, -8],
  ])
  t.deepEqual(await faults(), [])
  // The shipment of the first is reversed.
  await tenant.done(reverseShipment, { reason: 'Lost' }, { id: first.id })
  t.deepEqual(await levels(), { CUP: [6, 2], TEA: [0.333334, 0.333333] })
  t.deepEqual(parts((await read(made)).items[0]), [
    ['CUP', 6, 4],
    ['TEA', 0.999999, 0.666666],
    ['WRAP', 3, 2],
  ])
  t.deepEqual(await faults(), [])
})

test('short components are named with their kit, and nothing moves', async t => {
  const { order, refusedShip, refusedChange, levels, ids } = await room()
  const made = await order([itemLine(ids.set, 6)])
  const [{ id }] = made.items
  t.is(
    await refusedShip(made, { items: [{ sales_order_item_id: id, quantity: 4 }] }),
    'insufficient_stock items[0].quantity: not enough TEA (of the kit SET): 1.333332 needed, 1 on hand',
  )
  t.regex(
    await refusedChange(made, { delivery_status: 'SHIPPED' }),
    /not enough CUP \(of the kit SET\): 12 needed, 10 on hand/,
  )
  t.deepEqual(await levels(), { CUP: [10, 12], TEA: [1, 1.999998] })
})

test('a hold of a kit holds its components, and the order that takes it has them', async t => {
  const { order, levels, faults, tenant, ids } = await room()
  const body = { expires_at: '2026-11-21T05:15:00.000Z', items: [{ sku: 'SET', quantity: 2 }] }
  const hold = await tenant.done(createReservation, body)
  t.deepEqual(columns(hold.items[0].components, 'sku', 'quantity_per_kit', 'quantity'), [
    ['CUP', 2, 4],
    ['TEA', 0.333333, 0.666666],
    ['WRAP', 1, 2],
  ])
  t.deepEqual(await tenant.read(getReservation, { id: hold.id }), hold)
  t.deepEqual(await levels(), { CUP: [10, 4], TEA: [1, 0.666666] })
  t.deepEqual(await faults(), [])
  t.is(
    await tenant.refusal(createReservation, body),
    'insufficient_stock items[0].quantity: not enough TEA (of the kit SET): 0.666666 needed, 1 on hand, of which 0.333334 can be taken',
  )
  await order([itemLine(ids.set, 1)], { reservation_id: hold.id, allow_backorder: false })
  t.deepEqual(await levels(), { CUP: [10, 2], TEA: [1, 0.333333] })
  const other = await tenant.done(createReservation, body)
  t.deepEqual(await levels(), { CUP: [10, 6], TEA: [1, 0.999999] })
  await tenant.done(releaseReservation, undefined, { id: other.id })
  t.deepEqual(await levels(), { CUP: [10, 2], TEA: [1, 0.333333] })
  t.deepEqual(await faults(), [])
})

test('a component is shipped from the batches that are named', async t => {
  const { order, ship, refusedShip, adjust, variant, faults, tenant, stock } = await room()
  const milk = await variant('MILK', { batch_tracked: true })
  const [one, two] = (
    await adjust([
      itemLine(milk, 3, { batch_number: 'A', expiry_date: '2027-01-01' }),
      itemLine(milk, 3, { batch_number: 'B', expiry_date: '2027-02-01' }),
    ])
  ).items.map(({ batch_id }: Loose) => batch_id)
  await tenant.done(createProduct, {
    ...{ title: 'Box', type: 'KIT', sku: 'BOX' },
    components: [
      { sku: 'MILK', quantity: 2 },
      { sku: 'CUP', quantity: 1 },
    ],
  })
  const made = await order([{ sku: 'BOX', quantity: 3 }])
  const entry = (components: Loose[], quantity = 1) => ({
    items: [{ sales_order_item_id: made.items[0].id, quantity, components }],
  })
  const of = (batch_id: string, quantity: number) => ({ item_variant_id: milk, batch_id, quantity })
  const at0 = 'validation_failed items[0].components[0]'
  t.is(
    await refusedShip(made, entry([of(two, 1)])),
    `${at0}.quantity: the batches of MILK (of the kit BOX) must be 2 together, not 1`,
  )
  t.is(
    await refusedShip(made, entry([of(two, 1), of(two, 1)])),
    'validation_failed items[0].components[1].batch_id: the batch B of MILK (of the kit BOX) appears twice',
  )
  const shipped = await ship(made, entry([of(two, 2)]))
  t.deepEqual(columns(shipped.items[0].components, 'sku', 'quantity', 'batch_number'), [
    ['MILK', 2, 'B'],
    ['CUP', 1, null],
  ])
  t.regex(
    await refusedShip(made, entry([of(two, 2)])),
    /^insufficient_stock .*not enough MILK \(of the kit BOX\) \(batch B\)/,
  )
  const rest = await ship(made)
  t.deepEqual(columns(rest.items[0].components, 'sku', 'quantity', 'batch_id'), [
    ['MILK', 3, one],
    ['MILK', 1, two],
    ['CUP', 2, null],
  ])
  t.deepEqual(
    columns(await stock({ item_variant_id: milk }), 'batch_number', 'quantity').filter(([batch]) => batch),
    [
      ['A', 0],
      ['B', 0],
    ],
  )
  t.deepEqual(await faults(), [])
})

test('kits come back in shares of what left, at the value at which it left', async t => {
  const { order, ship, giveBack, refusedGiveBack, receive, readReturn, levels, movements, faults, ids } = await room()
  const made = await order([itemLine(ids.set, 3)])
  const [{ id }] = made.items
  await ship(made)
  const line = (quantity: number, more: Loose = {}) => ({ sales_order_item_id: id, quantity, ...more })
  const part = (item_variant_id: string, quantity: number) => itemLine(item_variant_id, quantity)
  const at0 = 'validation_failed items[0].components'
  t.is(
    await refusedGiveBack(made, [line(1, { components: [part(ids.cup, 3)] })]),
    `${at0}[0].quantity: at most 2 of CUP (of the kit SET) come back with so many kits`,
  )
  t.is(
    await refusedGiveBack(made, [line(1, { components: [part(ids.cup, 1), part(ids.cup, 1)] })]),
    `${at0}[1].item_variant_id: CUP (of the kit SET) appears twice`,
  )
  t.is(
    await refusedGiveBack(made, [line(1, { components: [part(ids.set, 1)] })]),
    `${at0}[0].item_variant_id: is no component of the kit SET`,
  )
  t.is(
    await refusedGiveBack(made, [line(1, { restock: false, components: [part(ids.cup, 1)] })]),
    `${at0}: nothing of the kit SET comes in with this line`,
  )
  const back = await giveBack(made, [line(1, { components: [part(ids.tea, 0)] })])
  t.deepEqual(columns(back.items[0].components, 'sku', 'quantity', 'batch_id', 'batch_number'), [
    ['CUP', 2, null, null],
    ['WRAP', 1, null, null],
  ])
  t.is(back.items[0].refund_amount, 20)
  t.deepEqual(await readReturn(back), back)
  await receive(back)
  t.deepEqual(await levels(), { CUP: [6, 0], TEA: [0.000001, 0] })
  const rest = await giveBack(made, [line(2)])
  t.deepEqual(columns(rest.items[0].components, 'sku', 'quantity'), [
    ['CUP', 4],
    ['TEA', 0.666666],
    ['WRAP', 2],
  ])
  await receive(rest)
  t.deepEqual(await levels(), { CUP: [10, 0], TEA: [0.666667, 0] })
  t.deepEqual(columns(await movements({ source_type: 'SALES_RETURN' }), 'quantity', 'value'), [
    [2, 6],
    [4, 12],
    [0.666666, 8],
  ])
  t.deepEqual(await faults(), [])
})

test('an archived component is refused in new lines and holds, naming the kit; open orders go on', async t => {
  const { order, ship, refusedOrder, refusedChange, refusedAdjust, tenant, ids } = await room()
  const made = await order([itemLine(ids.set, 1)])
  const { id } = await tenant.read(getProduct, { id: await itemOf(ids.cup) })
  await tenant.done(changeProduct, { archived: true }, { id })
  const line = itemLine(ids.set, 1)
  const refusal = 'validation_failed items[0].item_variant_id: CUP, a component of the kit SET, is archived'
  t.is(await refusedOrder([line]), refusal)
  t.is(await refusedChange(made, { items: [line] }), refusal)
  t.is(await tenant.refusal(createReservation, { expires_at: '2026-11-21T05:15:00.000Z', items: [line] }), refusal)
  await ship(made)
  const kit = 'validation_failed items[0].item_variant_id: SET is a kit and holds no stock'
  t.is(await refusedAdjust([itemLine(ids.set, 1)]), kit)

  async function itemOf(variantId: string): Promise<string> {
    const [product] = await tenant.page(listProducts, { filters: { item_variant_id: variantId } })
    return product.id
  }
})

test('shipments are found by the components and batches that left, each once', async t => {
  const { order, ship, adjust, variant, tenant, ids, faults } = await room()
  const milk = await variant('MILK', { batch_tracked: true })
  await adjust([
    itemLine(milk, 3, { unit_cost: 1, batch_number: 'A', expiry_date: '2099-01-01' }),
    itemLine(milk, 3, { unit_cost: 1, batch_number: 'B', expiry_date: '2099-02-01' }),
  ])
  const shake = await tenant.done(createProduct, {
    title: 'Shake',
    type: 'KIT',
    sku: 'SHAKE',
    components: [itemLine(milk, 2), itemLine(ids.tea, 0.1)],
  })
  const lineOf = (item_variant_id: string) => itemLine(item_variant_id, item_variant_id === ids.tea ? 0.1 : 1)
  const shipped = async (...variants: string[]) => (await ship(await order(variants.map(lineOf)))).id as string
  const first = await shipped(shake.variants[0].id)
  const second = await shipped(shake.variants[0].id, ids.tea)
  const third = await shipped(ids.set, ids.tea)
  const [b, a] = (await tenant.page(listBatches, { filters: { item_variant_id: milk }, order: 'desc' })).map(
    ({ id }: Loose) => id,
  )
  const found = async (filters: Record<string, string>, order: 'asc' | 'desc' = 'asc') =>
    (await tenant.page(listAllShipments, { filters, order })).map(({ id }: Loose) => id)
  t.deepEqual(await found({ item_variant_id: milk }), [first, second])
  t.deepEqual(await found({ item_variant_id: ids.tea }, 'desc'), [third, second, first])
  t.deepEqual(await found({ item_variant_id: `${milk},${ids.tea}` }), [first, second, third])
  t.deepEqual(await found({ item_variant_id: shake.variants[0].id }), [first, second])
  t.deepEqual(await found({ batch_id: a }), [first, second])
  t.deepEqual(await found({ batch_id: b }), [second])
  t.deepEqual(await found({ batch_id: `${a},${b}` }), [first, second])
  t.deepEqual(await found({ batch_id: b, item_variant_id: ids.tea }), [])
  t.deepEqual(await found({ batch_id: b, item_variant_id: milk }), [second])
  t.deepEqual(await found({ item_variant_id: milk, created_after: '2099-01-01T00:00:00Z' }), [])
  const trace = await tenant.read(endpointOf('traceBatch'), { id: b }, { direction: 'forward' })
  t.deepEqual(
    columns(trace.rows, 'kind', 'quantity').filter(([kind]) => kind === 'SHIPPED'),
    [['SHIPPED', 1]],
  )
  t.deepEqual(await faults(), [])
})

test('a new line of a kit may be added and shipped at once', async t => {
  const { order, change, refusedChange, levels, ids, faults } = await room()
  const made = await order([itemLine(ids.tea, 0.000001)], { allow_backorder: false })
  t.is(
    await refusedChange(made, { items: [itemLine(ids.set, 5)] }),
    'insufficient_stock not enough TEA: 1.666666 needed, 1 on hand',
  )
  const done = await change(made, { items: [itemLine(ids.set, 3)], delivery_status: 'SHIPPED' })
  t.is(done.delivery_status, 'SHIPPED')
  t.deepEqual(await levels(), { CUP: [4, 0], TEA: [0, 0] })
  t.deepEqual(await faults(), [])
})

test('orders of kits and of their parts in one transaction have the summed demand checked', async t => {
  const { tenant, ids, levels, faults } = await room()
  const order = (quantity: number) => ({
    customer: { title: 'C' },
    allow_backorder: false,
    items: [itemLine(ids.set, quantity)],
  })

  const step = (quantity: number) => commandOf(tenant.id, ['createSalesOrder', order(quantity)])
  // 10 cups with 2 in each kit, and 1 of tea with a third in each.
  const [outcomes = []] = await units.outcomesOf([{ tenantId: tenant.id, commands: [step(2), step(2), step(1)] }])
  t.deepEqual(
    outcomes.map(outcome => (outcome.kind === 'refused' ? outcome.refusal.refusal : outcome.kind)),
    ['done', 'insufficient_stock', 'done'],
  )
  t.deepEqual(await levels(), { CUP: [10, 6], TEA: [1, 0.999999] })
  t.deepEqual(await faults(), [])
})

test('a kit of which nothing leaves or comes back has no movements, and the books agree', async t => {
  const { order, ship, giveBack, receive, faults, tenant, movements, ids } = await room()
  const kitOf = async (sku: string, quantity: number) => {
    const components = [itemLine(ids.cup, quantity)]
    return tenant.done(createProduct, { title: sku, type: 'KIT', sku, components })
  }
  await kitOf('PAIR', 2)
  await kitOf('CRUMB', 0.000001)
  const made = await order([{ sku: 'PAIR', quantity: 2 }])
  await ship(made)
  const components = [itemLine(ids.cup, 0)]
  const back = await giveBack(made, [{ sales_order_item_id: made.items[0].id, quantity: 1, components }])
  t.deepEqual(back.items[0].components, [])
  await receive(back)
  // A share of a component that rounds to 0.
  await ship(await order([{ sku: 'CRUMB', quantity: 0.4 }]))
  t.deepEqual(
    columns(await movements(), 'quantity')
      .flat()
      .slice(2),
    [-4],
  )
  t.deepEqual(await faults(), [])
})

test('goods that left beside a kit of which nothing leaves come back to where they left', async t => {
  const { order, ship, giveBack, place, adjust, variant, tenant, ids } = await room()
  const components = [{ item_variant_id: ids.cup, quantity: 0.000001 }]
  await tenant.done(createProduct, { title: 'Crumb', type: 'KIT', sku: 'CRUMB', components })
  await place('main')
  const shop = await place('shop')
  const sack = await variant('SACK')
  await adjust([{ item_variant_id: sack, quantity: 2 }], { storage_place_id: shop })
  const made = await order([
    { sku: 'CRUMB', quantity: 0.4 },
    { sku: 'SACK', quantity: 2, storage_place_id: shop },
  ])
  await ship(made)
  const back = await giveBack(made, [{ sales_order_item_id: made.items[1].id, quantity: 1 }])
  t.deepEqual(columns(back.items, 'storage_place_id'), [[shop]])
})

test('an order of a kit takes a round trip more than one of plain goods, however many components it has', async t => {
  const { tenant, variant, adjust } = await salesroom(bench)
  const plain = await variant('PLAIN')
  const skus = Array.from({ length: 50 }, (_, at) => `PART-${at}`)
  const parts = await Promise.all(skus.map(sku => variant(sku)))
  await adjust(parts.map(id => itemLine(id, 9, { unit_cost: 1 })))
  const kit = await tenant.done(createProduct, {
    ...{ title: 'Box', type: 'KIT', price: 5 },
    components: parts.slice(1).map(id => itemLine(id, 1)),
  })
  const tripsOf = async (id: string | undefined) => {
    const items = [itemLine(id, 1)]
    const { trips, outcome } = await units.alone(tenant.id, [
      'createSalesOrder',
      { customer: { title: 'Shop' }, items },
    ])
    t.is(outcome?.kind, 'done')
    return trips
  }
  const [trips, more] = [await tripsOf(plain), await tripsOf(kit.variants[0].id)]
  t.is(more, trips + 1)
})
