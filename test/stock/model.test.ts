/** Random adjustments and transfers, some of them refused, compared with a naive model. Then everything is reconciled. */
import fc from 'fast-check'
import { createAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { createTransfer } from '../../lib/domain/stock/transfers/commands.ts'
import { formatScaled, parseScaled } from '../../lib/platform/decimal.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import {
  type Adjustment,
  apply,
  quantityOf,
  Refused,
  type State,
  type Transfer,
  type World,
} from './reference-model.ts'
import { type Stockroom, stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const world: World = { tracked: new Set(['MILK']), expiry: { A: '2027-06-01', B: '2026-01-01', C: '2027-01-01' } }
const RUNS = Number(process.env['MODEL_RUNS'] ?? 12)

// Small and awkward numbers: thirds, sevenths, millionths, and so few that places are often emptied.
const amount = fc.constantFrom('1', '2', '3', '7', '0.333333', '0.000001', '2.5').map(text => parseScaled(text, 6))
const variant = fc.constantFrom('OAK', 'MILK')
const place = fc.constantFrom('north', 'north', 'south', 'none')
const batch = fc.constantFrom(undefined, undefined, 'A', 'B', 'C', 'D')
const cost = fc
  .constantFrom(undefined, undefined, '0', '3.333333', '1.000049', '10')
  .map(text => (text === undefined ? undefined : parseScaled(text, 6)))
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const line = fc
  .record({
    variant,
    amount,
    doing: fc.constantFrom('in', 'in', 'in', 'out', 'out', 'count'),
    batch,
    cost,
    expected: seldom(amount),
  })
  .map(({ variant, amount, doing, batch, cost, expected }) => ({
    variant,
    ...(doing === 'count' ? { counted: amount } : { quantity: doing === 'in' ? amount : -amount }),
    expected,
    unitCost: doing === 'in' ? cost : undefined,
    batch: variant === 'MILK' ? batch : undefined,
  }))
const adjustment = fc.record({
  kind: fc.constant('adjust' as const),
  place,
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
})
const move = fc
  .record({
    variant,
    quantity: amount,
    batch: seldom(batch),
    fromQuarantine: fc.constantFrom(false, false, true),
    toQuarantine: fc.boolean(),
  })
  .map(record => ({ ...record, batch: record.variant === 'MILK' ? record.batch : undefined }))
const transfer = fc
  .record({
    kind: fc.constant('transfer' as const),
    from: place,
    to: place,
    moves: fc.array(move, { minLength: 1, maxLength: 2 }),
  })
  .map(record => ({
    ...record,
    moves: record.moves.map(item =>
      record.from === record.to ? { ...item, toQuarantine: !item.fromQuarantine } : item,
    ),
  }))
const commands = fc.array(fc.oneof({ weight: 4, arbitrary: adjustment }, { weight: 2, arbitrary: transfer }), {
  minLength: 6,
  maxLength: 16,
})

type Ids = { variants: Record<string, string>; places: Record<string, string | null>; batches: Map<string, string> }

const micro = (value: bigint) => Number(formatScaled(value, 6))

function bodyOf(command: Omit<Adjustment, 'number'> | Transfer, ids: Ids): Loose {
  if (command.kind === 'adjust')
    return {
      storage_place_id: ids.places[command.place],
      items: command.lines.map(item => ({
        item_variant_id: ids.variants[item.variant],
        ...(item.quantity === undefined ? {} : { quantity: micro(item.quantity) }),
        ...(item.counted === undefined ? {} : { counted_quantity: micro(item.counted) }),
        ...(item.expected === undefined ? {} : { expected_quantity: micro(item.expected) }),
        ...(item.unitCost === undefined ? {} : { unit_cost: micro(item.unitCost) }),
        ...(item.batch === undefined
          ? {}
          : { batch_number: item.batch, expiry_date: world.expiry[item.batch] ?? null }),
      })),
    }
  return {
    from_storage_place_id: ids.places[command.from],
    to_storage_place_id: ids.places[command.to],
    items: command.moves.map(item => ({
      item_variant_id: ids.variants[item.variant],
      quantity: micro(item.quantity),
      from_quarantine: item.fromQuarantine,
      to_quarantine: item.toQuarantine,
      ...(item.batch === undefined ? {} : { batch_id: ids.batches.get(item.batch) ?? '1' }),
    })),
  }
}

/** The model's result: the state afterwards, or the code of the refusal. */
function foretell(state: State, command: Adjustment | Transfer, ids: Ids): State | string {
  // The model knows batches by number only. An id that was never used is refused before any stock is read.
  try {
    const unknown =
      command.kind === 'transfer' ? command.moves.findIndex(item => item.batch && !ids.batches.has(item.batch)) : -1
    if (command.kind === 'transfer' && unknown >= 0) {
      apply(world, state, { ...command, moves: command.moves.slice(0, unknown) })
      return 'validation_failed'
    }
    return apply(world, state, command)
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

/** Rows as `variant place batch quantity quarantine`, and values as `variant place value`. */
function summaryOfModel(state: State): string[] {
  return [...state]
    .flatMap(([key, holding]) => [
      ...holding.rows.map(row => `${key} ${row.batch} ${micro(row.quantity)} ${micro(row.quarantine)}`),
      ...(quantityOf(holding) > 0n ? [`${key} worth ${Number(formatScaled(holding.value, 4))}`] : []),
    ])
    .sort()
}

function summaryOfStock(stock: Loose[], ids: Ids): string[] {
  const placeNames = new Map(Object.entries(ids.places).map(([name, id]) => [id, name]))
  const key = (row: Loose) => `${row.sku}@${placeNames.get(row.storage_place_id)}`
  const values = new Map<string, bigint>()
  for (const row of stock.filter(entry => entry.average_cost !== null))
    values.set(key(row), (values.get(key(row)) ?? 0n) + parseScaled(row.stock_value.toFixed(4), 4))
  return [
    ...stock.map(row => `${key(row)} ${row.batch_number} ${row.quantity} ${row.quarantine_quantity}`),
    ...[...values].map(([name, value]) => `${name} worth ${Number(formatScaled(value, 4))}`),
  ].sort()
}

async function room(): Promise<{ room: Stockroom; ids: Ids }> {
  const made = await stockroom(bench)
  const places = { none: null, north: await made.place('North'), south: await made.place('South') }
  const variants = { OAK: await made.variant('OAK'), MILK: await made.variant('MILK', { batch_tracked: true }) }
  return { room: made, ids: { variants, places, batches: new Map() } }
}

test('random commands leave the stock that a naive reading of the rules foretells, and refusals nothing', async t => {
  const seen = { done: 0, refused: 0 }
  const tenantIds: string[] = []
  await fc.assert(
    fc.asyncProperty(commands, async sequence => {
      const { room: made, ids } = await room()
      tenantIds.push(made.tenant.id)
      let state: State = new Map()
      let documents = 0
      for (const command of sequence) {
        const numbered = command.kind === 'adjust' ? { ...command, number: `N-${documents}` } : command
        const foretold = foretell(state, numbered, ids)
        const outcome =
          numbered.kind === 'adjust'
            ? await made.tenant.run(createAdjustment, { ...bodyOf(numbered, ids), number: numbered.number })
            : await made.tenant.run(createTransfer, bodyOf(numbered, ids))
        documents++
        t.is(
          outcome.refusal?.refusal ?? 'done',
          typeof foretold === 'string' ? foretold : 'done',
          outcome.refusal?.message,
        )
        if (outcome.refusal || typeof foretold === 'string') seen.refused++
        else {
          seen.done++
          state = foretold
          for (const item of outcome.body.items) if (item.batch_id) ids.batches.set(item.batch_number, item.batch_id)
        }
        t.deepEqual(summaryOfStock(await made.stock(), ids), summaryOfModel(state))
      }
    }),
    { numRuns: RUNS },
  )
  t.log(seen)
  t.true(seen.done > RUNS && seen.refused > RUNS / 2)
  for (const id of tenantIds) t.deepEqual(await bench.faults(id), [])
})
