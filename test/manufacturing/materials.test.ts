/**
 * The guarantees of issuing and returning materials of an order that has started: which batches and lines are concerned, what they are
 * worth, and what is refused. The scenarios test longer sequences with costs.
 */
import { statement } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { column, columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { costs, type Workshop, workshop } from './workshop.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

type Dairy = Workshop & {
  cheese: string
  milk: string
  salt: string
  home: string
  batch: (number: string) => Promise<Loose>
}

/** A CHEESE takes 2 MILK and SALT. There are three batches of 3 MILK that expire one after another, worth 1, 2 and 3 each, and no SALT. */
async function dairy(options: { closedThrough?: string } = {}): Promise<Dairy> {
  const shop = await workshop(bench, options)
  const home = await shop.place('Home')
  const [cheese, salt] = [await shop.variant('CHEESE'), await shop.variant('SALT')]
  const milk = await shop.variant('MILK', { batch_tracked: true })
  await shop.recipe(cheese, [[milk, 2]])
  await shop.adjust(
    ['M-1', 'M-2', 'M-3'].map((batch, n) => ({
      item_variant_id: milk,
      quantity: 3,
      unit_cost: n + 1,
      batch_number: batch,
      expiry_date: `2027-0${n + 1}-28`,
    })),
  )
  const batch = async (number: string) => (await shop.stock({ batch_number: number }))[0]
  return { ...shop, cheese, milk, salt, home, batch }
}

const everything = async (shop: Workshop) => [await shop.stock(), await shop.movements(), await shop.orders()]
const lines = ({ items }: Loose) => columns(items, 'sku', 'quantity', 'actual_quantity')
const sound = (shop: Workshop) => bench.faults(shop.tenant.id)
/** `batch quantity` of the movements of a kind. */
const moved = async (shop: Workshop, kind: string) => {
  const batches = new Map((await shop.stock()).map(row => [row.batch_id, row.batch_number]))
  return (await shop.movements({ source_type: 'MANUFACTURING_ORDER' }))
    .filter(each => each.kind === kind)
    .map(each => `${batches.get(each.batch_id)} ${each.quantity} = ${each.value}`)
}

test('goods come back into the batches that were written off, the last first, each up to what went out of it', async t => {
  const shop = await dairy()
  const order = await shop.order(shop.cheese, 4)
  // 3 of M-1, 3 of M-2, 2 of M-3, all at the average of 2.
  await shop.start(order)
  const { body, events } = await shop.materials.run(order, { items: [itemLine(shop.milk, -4)] })
  t.deepEqual(await moved(shop, 'MANUFACTURING_RETURN'), ['M-3 2 = 4', 'M-2 2 = 4'])
  t.deepEqual(lines(body), [['MILK', 8, 4]])
  t.is(costs(body), '8 + 0 = 8, posted 0, wip 8, each null')
  t.deepEqual(column(events, 'type'), ['stock.changed', 'manufacturing_order.updated'])
  t.deepEqual([events[1]?.data, Object.keys(events[1]?.previous).sort()], [body, ['actual_cost', 'items']])
  t.deepEqual(await shop.read(order), body)
  // A batch that is issued again is the last one, whenever it was first issued.
  const [m1, m3] = [await shop.batch('M-1'), await shop.batch('M-3')]
  await shop.materials(order, { items: [itemLine(shop.milk, 1, { batch_id: m3.batch_id })] })
  await shop.adjust([itemLine(shop.milk, 1, { batch_number: 'M-1' })])
  await shop.materials(order, { items: [itemLine(shop.milk, 1, { batch_id: m1.batch_id }), itemLine(shop.milk, -5)] })
  t.deepEqual(await moved(shop, 'MANUFACTURING_RETURN'), ['M-3 2 = 4', 'M-2 2 = 4', 'M-1 4 = 8', 'M-3 1 = 2'])
  t.deepEqual(await sound(shop), [])
})

test('a named batch takes back no more than went out of it', async t => {
  const shop = await dairy()
  const order = await shop.order(shop.cheese, 2)
  await shop.start(order)
  const [m1, m2, m3] = [await shop.batch('M-1'), await shop.batch('M-2'), await shop.batch('M-3')]
  const back = (quantity: number, batch: Loose) => ({
    items: [itemLine(shop.milk, quantity, { batch_id: batch.batch_id })],
  })
  const before = await everything(shop)
  for (const [quantity, batch, most] of [
    [-2, m2, '1 of MILK (batch M-2)'],
    [-1, m3, '0 of MILK (batch M-3)'],
    [-3.000001, m1, '3 of MILK (batch M-1)'],
  ] as const)
    t.is(
      await shop.materials.refused(order, back(quantity, batch)),
      `validation_failed items[0].quantity: only ${most} are written off for MO-00001`,
    )
  t.deepEqual(await everything(shop), before)
  t.deepEqual(lines(await shop.materials(order, back(-3, m1))), [['MILK', 4, 1]])
  t.is(
    await shop.materials.refused(order, { items: [itemLine(shop.milk, -1.5)] }),
    'validation_failed items[0].quantity: only 1 of MILK are written off for MO-00001',
  )
  t.deepEqual(lines(await shop.materials(order, back(-1, m2))), [['MILK', 4, 0]])
  t.deepEqual(await moved(shop, 'MANUFACTURING_RETURN'), ['M-1 3 = 6', 'M-2 1 = 2'])
  t.deepEqual(await sound(shop), [])
})

test('issues count in the first line of the variant, returns come off the last ones; a variant without a line gets one', async t => {
  const shop = await dairy()
  await shop.adjust([itemLine(shop.salt, 10, { unit_cost: 0.5 })])
  const items = [2, 3].map(quantity => itemLine(shop.milk, quantity))
  const order = await shop.order(shop.cheese, 1, { items })
  await shop.start(order)
  const some = await shop.materials(order, {
    items: [{ sku: 'SALT', quantity: 4 }, itemLine(shop.milk, 1), itemLine(shop.salt, -1)],
  })
  t.deepEqual(lines(some), [
    ['MILK', 2, 3],
    ['MILK', 3, 3],
    ['SALT', 0, 3],
  ])
  t.like(some.items[2], { quantity_per_unit: null, item_variant_id: shop.salt })
  t.deepEqual(lines(await shop.materials(order, { items: [itemLine(shop.milk, -4)] })), [
    ['MILK', 2, 2],
    ['MILK', 3, 0],
    ['SALT', 0, 3],
  ])
  t.deepEqual((await shop.shelf())[2], 'SALT: 7 = 3.5')
  t.deepEqual(await sound(shop), [])
  t.is(costs(await shop.complete(order)), '5.5 + 0 = 5.5, posted 5.5, wip 0, each 5.5, final')
})

test('too little, expired and quarantined stock is refused in the words of a start, and nothing happens', async t => {
  const shop = await dairy()
  const order = await shop.order(shop.cheese, 1)
  await shop.start(order)
  const [m1, m3] = [await shop.batch('M-1'), await shop.batch('M-3')]
  await shop.transfer({
    from_storage_place_id: shop.home,
    to_storage_place_id: shop.home,
    items: [itemLine(shop.milk, 2, { batch_id: m3.batch_id, to_quarantine: true })],
  })
  const before = await everything(shop)
  const refused = (items: Loose[], extra: object = {}) => shop.materials.refused(order, { items, ...extra })
  const milk = (quantity: number, extra: object = {}) => ({ item_variant_id: shop.milk, quantity, ...extra })
  t.is(
    await refused([milk(-1), milk(4), milk(4), itemLine(shop.salt, 1)]),
    'unprocessable items[2].quantity: not enough MILK at Home: 8 needed, 8 on hand, of which 6 can be taken; items[3].quantity: not enough SALT at Home: 1 needed, 0 on hand',
  )
  t.is(
    await refused([milk(2, { batch_id: m3.batch_id })]),
    'unprocessable items[0].quantity: not enough MILK (batch M-3) at Home: 2 needed, 3 on hand, of which 1 can be taken',
  )
  // A line that is short does not make a later line wrong that returns some of it.
  t.regex(
    await refused([milk(20), milk(-21)]),
    /^unprocessable items\[0\].quantity: not enough MILK at Home: 20 needed/,
  )
  shop.tenant.now = '2027-02-01T00:00:00.000Z'
  t.is(
    await refused([milk(1, { batch_id: m1.batch_id })]),
    'unprocessable items[0].quantity: not enough MILK (batch M-1) at Home: 1 needed, 1 on hand, of which 0 can be taken',
  )
  t.is(
    await refused([milk(5)]),
    'unprocessable items[0].quantity: not enough MILK at Home: 5 needed, 7 on hand, of which 4 can be taken',
  )
  t.deepEqual(await everything(shop), before)
  // The day of the document counts, as at a start.
  await shop.materials(order, { date: '2027-01-28', items: [milk(1, { batch_id: m1.batch_id })] })
  t.like((await shop.movements()).at(-1), { document_date: '2027-01-28T00:00:00.000Z' })
})

test('what a body says of no variant, batch or quantity is refused, and so are closed and coming days', async t => {
  const shop = await dairy({ closedThrough: '2026-10-31' })
  const advice = await shop.variant('ADVICE', { type: 'SERVICE' })
  const order = await shop.order(shop.cheese, 1)
  await shop.start(order)
  const m1 = await shop.batch('M-1')
  const refused = (items: unknown, extra: object = {}) => shop.materials.refused(order, { items, ...extra })
  const line = (fields: object) => [{ item_variant_id: shop.milk, quantity: 1, ...fields }]
  for (const [items, refusal] of [
    [line({ quantity: 0 }), 'items[0].quantity: must not be 0'],
    [line({ quantity: 0.0000001 }), 'items[0].quantity: must have at most 6 decimals'],
    [line({ item_variant_id: '1' }), 'items[0].item_variant_id: no such variant'],
    [line(itemLine('1', -1)), 'items[0].item_variant_id: no such variant'],
    [line({ item_variant_id: advice }), 'items[0].item_variant_id: ADVICE is a service and holds no stock'],
    [line({ sku: 'MILK' }), 'items[0].sku: must not stand beside item_variant_id'],
    [[{ sku: 'NONE', quantity: 1 }], 'items[0].sku: is the sku of no unarchived variant'],
    [line({ batch_id: '1' }), 'items[0].batch_id: no such batch of MILK'],
    [[itemLine(shop.salt, 1, { batch_id: m1.batch_id })], 'items[0].batch_id: no such batch of SALT'],
    [[itemLine(shop.salt, -1)], 'items[0].quantity: only 0 of SALT are written off for MO-00001'],
    [[], 'items: must have at least 1 entry'],
    [Array(501).fill(line({})[0]), 'items: must have at most 500 entries'],
  ] as const)
    t.is(await refused(items), `validation_failed ${refusal}`)
  t.is(
    await refused(line({}), { date: '2026-10-31T23:59:59Z' }),
    'unprocessable date: the accounting period is closed through 2026-10-31',
  )
  t.is(await refused(line({}), { date: '2030-01-01' }), 'unprocessable date: must not be in the future')
})

test('only an order that is IN_PROGRESS or PARTIALLY_DONE gives and takes materials; its other moves hold afterwards', async t => {
  const shop = await dairy()
  const order = await shop.order(shop.cheese, 3)
  const body = { items: [itemLine(shop.milk, 1)] }
  const wrong = (status: string) =>
    `manufacturing_order_invalid_status the manufacturing order MO-00001 is ${status} and cannot be changed in its materials`
  t.is(await shop.materials.refused(order, body), wrong('NOT_STARTED'))
  await shop.start(order)
  await shop.block(order)
  t.is(await shop.materials.refused(order, body), wrong('BLOCKED'))
  await shop.unblock(order)
  await shop.materials(order, body)
  t.regex(await shop.remove.refused(order), /cannot be deleted/)
  await shop.complete(order, { quantity: 1 })
  t.is((await shop.materials(order, body)).status, 'PARTIALLY_DONE')
  t.is((await shop.complete(order)).status, 'DONE')
  t.is(await shop.materials.refused(order, body), wrong('DONE'))
  t.is(await shop.materials.refused({ id: '1' }, body), 'not_found no such manufacturing order')
  t.deepEqual(await sound(shop), [])
})

test('an archived material is issued and comes back as at the start', async t => {
  const shop = await dairy()
  const order = await shop.order(shop.cheese, 1)
  await shop.start(order)
  await bench.pool.query(statement`update item_variants set archived = true where id = ${shop.milk}::bigint`)
  t.deepEqual(lines(await shop.materials(order, { items: [itemLine(shop.milk, 1)] })), [['MILK', 2, 3]])
  t.deepEqual(lines(await shop.materials(order, { items: [itemLine(shop.milk, -3)] })), [['MILK', 2, 0]])
})
