/** Lines that name variants by sku: they get the variant that has the sku when the command runs. */
import { changeProduct, createProduct } from '../../lib/domain/catalogue/commands.ts'
import { createManufacturingOrder } from '../../lib/domain/manufacturing/orders/creation-command.ts'
import { changeRecipe, createRecipe } from '../../lib/domain/manufacturing/recipes/commands.ts'
import {
  changeOrder as changePurchaseOrder,
  createOrder as createPurchaseOrder,
} from '../../lib/domain/purchasing/orders/commands.ts'
import { changeOrder, createOrder } from '../../lib/domain/sales/orders/commands.ts'
import { createAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { createTransfer } from '../../lib/domain/stock/transfers/commands.ts'
import { stockroom } from '../stock/stockroom.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

type Line = { readonly item_variant_id: string }

async function shop() {
  const room = await stockroom(bench)
  const places = [await room.place('Shop'), await room.place('Store')]
  const [oak, ash] = [await room.variant('OAK'), await room.variant('ASH')]
  const ids = ({ items }: { readonly items: readonly Line[] }) => items.map(line => line.item_variant_id)
  return { ...room, places, oak, ash, ids }
}

test('every command with lines takes skus instead of ids, also beside ids', async t => {
  const { tenant, places, oak, ash, ids } = await shop()
  const both = [{ sku: 'OAK', quantity: 5 }, itemLine(ash, 5)]
  t.deepEqual(ids(await tenant.done(createAdjustment, { items: both })), [oak, ash])
  const moved = both.map(line => ({ ...line, quantity: 1 }))
  const [from, to] = places
  const transfer = { from_storage_place_id: from, to_storage_place_id: to, items: moved }
  t.deepEqual(ids(await tenant.done(createTransfer, transfer)), [oak, ash])
  const bought = await tenant.done(createPurchaseOrder, { supplier: { title: 'Mill' }, items: both })
  t.deepEqual(ids(bought), [oak, ash])
  const more = { items: [{ sku: 'ASH', quantity: 2 }] }
  t.deepEqual(ids(await tenant.done(changePurchaseOrder, more, { id: bought.id })), [oak, ash, ash])

  const order = await tenant.done(createOrder, { customer: { title: 'Café' }, items: [{ sku: 'ASH', quantity: 1 }] })
  t.deepEqual(ids(order), [ash])
  const changed = await tenant.done(changeOrder, { items: [{ sku: 'OAK', quantity: 2 }] }, { id: order.id })
  t.deepEqual(ids(changed), [ash, oak])

  const table = (await tenant.done(createProduct, { title: 'Table', sku: 'TABLE' })).variants[0].id
  const materials = [{ sku: 'OAK', quantity: 1 }]
  const recipe = await tenant.done(createRecipe, { item_variant_id: table, materials })
  t.is(recipe.materials[0].item_variant_id, oak)
  const other = await tenant.done(changeRecipe, { materials: [{ sku: 'ASH', quantity: 1 }] }, { id: recipe.id })
  t.is(other.materials[0].item_variant_id, ash)
  const made = await tenant.done(createManufacturingOrder, { sku: 'TABLE', quantity: 1, items: materials })
  t.deepEqual([made.item_variant.id, ids(made)], [table, [oak]])
})

test('of id and sku a line sends one; a sku that no unarchived variant has is refused by its field', async t => {
  const { tenant, oak } = await shop()
  const refused = (...items: readonly object[]) => tenant.refusal(createAdjustment, { items })
  t.is(await refused({ quantity: 1 }), 'validation_failed items[0].item_variant_id: is required, or sku')
  t.is(
    await refused({ sku: 'OAK', item_variant_id: oak, quantity: 1 }),
    'validation_failed items[0].sku: must not stand beside item_variant_id',
  )
  t.is(
    await refused({ sku: 'OAK', quantity: 1 }, { sku: 'oak', quantity: 1 }, { sku: 'NONE', quantity: 1 }),
    'validation_failed items[1].sku: is the sku of no unarchived variant; items[2].sku: is the sku of no unarchived variant',
  )
  t.regex(await refused({ sku: 5, quantity: 1 }), /items\[0\]\.sku: must be a string/)
  const { id } = await tenant.done(createProduct, { title: 'Old', sku: 'OLD' })
  await tenant.done(changeProduct, { archived: true }, { id })
  t.regex(await refused({ sku: 'OLD', quantity: 1 }), /items\[0\]\.sku: is the sku of no unarchived variant/)
  const stranger = await bench.tenant()
  t.regex(await stranger.refusal(createAdjustment, { items: [{ sku: 'OAK', quantity: 1 }] }), /items\[0\]\.sku/)
  const order = await tenant.done(createOrder, { customer: { title: 'Café' }, items: [{ sku: 'OAK', quantity: 1 }] })
  t.is(
    await tenant.refusal(changeOrder, { items: [{ id: order.items[0].id, sku: 'ASH' }] }, { id: order.id }),
    'validation_failed items[0].item_variant_id: cannot change: remove the line and add another',
  )
})
