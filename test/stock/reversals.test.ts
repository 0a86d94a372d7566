/** Reversals of adjustments and transfers: what leaves and returns, at which value, and when they are refused. */

import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { changeStoragePlace } from '../../lib/domain/places/commands.ts'
import { reverseAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { getAdjustment, listAdjustments } from '../../lib/domain/stock/adjustments/endpoints.ts'
import { reverseTransfer } from '../../lib/domain/stock/transfers/commands.ts'
import { getTransfer } from '../../lib/domain/stock/transfers/endpoints.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf } from '../support/units.ts'
import { type Stockroom, stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()
const why = { reason: 'by mistake' }

/** Quantity and value of a variant at each place, in the order of the places. A variant with batches has one for each entry. */
const held = async (room: Stockroom, variant: string) =>
  columns(await room.stock({ item_variant_id: variant }), 'quantity', 'stock_value')

test('an adjustment shows its reversal, as do GET, the list and the event; a second time is refused', async t => {
  const { tenant, adjust, movements, stock, variant } = await stockroom(bench)
  const oak = await variant('OAK')
  const made = await adjust([itemLine(oak, 3, { unit_cost: 2 })])
  t.like(made, { updated_at: made.created_at, reversed_at: null, reversal_reason: null, reversed_by_user_name: null })
  const before = tenant.now
  tenant.now = '2026-11-22T08:00:00.000Z'
  const { body, events } = await tenant.run(reverseAdjustment, why, { id: made.id })
  t.deepEqual(body, {
    ...made,
    updated_at: tenant.now,
    reversed_at: tenant.now,
    reversal_reason: 'by mistake',
    reversed_by_user_name: 'tester',
  })
  t.false('reversed' in body)
  t.deepEqual(await tenant.read(getAdjustment, { id: made.id }), body)
  t.deepEqual(columns(events, 'type', 'previous'), [
    ['stock.changed', { quantity: 3, available_quantity: 3 }],
    [
      'stock_adjustment.reversed',
      { updated_at: before, reversed_at: null, reversal_reason: null, reversed_by_user_name: null },
    ],
  ])
  t.deepEqual(events[1]?.data, body)
  t.deepEqual(
    columns(
      await movements(),
      'kind',
      'quantity',
      'value',
      'quantity_after',
      'source_type',
      'source_id',
      'document_date',
    ),
    [
      ['ADJUSTMENT', 3, 6, 3, 'STOCK_ADJUSTMENT', made.id, made.date],
      ['REVERSAL', -3, -6, 0, 'STOCK_ADJUSTMENT', made.id, tenant.now],
    ],
  )
  t.deepEqual(columns(await stock(), 'quantity', 'stock_value', 'average_cost'), [[0, 0, null]])
  t.is(await tenant.refusal(reverseAdjustment, why, { id: made.id }), 'already_reversed SA-00001 is reversed')
})

test('lists tell reversed documents from others, and follow reversals as changes', async t => {
  const { tenant, adjust, variant } = await stockroom(bench)
  const oak = await variant('OAK')
  const [first, second] = [await adjust([itemLine(oak, 1)]), await adjust([itemLine(oak, 1)])]
  tenant.now = '2026-11-22T08:00:00.000Z'
  await tenant.done(reverseAdjustment, why, { id: first.id })
  const ids = async (filters: Record<string, string>) =>
    (await tenant.page(listAdjustments, { filters })).map(({ id }: { id: string }) => id)
  t.deepEqual(await ids({ reversed: 'true' }), [first.id])
  t.deepEqual(await ids({ reversed: 'false' }), [second.id])
  t.deepEqual(await ids({ updated_after: tenant.now }), [first.id])
})

test('what came in leaves at the value at which it came, although cheaper goods came in since', async t => {
  const room = await stockroom(bench)
  const oak = await room.variant('OAK')
  const dear = await room.adjust([itemLine(oak, 10, { unit_cost: 5 })])
  await room.adjust([itemLine(oak, 10, { unit_cost: 3 })])
  // Q 20, V 80: 5 go at the average of 4.
  await room.adjust([itemLine(oak, -5)])
  await room.tenant.done(reverseAdjustment, why, { id: dear.id })
  // V 60 less 50.
  t.deepEqual(await held(room, oak), [[5, 10]])
})

test('what came in leaves at most at what the stock is worth, and at all of it where nothing is left', async t => {
  const { tenant, ...room } = await stockroom(bench)
  const worth = async (out: number) => {
    const oak = await room.variant(`OAK${out}`)
    const dear = await room.adjust([itemLine(oak, 10, { unit_cost: 5 })])
    await room.adjust([itemLine(oak, 10, { unit_cost: 3 })])
    await room.adjust([itemLine(oak, -out)])
    await tenant.done(reverseAdjustment, why, { id: dear.id })
    return held({ tenant, ...room }, oak)
  }
  // 9 of Q 20 and V 80 take 36: V 44 is less than 50.
  t.deepEqual(await worth(9), [[1, 0]])
  t.deepEqual(await worth(10), [[0, 0]])
})

test('what went out comes back at exactly the value at which it left', async t => {
  const room = await stockroom(bench)
  const oak = await room.variant('OAK')
  await room.adjust([itemLine(oak, 3, { unit_cost: 3.3333 })])
  // V 9.9999 over Q 3: two of them take 6.6666.
  const out = await room.adjust([itemLine(oak, -2)])
  await room.adjust([itemLine(oak, 9, { unit_cost: 1 })])
  await room.tenant.done(reverseAdjustment, why, { id: out.id })
  t.deepEqual(await held(room, oak), [[12, 18.9999]])
})

test('the movements are answered the last first, each on what the one before left', async t => {
  const room = await stockroom(bench)
  const oak = await room.variant('OAK')
  const made = await room.adjust([
    itemLine(oak, 5, { unit_cost: 2 }),
    itemLine(oak, -4),
    itemLine(oak, 2, { unit_cost: 7 }),
  ])
  // Q 3, V 16. 2 leave at 14, 4 return at 8, and the 5 leave with all of the rest: 10.
  await room.tenant.done(reverseAdjustment, why, { id: made.id })
  t.deepEqual(columns((await room.movements()).slice(3), 'quantity', 'value', 'quantity_after'), [
    [-2, -14, 1],
    [4, 8, 5],
    [-5, -10, 0],
  ])
})

test('goods that are gone, in their batch and state, are a shortage that names each sku', async t => {
  const { tenant, ...room } = await stockroom(bench)
  const [north, south] = [await room.place('North'), await room.place('South')]
  const [oak, milk] = [await room.variant('OAK'), await room.variant('MILK', { batch_tracked: true })]
  const made = await room.adjust([
    itemLine(oak, 5, { unit_cost: 2 }),
    itemLine(milk, 3, { batch_number: 'A', expiry_date: '2026-01-01' }),
    itemLine(milk, 3, { batch_number: 'B' }),
  ])
  const [{ batch_id: a }] = made.items.slice(1)
  await room.transfer({ from_storage_place_id: north, to_storage_place_id: south, items: [itemLine(oak, 1)] })
  const quarantine = await room.transfer({
    from_storage_place_id: north,
    to_storage_place_id: north,
    items: [itemLine(milk, 2, { batch_id: a, to_quarantine: true })],
  })
  const before = await room.stock()
  t.is(
    await tenant.refusal(reverseAdjustment, why, { id: made.id }),
    'insufficient_stock not enough MILK (batch A) at North: 3 needed, 3 on hand, of which 1 can be taken; not enough OAK at North: 5 needed, 4 on hand',
  )
  t.deepEqual(await room.stock(), before)
  await tenant.done(reverseTransfer, why, { id: quarantine.id })
  await room.adjust([itemLine(oak, 1)])
  // Expired stock counts.
  t.is(await tenant.refusal(reverseAdjustment, why, { id: made.id }), 'done')
})

test('the source of a transfer gets back exactly what the target gives up, after its average changed', async t => {
  const { tenant, ...room } = await stockroom(bench)
  const [north, south] = [await room.place('North'), await room.place('South')]
  const moved = async (sku: string, out: number) => {
    const oak = await room.variant(sku)
    await room.adjust([itemLine(oak, 10, { unit_cost: 5 })])
    const { id } = await room.transfer({
      from_storage_place_id: north,
      to_storage_place_id: south,
      items: [itemLine(oak, 4)],
    })
    // Q 8, V 28 there.
    await room.adjust([itemLine(oak, 4, { unit_cost: 2 })], { storage_place_id: south })
    if (out > 0) await room.adjust([itemLine(oak, -out)], { storage_place_id: south })
    const { body } = await tenant.run(reverseTransfer, why, { id })
    t.deepEqual(await tenant.read(getTransfer, { id }), body)
    return held({ tenant, ...room }, oak)
  }
  t.deepEqual(await moved('A', 0), [
    [10, 50],
    [4, 8],
  ])
  // 3 took 10.5 of 28: 17.5 are left of goods that came at 20.
  t.deepEqual(await moved('B', 3), [
    [10, 47.5],
    [1, 0],
  ])
  t.deepEqual(await bench.faults(tenant.id), [])
})

test('a transfer through quarantine within a place comes back, line by line', async t => {
  const { tenant, ...room } = await stockroom(bench)
  const north = await room.place('North')
  const milk = await room.variant('MILK', { batch_tracked: true })
  await room.adjust([
    itemLine(milk, 2, { unit_cost: 1, batch_number: 'A' }),
    itemLine(milk, 2, { unit_cost: 2, batch_number: 'B' }),
  ])
  const { id } = await room.transfer({
    from_storage_place_id: north,
    to_storage_place_id: north,
    items: [itemLine(milk, 3, { to_quarantine: true })],
  })
  await tenant.done(reverseTransfer, why, { id })
  t.deepEqual(
    columns(
      await room.stock({ item_variant_id: milk }),
      'batch_number',
      'quantity',
      'quarantine_quantity',
      'stock_value',
    ),
    [
      ['A', 2, 0, 3],
      ['B', 2, 0, 3],
    ],
  )
})

test('a date before the document, in a closed period or ahead of the clock is refused', async t => {
  const { tenant, adjust, variant } = await stockroom(bench, { closedThrough: '2026-11-01' })
  const oak = await variant('OAK')
  const { id } = await adjust([itemLine(oak, 1)], { date: '2026-11-10' })
  const refusal = (date: string) => tenant.refusal(reverseAdjustment, { ...why, date }, { id })
  t.is(
    await refusal('2026-11-09'),
    'validation_failed date: must not be before that of SA-00001, 2026-11-10T00:00:00.000Z',
  )
  t.regex(await refusal('2026-11-30'), /^unprocessable date/)
  t.is(await tenant.refusal(reverseAdjustment, {}, { id }), 'validation_failed reason: is required')
  t.is(await tenant.refusal(reverseAdjustment, why, { id: '1' }), 'not_found no such stock adjustment')
  const { reversed_at } = await tenant.done(reverseAdjustment, { ...why, date: '2026-11-10' }, { id })
  t.is(reversed_at, '2026-11-10T00:00:00.000Z')
})

test('an archived place gets no goods back but gives them up; archived variants take part', async t => {
  const { tenant, ...room } = await stockroom(bench)
  const [north, south] = [await room.place('North'), await room.place('South')]
  const oak = await room.variant('OAK')
  await room.adjust([itemLine(oak, 2, { unit_cost: 1 })], { storage_place_id: south })
  const { id } = await room.transfer({
    from_storage_place_id: south,
    to_storage_place_id: north,
    items: [itemLine(oak, 2)],
  })
  const archive = (archived: boolean) => tenant.done(changeStoragePlace, { archived }, { id: south })
  await archive(true)
  t.is(
    await tenant.refusal(reverseTransfer, why, { id }),
    'conflict the storage place South is archived, and would get goods back',
  )
  await archive(false)
  const [{ item_id }] = await room.stock()
  await tenant.done(changeProduct, { archived: true }, { id: item_id })
  t.is(await tenant.refusal(reverseTransfer, why, { id }), 'done')
})

test('an item that is batch-tracked now and was not then is a conflict', async t => {
  const { tenant, ...room } = await stockroom(bench)
  const oak = await room.variant('OAK')
  await room.adjust([itemLine(oak, 2, { unit_cost: 1 })])
  const { id } = await room.adjust([itemLine(oak, -2)])
  const [{ item_id }] = await room.stock()
  await tenant.done(changeProduct, { batch_tracked: true }, { id: item_id })
  t.is(await tenant.refusal(reverseAdjustment, why, { id }), 'conflict OAK is batch-tracked now')
})

test('a key that was issued without a name is not shown as who reversed', async t => {
  const { tenant, adjust, variant } = await stockroom(bench)
  const { id } = await adjust([itemLine(await variant('OAK'), 1)])
  const command = {
    ...commandOf(tenant.id, ['reverseStockAdjustment', why, id]),
    actor: { keyId: '1', userName: 'owner@example.com' },
  }
  const [[outcome] = []] = await units.outcomesOf([{ tenantId: tenant.id, commands: [command] }])
  t.is(JSON.parse((outcome as { body: string }).body).reversed_by_user_name, null)
})

test('a document of many movements is reversed by itself, one of few beside others', async t => {
  const room = await stockroom(bench)
  const oak = await room.variant('OAK')
  const reversed = async (lines: number) => {
    const items = Array.from({ length: lines }, () => itemLine(oak, 1, { unit_cost: 1 }))
    const { id } = await room.adjust(items)
    const before = units.heavy
    const commands = [commandOf(room.tenant.id, ['reverseStockAdjustment', why, id])]
    const [[outcome] = []] = await units.outcomesOf([{ tenantId: room.tenant.id, commands }])
    t.is(outcome?.kind, 'done')
    return units.heavy - before
  }
  t.is(await reversed(100), 0)
  t.is(await reversed(101), 1)
  t.is(await reversed(500), 1)
  t.deepEqual(await held(room, oak), [[0, 0]])
})

test('a reversal of 500 lines takes as many round trips as one of a single line', async t => {
  const room = await stockroom(bench)
  const oak = await room.variant('OAK')
  const trips = async (lines: number) => {
    const items = Array.from({ length: lines }, () => itemLine(oak, 1, { unit_cost: 1 }))
    const { id } = await room.adjust(items)
    const { trips, outcome } = await units.alone(room.tenant.id, ['reverseStockAdjustment', why, id])
    t.is(outcome?.kind, 'done')
    return trips
  }
  t.is(await trips(1), 3)
  t.is(await trips(500), 3)
})
