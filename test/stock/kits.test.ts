/** The availability of kits: the rows of the list, and the events, which together make the same rows. */
import { changeProduct, createProduct } from '../../lib/domain/catalogue/commands.ts'
import { changeStoragePlace } from '../../lib/domain/places/commands.ts'
import { listAvailabilityEndpoint } from '../../lib/domain/stock/availability/endpoints.ts'
import { changeBatch } from '../../lib/domain/stock/batches/commands.ts'
import { listBatches } from '../../lib/domain/stock/batches/endpoints.ts'
import { salesroom } from '../sales/salesroom.ts'
import type { Event, Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/**
 * A tenant with cups (whole) and tea. The kit SET has 2 cups, 0.25 of tea, and a service. There are no places unless `places` names some.
 */
async function room(places: readonly string[] = []) {
  const made = await salesroom(bench)
  const { tenant } = made
  const at: string[] = []
  for (const title of places) at.push(await made.place(title))
  const [cup, tea] = [await made.variant('CUP'), await made.variant('TEA')]
  const wrap = await made.variant('WRAP', { type: 'SERVICE' })
  const kit = async (sku: string, components: [id: string, quantity: number][]) => {
    const parts = components.map(([item_variant_id, quantity]) => itemLine(item_variant_id, quantity))
    return tenant.done(createProduct, { title: `Kit ${sku}`, type: 'KIT', sku, price: 20, components: parts })
  }
  const set = await kit('SET', [
    [cup, 2],
    [tea, 0.25],
    [wrap, 1],
  ])
  const list = (filters: Record<string, string> = {}): Promise<Loose[]> =>
    tenant.page(listAvailabilityEndpoint, { filters, limit: 200 })
  return {
    ...made,
    at,
    kit,
    list,
    ids: { cup, tea, wrap, set: set.variants[0].id as string },
    /** `[sku, place, available]` of kits. */
    kits: async (filters: Record<string, string> = {}) =>
      columns(await list({ is_kit: 'true', ...filters }), 'sku', 'storage_place_id', 'available_quantity'),
    change: (body: Record<string, unknown>, id: string = set.id) => tenant.run(changeProduct, body, { id }),
    faults: () => bench.faults(tenant.id),
  }
}

/** `[place, available, previous]` of each `kit.changed`. All of them come after the stock's. */
function told({ events }: { readonly events: readonly Event[] }): unknown[][] {
  const kinds = events.map(({ type }) => type)
  if (kinds.lastIndexOf('stock.changed') > kinds.indexOf('kit.changed') && kinds.includes('kit.changed'))
    throw new Error(`kit.changed before stock.changed: ${kinds}`)
  return events
    .filter(({ type }) => type === 'kit.changed')
    .map(({ data, previous }) => [
      data.sku,
      data.storage_place_id,
      data.available_quantity,
      previous?.available_quantity,
    ])
}

test('a kit has a row at the main place, of whole kits of its scarcest component', async t => {
  const { adjust, ids, kits, list, tryOrder, faults } = await room()
  t.deepEqual(await kits(), [['SET', null, 0]])
  await adjust([itemLine(ids.cup, 9, { unit_cost: 1 })])
  t.deepEqual(await kits(), [['SET', null, 0]])
  await adjust([itemLine(ids.tea, 0.999999, { unit_cost: 1 })])
  // 9 / 2 = 4.5; 0.999999 / 0.25 = 3.99
  const [row] = await list({ is_kit: 'true' })
  t.deepEqual(row, {
    item_variant_id: ids.set,
    sku: 'SET',
    storage_place_id: null,
    is_kit: true,
    quantity: null,
    quarantine_quantity: null,
    expired_quantity: null,
    reserved_quantity: null,
    expected_quantity: null,
    available_quantity: 3,
    average_cost: null,
    updated_at: null,
  })
  const ordered = await tryOrder([itemLine(ids.set, 5)])
  // 9 - 10 = -1, so that half a kit is missing: -1; tea: 0.999999 - 1.25 = -0.250001, more than one: -2
  t.deepEqual(told(ordered), [['SET', null, -2, 3]])
  t.deepEqual(await kits(), [['SET', null, -2]])
  t.deepEqual(await list({ is_kit: 'true', updated_after: '2020-01-01T00:00:00Z' }), [])
  t.deepEqual(columns(await list(), 'sku', 'is_kit'), [
    ['CUP', false],
    ['TEA', false],
    ['SET', true],
  ])
  t.deepEqual(columns(await list({ is_kit: 'false' }), 'sku'), [['CUP'], ['TEA']])
  t.deepEqual(await faults(), [])
})

test('a kit has rows wherever a component has one, told without a previous one where it is new', async t => {
  const { adjust, at, ids, kits, list, tryAdjust, tenant, faults } = await room(['Main', 'Shop', 'Never'])
  const [main = '', shop = ''] = at
  const first = await tryAdjust([itemLine(ids.cup, 4, { unit_cost: 1 })], { storage_place_id: shop })
  t.deepEqual(told(first), [['SET', shop, 0, undefined]])
  t.deepEqual(await kits(), [
    ['SET', main, 0],
    ['SET', shop, 0],
  ])
  const second = await tryAdjust([itemLine(ids.tea, 1, { unit_cost: 1 })], { storage_place_id: shop })
  t.deepEqual(told(second), [['SET', shop, 2, 0]])
  const third = await tryAdjust([itemLine(ids.tea, 1, { unit_cost: 1 })], { storage_place_id: main })
  t.deepEqual(told(third), [])
  await adjust([itemLine(ids.cup, 2, { unit_cost: 1 })], { storage_place_id: main })
  t.deepEqual(await kits({ storage_place_id: shop }), [['SET', shop, 2]])
  t.deepEqual(await kits({ sku: 'SET' }), [
    ['SET', main, 1],
    ['SET', shop, 2],
  ])
  await tenant.done(changeStoragePlace, { sales_allowed: false }, { id: shop })
  t.deepEqual(await kits({ sales_allowed: 'true' }), [['SET', main, 1]])
  t.deepEqual(await kits({ sales_allowed: 'false', item_variant_id: ids.set }), [['SET', shop, 2]])
  // Pages of one row, in both orders.
  for (const order of ['asc', 'desc'] as const) {
    const seen: unknown[][] = []
    for (let after: string | undefined; ; ) {
      const page: Loose[] = await tenant.page(listAvailabilityEndpoint, {
        limit: 1,
        order,
        ...(after ? { after } : {}),
      })
      if (page.length === 0) break
      seen.push(...columns(page, 'sku', 'storage_place_id'))
      after = `${page[0].item_variant_id}_${page[0].storage_place_id ?? 0}`
    }
    const all = columns(await list(), 'sku', 'storage_place_id')
    t.deepEqual(seen, order === 'asc' ? all : all.toReversed())
    t.is(seen.length, 6)
  }
  t.deepEqual(await faults(), [])
})

test('other components and archived kits', async t => {
  const { adjust, at, change, ids, kit, kits, tryAdjust, faults } = await room(['Main'])
  const [main = ''] = at
  await adjust([itemLine(ids.cup, 10, { unit_cost: 1 }), itemLine(ids.tea, 10, { unit_cost: 1 })])
  t.deepEqual(await kits(), [['SET', main, 5]])
  const cups = (quantity: number) => ({ components: [itemLine(ids.cup, quantity)] })
  t.deepEqual(told(await change(cups(3))), [['SET', main, 3, 5]])
  t.deepEqual(told(await change(cups(3.1))), [])
  const services = { components: [itemLine(ids.wrap, 1)] }
  t.deepEqual(told(await change(services)), [['SET', main, null, 3]])
  t.deepEqual(await kits(), [['SET', main, null]])
  t.deepEqual(told(await change(cups(1))), [['SET', main, 10, null]])
  const archived = await change({ archived: true })
  t.deepEqual(told(archived), [])
  t.deepEqual(await kits(), [])
  t.deepEqual(told(await tryAdjust([itemLine(ids.cup, 1)])), [])
  t.deepEqual(told(await change({ archived: false })), [])
  t.deepEqual(await kits(), [['SET', main, 11]])
  await kit('PAIR', [[ids.cup, 2]])
  // 10.5 cups: SET has 10, PAIR 5 as before.
  t.deepEqual(told(await tryAdjust([itemLine(ids.cup, -0.5)])), [['SET', main, 10, 11]])
  t.deepEqual(told(await tryAdjust([itemLine(ids.cup, -0.6)])), [
    ['SET', main, 9, 10],
    ['PAIR', main, 4, 5],
  ])
  t.deepEqual(await faults(), [])
})

test('expiry and batches change what can be sold of a kit', async t => {
  const { adjust, kit, kits, variant, tenant, tryAdjust, faults } = await room()
  tenant.now = '2026-11-21T05:00:00.000Z'
  const milk = await variant('MILK', { batch_tracked: true })
  await kit('SHAKE', [[milk, 0.5]])
  const first = await tryAdjust([
    itemLine(milk, 2, { unit_cost: 1, batch_number: 'A', expiry_date: '2026-11-21' }),
    itemLine(milk, 1, { unit_cost: 1, batch_number: 'B', expiry_date: '2026-12-21' }),
  ])
  t.deepEqual(told(first), [['SHAKE', null, 6, 0]])
  const [, batch] = await tenant.page(listBatches, { filters: { item_variant_id: milk } })
  t.deepEqual(told(await tenant.run(changeBatch, { expiry_date: '2026-11-20' }, { id: batch.id })), [
    ['SHAKE', null, 4, 6],
  ])
  t.deepEqual(told(await tenant.run(changeBatch, { expiry_date: '2026-12-21' }, { id: batch.id })), [
    ['SHAKE', null, 6, 4],
  ])
  tenant.now = '2026-11-22T05:00:00.000Z'
  // The command's unit tells what has expired before it.
  const next = await tryAdjust([itemLine(milk, 1, { unit_cost: 1, batch_number: 'B' })])
  t.deepEqual(
    next.events
      .filter(({ type }) => type === 'kit.changed')
      .map(({ data, previous }) => [data.available_quantity, previous.available_quantity]),
    [
      [2, 6],
      [4, 2],
    ],
  )
  t.deepEqual((await kits({ sku: 'SHAKE' })).at(-1), ['SHAKE', null, 4])
  await adjust([itemLine(milk, -1, { batch_number: 'B' })])
  t.deepEqual((await kits({ sku: 'SHAKE' })).at(-1), ['SHAKE', null, 2])
  t.deepEqual(await faults(), [])
})

test('a part of 200 kits at three places tells 600 events, and more than 5,000 are refused', async t => {
  const titles = Array.from({ length: 26 }, (_, at) => `Place ${at}`)
  const { adjust, at, order, refusedOrder, tryOrder, variant, tenant, faults } = await room(titles)
  const [part, other] = [await variant('PART'), await variant('OTHER')]
  for (const name of ['ONE', 'TWO']) {
    const variants = Array.from({ length: 100 }, (_, n) => ({
      title: `${name} ${n}`,
      sku: `${name}-${n}`,
      components: [itemLine(part, n + 1), itemLine(other, 1)],
    }))
    await tenant.done(createProduct, { title: name, type: 'KIT', variants })
  }
  const [main = '', second = '', third = ''] = at
  const stocked = [itemLine(part, 1_000, { unit_cost: 1 }), itemLine(other, 1_000, { unit_cost: 1 })]
  for (const storage_place_id of [main, second, third]) await adjust(stocked, { storage_place_id })
  const lineAt = (storage_place_id: string) => itemLine(part, 100, { storage_place_id })
  const told600 = told(await tryOrder([main, second, third].map(lineAt)))
  t.is(told600.length, 600)
  // 900 in kits of 1 to 100 each. Before there were 1,000.
  t.deepEqual(told600.slice(0, 2), [
    ['ONE-0', main, 900, 1_000],
    ['ONE-1', main, 450, 500],
  ])
  t.deepEqual(told600.at(-1), ['TWO-99', third, 9, 10])
  t.regex(await refusedOrder(at.map(lineAt)), /^unprocessable .* 5200 kits and places; at most 5000/)
  await order([itemLine(part, 1, { storage_place_id: main })])
  t.deepEqual(await faults(), [])
})
