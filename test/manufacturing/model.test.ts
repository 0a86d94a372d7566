/**
 * Random orders of two levels and random commands on them, some of them refused, compared with a naive model. At the end everything is
 * reconciled.
 */
import fc from 'fast-check'
import { createAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { formatScaled, parseScaled } from '../../lib/platform/decimal.ts'
import type { Loose, Outcome } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { apply, type Command, Refused, type State, type World } from './reference-model.ts'
import { type Workshop, workshop } from './workshop.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const RUNS = Number(process.env['MODEL_RUNS'] ?? 16)
const micro = (text: string) => parseScaled(text, 6)
const plain = (value: bigint) => Number(formatScaled(value, 6))
const money = (value: bigint) => Number(formatScaled(value, 4))

const world: World = {
  recipes: {
    BOX: {
      materials: { SHEET: micro('0.7'), GLUE: micro('0.333333') },
      duration: micro('0.333333'),
      costPerHour: micro('11.1'),
    },
    CRATE: {
      materials: { BOX: micro('2'), SHEET: micro('0.000001') },
      duration: micro('0.05'),
      costPerHour: micro('0.000007'),
    },
  },
}

// Small and awkward quantities, and enough of each material that about every second order can start.
const amount = fc.constantFrom('1', '2', '3', '7', '0.333333', '0.000001', '2.5').map(micro)
const made = fc.constantFrom('BOX', 'BOX', 'CRATE')
const order = fc.nat({ max: 3 })
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 2 })
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      variant: fc.constantFrom('SHEET', 'GLUE', 'BOX'),
      quantity: fc.oneof({ weight: 3, arbitrary: amount }, { weight: 1, arbitrary: amount.map(value => -value) }),
      unitCost: fc.constantFrom('0', '3.333333', '10').map(micro),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), made, quantity: amount }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('start' as const), order }) },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('complete' as const),
      // Mostly the order that is started from the beginning, as below.
      order: fc.constantFrom(2, 2, 2, 0, 1, 3),
      quantity: optional(fc.oneof(amount, fc.constant(0n))),
      isFinal: fc.boolean(),
      duration: optional(amount),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      order,
      quantity: optional(amount),
      edit: optional(fc.record({ variant: fc.constantFrom('SHEET', 'GLUE', 'BOX'), quantity: optional(amount) })),
    }),
  },
  {
    weight: 16,
    arbitrary: fc.record({
      kind: fc.constant('materials' as const),
      order: fc.constantFrom(2, 2, 2, 0, 1),
      lines: fc.array(
        fc.record({
          variant: fc.constantFrom('SHEET', 'SHEET', 'GLUE', 'BOX'),
          quantity: fc
            .constantFrom('1', '0.333333', '0.000001', '2.5', '-1', '-0.333333', '-0.000001', '-2.5')
            .map(micro),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('block' as const, 'unblock' as const, 'remove' as const), order }),
  },
)
const beginning: Command[] = [
  { kind: 'adjust', variant: 'SHEET', quantity: micro('20'), unitCost: micro('3.333333') },
  { kind: 'adjust', variant: 'GLUE', quantity: micro('7'), unitCost: micro('1.000049') },
  { kind: 'create', made: 'BOX', quantity: micro('3') },
  { kind: 'create', made: 'CRATE', quantity: micro('1') },
  { kind: 'create', made: 'BOX', quantity: micro('7') },
  { kind: 'start', order: 2 },
]
const commands = fc.array(command, { minLength: 10, maxLength: 28 }).map(more => [...beginning, ...more])

type Change = Extract<Command, { kind: 'change' }>
type Room = { shop: Workshop; variants: Map<string, string>; orders: Loose[] }

async function room(): Promise<Room> {
  const shop = await workshop(bench)
  await shop.place('Home')
  const variants = new Map<string, string>()
  for (const sku of ['SHEET', 'GLUE', 'BOX', 'CRATE']) variants.set(sku, await shop.variant(sku))
  for (const [sku, recipe] of Object.entries(world.recipes)) {
    const step = await shop.operation(`Making ${sku}`, plain(recipe.costPerHour))
    const materials = Object.entries(recipe.materials).map(([name, quantity]): [string, number] => [
      variants.get(name) ?? '',
      plain(quantity),
    ])
    await shop.recipe(variants.get(sku) ?? '', materials, [[step, plain(recipe.duration)]])
  }
  return { shop, variants, orders: [] }
}

async function run({ shop, variants, orders }: Room, command: Command): Promise<Outcome> {
  if (command.kind === 'adjust') {
    const { quantity } = command
    const item = { item_variant_id: variants.get(command.variant), quantity: plain(quantity) }
    const items = [quantity > 0n ? { ...item, unit_cost: plain(command.unitCost) } : item]
    return shop.tenant.run(createAdjustment, { items })
  }
  if (command.kind === 'create') {
    const outcome = await shop.tryOrder(variants.get(command.made) ?? '', plain(command.quantity))
    if (outcome.body) orders.push({ ...outcome.body, task: (await shop.tasks(outcome.body))[0] })
    return outcome
  }
  const target = orders[command.order] ?? { id: '1', task: { id: '1' } }
  if (command.kind === 'change') return shop.change.run(target, await bodyOf(shop, variants, target, command))
  if (command.kind === 'materials') {
    const items = command.lines.map(line => ({
      item_variant_id: variants.get(line.variant),
      quantity: plain(line.quantity),
    }))
    return shop.materials.run(target, { items })
  }
  if (command.kind !== 'complete') return shop[command.kind].run(target)
  const { quantity, isFinal, duration } = command
  return shop.complete.run(target, {
    ...(quantity === null ? {} : { quantity: plain(quantity) }),
    is_final: isFinal,
    ...(duration === null ? {} : { tasks: [{ id: target.task.id, actual_duration: plain(duration) }] }),
  })
}

/** An edit names its line by the id if the order has the line. */
async function bodyOf(shop: Workshop, variants: Room['variants'], target: Loose, { quantity, edit }: Change) {
  const variant = edit && variants.get(edit.variant)
  const { items = [] } = await shop.read(target)
  const line = items.find((each: Loose) => each.item_variant_id === variant)
  const added = edit?.quantity === null ? { id: '1', remove: true } : { item_variant_id: variant }
  const named = edit?.quantity === null ? { id: line?.id, remove: true } : { id: line?.id }
  const so = edit?.quantity == null ? {} : { quantity: plain(edit.quantity) }
  return {
    ...(quantity === null ? {} : { quantity: plain(quantity) }),
    ...(edit === null ? {} : { items: [{ ...(line ? named : added), ...so }] }),
  }
}

const foretell = (state: State, command: Command): State | string => {
  try {
    return apply(world, state, command)
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

function summaryOfModel({ holdings, orders }: State): string[] {
  return [
    ...Object.entries(holdings)
      .filter(([, { quantity, reserved, expected }]) => quantity + reserved + expected > 0n)
      .map(([sku, row]) =>
        [sku, plain(row.quantity), plain(row.reserved), plain(row.expected), money(row.value)].join(' '),
      ),
    ...orders.flatMap((row, index) => {
      if (row === null) return []
      const wip = row.materials + row.operations - row.posted
      const costs = [row.materials, row.operations, row.posted, wip].map(money)
      return [[`order ${index}`, row.status, plain(row.released), ...costs].join(' ')]
    }),
  ].sort()
}

async function summaryOfService({ shop, orders }: Room): Promise<string[]> {
  const stock = await shop.stock()
  const documents = await shop.orders()
  return [
    ...stock
      .filter(row => row.quantity + row.reserved_quantity + row.expected_quantity > 0)
      .map(row => [row.sku, row.quantity, row.reserved_quantity, row.expected_quantity, row.stock_value].join(' ')),
    ...documents.map(({ id, status, released_quantity: released, actual_cost: cost }) => {
      const costs = [cost.materials_cost, cost.operations_cost, cost.posted_cost, cost.wip_cost]
      return [`order ${orders.findIndex(known => known.id === id)}`, status, released, ...costs].join(' ')
    }),
  ].sort()
}

test('random orders leave the stock and the cost that a naive reading of the rules foretells', async t => {
  const seen = { done: 0, refused: 0, started: 0, completed: 0, changed: 0, returned: 0 }
  await fc.assert(
    fc.asyncProperty(commands, async sequence => {
      const made = await room()
      let state: State = { holdings: {}, orders: [] }
      for (const command of sequence) {
        const foretold = foretell(state, command)
        const outcome = await run(made, command)
        const said = typeof foretold === 'string' ? foretold : 'done'
        t.is(outcome.refusal?.refusal ?? 'done', said, `${command.kind}: ${outcome.refusal?.message}`)
        if (typeof foretold === 'string') seen.refused++
        else {
          seen.done++
          if (command.kind === 'start') seen.started++
          if (command.kind === 'complete') seen.completed++
          if (command.kind === 'materials' && command.lines.some(({ quantity }) => quantity < 0n)) seen.returned++
          if (command.kind === 'change' && (command.quantity ?? command.edit) !== null) seen.changed++
          state = foretold
        }
        t.deepEqual(await summaryOfService(made), summaryOfModel(state))
      }
    }),
    { numRuns: RUNS },
  )
  t.log(seen)
  t.true(Math.min(seen.completed, seen.refused, seen.changed, seen.returned) > 0, 'the runs exercised all of this')
  t.deepEqual(await bench.faults(), [])
})
