/**
 * A command sees what earlier commands of its unit of work changed. It decides by that, or waits for the next unit if only the database can
 * decide. Changes by others make no command wait.
 */

import { createProduct } from '../../lib/domain/catalogue/commands.ts'
import type { Outcome } from '../../lib/pipeline/command.ts'
import { salesroom } from '../sales/salesroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf, type Step } from '../support/units.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()
const statusOf = (outcome: Outcome) => (outcome.kind === 'done' ? outcome.status : outcome.refusal.refusal)

async function world() {
  const room = await salesroom(bench)
  const { tenant } = room
  const [main, empty] = [await room.place('Main'), await room.place('Empty')]
  const [oak, ash] = [await room.variant('OAK'), await room.variant('ASH')]
  await room.adjust([oak, ash].map(item_variant_id => itemLine(item_variant_id, 50, { unit_cost: 2 })))
  const fresh: Loose = await tenant.done(createProduct, { title: 'Fresh', sku: 'FRESH' })
  const order = await room.order([oak, ash].map(item_variant_id => itemLine(item_variant_id, 3)))
  const shipped = await room.order([oak, ash].map(item_variant_id => itemLine(item_variant_id, 3)))
  await room.ship(shipped)
  const back = await room.giveBack(shipped, [{ sales_order_item_id: shipped.items[1].id, quantity: 3 }])
  return { tenantId: tenant.id, main, empty, oak, fresh, variant: fresh.variants[0].id, order, shipped, back }
}
type World = Awaited<ReturnType<typeof world>>

const adjust = (item_variant_id: string, storage_place_id: string): Step => [
  'createStockAdjustment',
  { storage_place_id, items: [itemLine(item_variant_id, 1, { unit_cost: 1 })] },
]
/** Posts stock, and then takes more than there is. */
const tooMuch = (item_variant_id: string, storage_place_id: string): Step => [
  'createStockAdjustment',
  { storage_place_id, items: [itemLine(item_variant_id, 1), itemLine(item_variant_id, -5)] },
]
const giveBack = (order: Loose, line: number, quantity: number): Step => [
  'createSalesReturn',
  { sales_order_id: order.id, items: [{ sales_order_item_id: order.items[line].id, quantity }] },
]
const batchTracked = ({ fresh }: World): Step => ['updateProduct', { batch_tracked: true }, fresh.id]
const archived = (place: string): Step => ['updateStoragePlace', { archived: true }, place]

/** The commands of one unit of work, and their results. `waits`: the last command runs in the next unit. */
type Case = {
  readonly steps: (world: World) => readonly Step[]
  readonly come: readonly (number | string)[]
  readonly waits: boolean
}
const bySku = (sku: string): Step => ['createStockAdjustment', { items: [{ sku, quantity: 1, unit_cost: 1 }] }]
const cases: Readonly<Record<string, Case>> = {
  'a product, then stock by its sku': {
    steps: () => [['createProduct', { title: 'New', sku: 'NEW' }], bySku('NEW')],
    come: [201, 201],
    waits: true,
  },
  'the end of a product, then stock by its sku': {
    steps: ({ fresh }) => [['updateProduct', { archived: true }, fresh.id], bySku('FRESH')],
    come: [200, 'validation_failed'],
    waits: true,
  },
  'a sku that goes to another product, then stock by it': {
    steps: ({ fresh }) => [
      ['updateProduct', { sku: 'STALE' }, fresh.id],
      ['createProduct', { title: 'Fresher', sku: 'FRESH' }],
      bySku('FRESH'),
    ],
    come: [200, 201, 201],
    waits: true,
  },
  'a change of one product, then stock by the sku of another': {
    steps: ({ fresh }) => [['updateProduct', { title: 'Fresher' }, fresh.id], bySku('OAK')],
    come: [200, 201],
    waits: false,
  },
  'stock at a place, then the end of the place': {
    steps: ({ oak, empty }) => [adjust(oak, empty), archived(empty)],
    come: [201, 'conflict'],
    waits: true,
  },
  'stock at another place, then the end of the place': {
    steps: ({ oak, main, empty }) => [adjust(oak, main), archived(empty)],
    come: [201, 200],
    waits: false,
  },
  'stock that is refused, then the end of the place': {
    steps: ({ empty, oak }) => [tooMuch(oak, empty), archived(empty)],
    come: ['validation_failed', 200],
    waits: false,
  },
  'stock that is refused, then stock, then the end of the place': {
    steps: ({ empty, oak }) => [tooMuch(oak, empty), adjust(oak, empty), archived(empty)],
    come: ['validation_failed', 201, 'conflict'],
    waits: true,
  },
  'stock of a product, then its batches': {
    steps: world => [adjust(world.variant, world.main), batchTracked(world)],
    come: [201, 'validation_failed'],
    waits: true,
  },
  'stock of another product, then batches of the product': {
    steps: world => [adjust(world.oak, world.main), batchTracked(world)],
    come: [201, 200],
    waits: false,
  },
  'batches of a product, then its stock': {
    steps: world => [batchTracked(world), adjust(world.variant, world.main)],
    come: [200, 201],
    waits: true,
  },
  'batches of a product, then stock of another': {
    steps: world => [batchTracked(world), adjust(world.oak, world.main)],
    come: [200, 201],
    waits: false,
  },
  'a shipment, then its return': {
    steps: ({ order }) => [['createShipment', {}, order.id], giveBack(order, 0, 3)],
    come: [201, 201],
    waits: true,
  },
  'a return of all of a line, then of more of the line': {
    steps: ({ shipped }) => [giveBack(shipped, 0, 3), giveBack(shipped, 0, 1)],
    come: [201, 'validation_failed'],
    waits: true,
  },
  'the end of a return, then another of its line': {
    steps: ({ shipped, back }) => [
      ['cancelSalesReturn', { reason: null }, back.sales_return.id],
      giveBack(shipped, 1, 3),
    ],
    come: [200, 201],
    waits: true,
  },
  // The returns of an order together refund at most its total.
  'the end of a return, then a return of another line': {
    steps: ({ shipped, back }) => [
      ['cancelSalesReturn', { reason: null }, back.sales_return.id],
      giveBack(shipped, 0, 3),
    ],
    come: [200, 201],
    waits: true,
  },
}

for (const [name, { steps, come, waits }] of Object.entries(cases))
  test(`${name}: ${waits ? 'in the next unit of work' : 'in the same unit of work'}`, async t => {
    const there = await world()
    const commands = steps(there).map(step => commandOf(there.tenantId, step))
    const [first = []] = await units.outcomesOf([{ tenantId: there.tenantId, commands }])
    t.is(first.length, commands.length - (waits ? 1 : 0))
    const [next = []] = waits
      ? await units.outcomesOf([{ tenantId: there.tenantId, commands: commands.slice(first.length) }])
      : []
    t.deepEqual([...first, ...next].map(statusOf), come)
  })
