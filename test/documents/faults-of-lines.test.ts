/** A refusal of a body with several faulty lines names up to ten of them, for every command. */
import { changeProduct, createProduct } from '../../lib/domain/catalogue/commands.ts'
import { createOperation } from '../../lib/domain/manufacturing/operations/commands.ts'
import { completeOrder, startOrder } from '../../lib/domain/manufacturing/orders/commands.ts'
import { createManufacturingOrder } from '../../lib/domain/manufacturing/orders/creation-command.ts'
import { createRecipe } from '../../lib/domain/manufacturing/recipes/commands.ts'
import { createOrder as createPurchase } from '../../lib/domain/purchasing/orders/commands.ts'
import { createReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { salesroom } from '../sales/salesroom.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/** The fields that an `error message` names. */
const fields = (refusal: string): string[] => {
  const [error = '', ...words] = refusal.split(' ')
  const named = words
    .join(' ')
    .split('; ')
    .map(fault => fault.slice(0, fault.indexOf(':')))
  return [error, ...named]
}
const ABSENT = ['-1', '-2']
const lines = (name: string, more: Record<string, unknown> = {}) => ABSENT.map(id => ({ [name]: id, ...more }))
const faulty = (name: string, array = 'items') => ['validation_failed', `${array}[0].${name}`, `${array}[1].${name}`]

test('each faulty line of a new document is named', async t => {
  const { tenant, place, variant, refusedAdjust, refusedTransfer, refusedOrder } = await salesroom(bench)
  const [main, side, oak] = [await place('Main'), await place('Side'), await variant('OAK')]
  const absent = lines('item_variant_id', { quantity: 1 })
  const good = itemLine(oak, 1)
  const variants = faulty('item_variant_id')
  t.deepEqual(fields(await refusedAdjust(absent)), variants)
  t.deepEqual(fields(await refusedOrder(absent)), variants)
  t.deepEqual(fields(await tenant.refusal(createPurchase, { supplier: { title: 'Mill' }, items: absent })), variants)
  t.deepEqual(fields(await tenant.refusal(createManufacturingOrder, { ...good, items: absent })), variants)
  t.deepEqual(
    fields(await refusedTransfer({ from_storage_place_id: main, to_storage_place_id: side, items: absent })),
    variants,
  )
  t.deepEqual(
    fields(await tenant.refusal(createRecipe, { item_variant_id: oak, materials: absent })),
    faulty('item_variant_id', 'materials'),
  )
  t.deepEqual(
    fields(
      await tenant.refusal(createRecipe, {
        ...{ item_variant_id: oak, materials: [], operations: lines('operation_id', { duration: 1 }) },
      }),
    ),
    faulty('operation_id', 'operations'),
  )
  t.deepEqual(fields(await refusedAdjust([good, ...absent])), [
    'validation_failed',
    'items[1].item_variant_id',
    'items[2].item_variant_id',
  ])
  t.deepEqual(fields(await refusedAdjust([{ ...good, quantity: 0 }, { item_variant_id: oak }])), faulty('quantity'))
  t.is(fields(await refusedAdjust(Array.from({ length: 12 }, () => absent[0] ?? {}))).length, 1 + 10)
  const { refusal } = await tenant.run(createPurchase, { supplier: { title: 'Mill' }, items: absent })
  t.is(refusal?.reason, 'reference', 'the security telemetry counts it')
})

test('the first line decides what an adjustment is refused for, and those of its kind are named with it', async t => {
  const { variant, refusedAdjust } = await salesroom(bench)
  const oak = await variant('OAK')
  const short = itemLine(oak, -5)
  const changed = itemLine(oak, 1, { expected_quantity: 3 })
  const [one, two] = lines('item_variant_id', { quantity: 1 })
  t.deepEqual(fields(await refusedAdjust([short, changed, one])), ['validation_failed', 'items[0].quantity'])
  t.deepEqual(fields(await refusedAdjust([changed, one, short]))[0], 'stock_changed')
  t.deepEqual(fields(await refusedAdjust([one, short, changed, two])), [
    ...['validation_failed', 'items[0].item_variant_id', 'items[3].item_variant_id'],
  ])
})

test('each faulty line of a step or change is named', async t => {
  const { tenant, variant, place, adjust, order, ship, ...sales } = await salesroom(bench)
  const [main, oak] = [await place('Main'), await variant('OAK')]
  await adjust([itemLine(oak, 50)])
  const sold = await order([itemLine(oak, 4)])
  const asked = lines('sales_order_item_id', { quantity: 1 })
  t.deepEqual(fields(await sales.refusedShip(sold, { items: asked })), faulty('sales_order_item_id'))
  t.deepEqual(fields(await sales.refusedPack(sold, { items: asked })), faulty('sales_order_item_id'))
  t.deepEqual(fields(await sales.refusedChange(sold, { items: lines('id', { quantity: 1 }) })), faulty('id'))
  t.deepEqual(fields(await sales.refusedChange(sold, { items: [{ quantity: 1 }, { remove: true }] })), [
    ...['validation_failed', 'items[0].item_variant_id', 'items[1].remove'],
  ])
  await ship(sold)
  t.deepEqual(fields(await sales.refusedGiveBack(sold, asked)), faulty('sales_order_item_id'))

  const bought = await tenant.done(createPurchase, { supplier: { title: 'Mill' }, items: [itemLine(oak, 1)] })
  const arrived = { storage_place_id: main, items: lines('purchase_order_item_id', { quantity: 1 }) }
  t.deepEqual(fields(await tenant.refusal(createReceipt, arrived, { id: bought.id })), faulty('purchase_order_item_id'))

  const saw = await tenant.done(createOperation, { title: 'Saw', cost_per_hour: 1 })
  const chair = await variant('CHAIR')
  const operations = [{ operation_id: saw.id, duration: 1 }]
  await tenant.done(createRecipe, { item_variant_id: chair, materials: [], operations })
  const made = await tenant.done(createManufacturingOrder, { item_variant_id: chair, quantity: 2 })
  t.deepEqual(
    fields(await tenant.refusal(startOrder, { items: lines('id', { quantity: 1 }) }, { id: made.id })),
    faulty('id'),
  )
  await tenant.done(startOrder, {}, { id: made.id })
  const reported = { tasks: lines('id', { actual_duration: 1 }) }
  t.deepEqual(fields(await tenant.refusal(completeOrder, reported, { id: made.id })), faulty('id', 'tasks'))
})

test('each taken sku is named, and a taken number beside a taken reference', async t => {
  const { tenant, variant, adjust, refusedAdjust } = await salesroom(bench)
  const oak = await variant('OAK')
  await variant('ELM')
  const pair = { title: 'Pair', variants: [{ sku: 'OAK' }, { sku: 'ELM' }] }
  t.deepEqual(fields(await tenant.refusal(createProduct, pair)), faulty('sku', 'variants'))
  const ash = await tenant.done(createProduct, { title: 'Ash', sku: 'ASH' })
  t.deepEqual(
    fields(await tenant.refusal(changeProduct, { variants: lines('id', { sku: 'X' }) }, { id: ash.id })),
    faulty('id', 'variants'),
  )
  await tenant.done(changeProduct, { archived: true }, { id: ash.id })
  await variant('ASH')
  t.regex(
    await tenant.refusal(changeProduct, { archived: false }, { id: ash.id }),
    /^validation_failed archived: the sku "ASH" is taken by \d+, a variant of product \d+$/,
  )
  const items = [itemLine(oak, 1)]
  await adjust(items, { number: 'N1', external_ref: 'R1' })
  t.deepEqual(fields(await refusedAdjust(items, { number: 'N1', external_ref: 'R1' })), [
    'validation_failed',
    'number',
    'external_ref',
  ])
})
