/**
 * Following changes: every change that a list shows sets a new `updated_at`, and a caller that asks from the last value on misses nothing.
 */
import { changeProduct, createProduct } from '../../lib/domain/catalogue/commands.ts'
import { listProducts } from '../../lib/domain/catalogue/endpoints.ts'
import * as operationsCommands from '../../lib/domain/manufacturing/operations/commands.ts'
import * as operations from '../../lib/domain/manufacturing/operations/endpoints.ts'
import * as makesCommands from '../../lib/domain/manufacturing/orders/commands.ts'
import { createManufacturingOrder } from '../../lib/domain/manufacturing/orders/creation-command.ts'
import * as makes from '../../lib/domain/manufacturing/orders/endpoints.ts'
import * as recipesCommands from '../../lib/domain/manufacturing/recipes/commands.ts'
import * as recipes from '../../lib/domain/manufacturing/recipes/endpoints.ts'
import { customerEndpoints, supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { changeStoragePlace, createStoragePlace } from '../../lib/domain/places/commands.ts'
import { listStoragePlaces } from '../../lib/domain/places/endpoints.ts'
import * as purchasesCommands from '../../lib/domain/purchasing/orders/commands.ts'
import * as purchases from '../../lib/domain/purchasing/orders/endpoints.ts'
import { createReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import * as salesCommands from '../../lib/domain/sales/orders/commands.ts'
import * as sales from '../../lib/domain/sales/orders/endpoints.ts'
import * as returnsCommands from '../../lib/domain/sales/returns/commands.ts'
import * as returns from '../../lib/domain/sales/returns/endpoints.ts'
import { createPacking, createShipment } from '../../lib/domain/sales/shipments/commands.ts'
import type { Endpoint } from '../../lib/kit/api/endpoint.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const shown = (record: Loose): Loose => record.sales_return ?? record

/** A tenant whose clock advances with each write, and a caller that follows a list from the last time that it saw. */
async function follower() {
  const tenant = await bench.tenant()
  const write = async (endpoint: Endpoint, body: Loose, params: Record<string, string> = {}) => {
    tenant.now = new Date(Date.parse(tenant.now) + 1_000).toISOString()
    return tenant.done(endpoint, body, params)
  }
  const seen = new Map<Endpoint, string>()
  /** The ids of the records at or after the greatest `updated_at` that the caller saw in the list, in their order. */
  const follow = async (list: Endpoint) => {
    const found: readonly Loose[] = await tenant.page(list, {
      filters: { updated_after: seen.get(list) ?? '2000-01-01' },
    })
    const last = found.at(-1)
    if (last) seen.set(list, shown(last).updated_at)
    return found.map(record => shown(record).id as string)
  }
  return { tenant, write, follow }
}

test('every write of a record moves it to the end of its list by change, and of no other', async t => {
  const { tenant, write, follow } = await follower()
  const place = await write(createStoragePlace, { title: 'Hall' })
  const yard = await write(createStoragePlace, { title: 'Yard' })
  t.deepEqual(await follow(listStoragePlaces), [place.id, yard.id])
  await write(changeStoragePlace, { code: 'H' }, { id: place.id })
  t.deepEqual(await follow(listStoragePlaces), [yard.id, place.id])
  const { variants } = await write(createProduct, { title: 'Oak', sku: 'OAK' })
  const [{ id: oak }] = variants
  const items = [itemLine(oak, 4)]
  const supplier = { supplier: { title: 'Mill' } }
  const customer = { customer: { title: 'Shop' } }

  /** Makes two records, then changes the first: it comes last, and the second is still listed. */
  async function moves(list: Endpoint, [one, two]: readonly Loose[], steps: readonly (() => Promise<unknown>)[]) {
    const [first, second] = [one, two].map(record => shown(record).id as string)
    t.deepEqual(await follow(list), [first, second])
    let last = second
    for (const [at, step] of steps.entries()) {
      await step()
      t.deepEqual(await follow(list), last === first ? [first] : [last, first], `${list.id} step ${at}`)
      last = first
      const record = (await tenant.page(list, { filters: { updated_after: tenant.now } })).at(-1)
      t.is(shown(record).updated_at, tenant.now, `${list.id} step ${at}`)
    }
  }
  const two = async (endpoint: Endpoint, body: Loose) => [await write(endpoint, body), await write(endpoint, body)]
  const of = (record: Loose) => ({ id: shown(record).id as string })

  const bought = await two(purchasesCommands.createOrder, { ...supplier, items })
  const receive = (quantity: number) => () =>
    write(
      createReceipt,
      { storage_place_id: place.id, items: [{ purchase_order_item_id: bought[0].items[0].id, quantity }] },
      of(bought[0]),
    )
  const amend = (body: Loose) => () => write(purchasesCommands.changeOrder, body, of(bought[0]))
  await moves(purchases.listOrders, bought, [
    amend({ notes: 'gate 2' }),
    amend({ items: [{ id: bought[0].items[0].id, expected_date: '2026-12-01' }] }),
    amend({ storage_place_id: null }),
    receive(1),
    receive(1),
    () => write(purchasesCommands.closeOrder, { reason: 'enough' }, of(bought[0])),
    amend({ notes: 'closed' }),
  ])
  await write(createReceipt, { storage_place_id: place.id }, of(bought[1]))

  const sold = await two(salesCommands.createOrder, { ...customer, items })
  const line = (quantity: number) => ({ items: [{ sales_order_item_id: sold[0].items[0].id, quantity }] })
  const change = (body: Loose) => () => write(salesCommands.changeOrder, body, of(sold[0]))
  await moves(sales.listOrders, sold, [
    change({ notes: 'ring twice' }),
    change({ items: [{ id: sold[0].items[0].id, tax_rate: 7 }] }),
    () => write(createPacking, line(1), of(sold[0])),
    // The order's own fields stay as they are.
    () => write(createPacking, line(1), of(sold[0])),
    () => write(createShipment, line(1), of(sold[0])),
    () => write(createShipment, line(1), of(sold[0])),
    change({ status: 'DONE' }),
  ])

  const back = { sales_order_id: sold[0].id, items: [{ sales_order_item_id: sold[0].items[0].id, quantity: 1 }] }
  const given = await two(returnsCommands.createReturn, back)
  await moves(returns.listReturns, given, [() => write(returnsCommands.receiveReturn, {}, of(given[0]))])
  await write(returnsCommands.cancelReturn, { reason: 'kept' }, of(given[1]))
  t.deepEqual(await follow(returns.listReturns), [of(given[0]).id, of(given[1]).id])

  const work = await two(operationsCommands.createOperation, { title: 'Saw', cost_per_hour: 10 })
  await moves(operations.listOperations, work, [
    () => write(operationsCommands.changeOperation, { position: 7 }, of(work[0])),
  ])
  const table = (await write(createProduct, { title: 'Table' })).variants[0].id
  const recipe = { item_variant_id: table, materials: [itemLine(oak, 1)] }
  const known = await two(recipesCommands.createRecipe, recipe)
  await moves(recipes.listRecipes, known, [
    () =>
      write(recipesCommands.changeRecipe, { operations: [{ operation_id: work[0].id, duration: 1 }] }, of(known[0])),
  ])
  const made = await two(createManufacturingOrder, itemLine(table, 2, { recipe_id: known[0].id }))
  const task = async () => (await tenant.page(makes.listProductionTasks, { params: of(made[0]) }))[0].id
  await moves(makes.listManufacturingOrders, made, [
    () => write(makesCommands.blockOrder, { reason: 'lunch' }, of(made[0])),
    () => write(makesCommands.unblockOrder, {}, of(made[0])),
    () => write(makesCommands.startOrder, {}, of(made[0])),
    async () =>
      write(
        makesCommands.completeOrder,
        { quantity: 1, tasks: [{ id: await task(), actual_duration: 3 }] },
        of(made[0]),
      ),
    () => write(makesCommands.completeOrder, {}, of(made[0])),
  ])
  for (const { create, update, list } of [supplierEndpoints, customerEndpoints]) {
    const other = await follower()
    const [a, b] = [await other.write(create, { title: 'A' }), await other.write(create, { title: 'B' })]
    t.deepEqual(await other.follow(list), [a.id, b.id])
    await other.write(update, { phone: '1' }, { id: a.id })
    t.deepEqual(await other.follow(list), [b.id, a.id])
    await other.write(update, { phone: '1' }, { id: a.id })
    t.deepEqual(await other.follow(list), [a.id], 'a change of nothing is none')
  }
})

test('a record that changes while its reader pages is shown again further on', async t => {
  const { tenant, write } = await follower()
  const made = []
  for (const title of ['a', 'b', 'c']) made.push(await write(createProduct, { title }))
  const page = async (options: { limit: number; after?: string }) => {
    const filters = { updated_after: '2026-01-01' }
    const found: readonly Loose[] = await tenant.page(listProducts, { filters, ...options })
    const [last] = found.slice(-1)
    const position = last ? `${Date.parse(last.updated_at)}000_${last.id}` : ''
    return { titles: found.map(({ title }) => title), position }
  }
  const first = await page({ limit: 2 })
  t.deepEqual(first.titles, ['a', 'b'])
  await write(changeProduct, { title: 'a again' }, { id: made[0].id })
  const second = await page({ limit: 2, after: first.position })
  t.deepEqual(second.titles, ['c', 'a again'])
  t.deepEqual((await page({ limit: 2, after: second.position })).titles, [])
})
