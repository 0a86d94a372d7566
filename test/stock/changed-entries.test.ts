/** The result of `GET /stock?updated_after=`: every entry that shows other values than before, whichever batch moved. */
import fc from 'fast-check'
import * as v from 'valibot'
import { createOrder } from '../../lib/domain/sales/orders/commands.ts'
import { createAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { createTransfer } from '../../lib/domain/stock/transfers/commands.ts'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Stockroom, stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/** The nth minute of the day. */
const minute = (n: number) => new Date(Date.parse('2026-11-21T00:00:00Z') + n * 60_000).toISOString()

/** Adjusts at the nth minute. Returns the batches of the entries that show a change since then. */
async function changedBy(room: Stockroom, n: number, items: Loose[]): Promise<unknown[]> {
  room.tenant.now = minute(n)
  await room.adjust(items)
  return columns(await room.stock({ updated_after: minute(n) }), 'batch_number').flat()
}

test('a batch that changes the average moves updated_at of all, emptied ones too', async t => {
  const room = await stockroom(bench)
  const milk = await room.variant('MILK', { batch_tracked: true })
  const line = (batch: string, quantity: number, cost?: number) => ({
    item_variant_id: milk,
    batch_number: batch,
    quantity,
    ...(cost === undefined ? {} : { unit_cost: cost }),
  })
  await changedBy(room, 0, [line('A', 2, 4), line('B', 2, 4)])
  t.deepEqual(await changedBy(room, 1, [line('A', -2)]), ['A', 'B'])
  // The average falls from 4 to 3 for all three. A has no stock of it.
  t.deepEqual(await changedBy(room, 2, [line('C', 2, 2)]), ['A', 'B', 'C'])
  // An adjustment at the average changes nothing for A. B has stock, whose share may have changed.
  t.deepEqual(await changedBy(room, 3, [line('C', 1)]), ['B', 'C'])
  t.deepEqual(await changedBy(room, 4, [line('B', -2), line('C', -3)]), ['A', 'B', 'C'])
  t.deepEqual(columns(await room.stock(), 'average_cost', 'updated_at'), Array(3).fill([null, minute(4)]))
})

test('the entry without a batch moves with the first batch; entries of other places and variants stay', async t => {
  const room = await stockroom(bench)
  const [north, south, east] = [await room.place('North'), await room.place('South'), await room.place('East')]
  const milk = await room.variant('MILK', { batch_tracked: true })
  const tea = await room.variant('TEA')
  const at = (n: number, storage_place_id: string, item_variant_id: string, batch?: string) => {
    room.tenant.now = minute(n)
    const named = batch === undefined ? {} : { batch_number: batch }
    return room.adjust([itemLine(item_variant_id, 1, { unit_cost: n, ...named })], { storage_place_id })
  }
  await at(1, south, milk, 'A')
  await at(2, north, tea)
  await at(3, north, milk, 'A')
  // A reservation is kept on an entry without a batch, which shows no average before.
  room.tenant.now = minute(4)
  await room.tenant.done(createOrder, {
    customer: { title: 'Shop' },
    items: [itemLine(milk, 1, { storage_place_id: east })],
  })
  await at(5, east, milk, 'A')
  await at(6, north, milk, 'B')
  t.deepEqual(columns(await room.stock(), 'storage_place_id', 'batch_number', 'updated_at'), [
    [south, 'A', minute(1)],
    [north, null, minute(2)],
    [north, 'A', minute(6)],
    [east, null, minute(5)],
    [east, 'A', minute(5)],
    [north, 'B', minute(6)],
  ])
  const since = (filters: Record<string, string>) => room.stock({ updated_after: minute(6), ...filters })
  t.is((await since({ item_variant_id: milk })).length, 2)
  t.is((await since({ storage_place_id: north })).length, 2)
  t.is((await since({ storage_place_id: south })).length, 0)
  const [, , first] = await room.stock()
  t.is((await since({ batch_id: first.batch_id })).length, 1)
})

const step = fc.record({
  variant: fc.constantFrom('MILK', 'MILK', 'OAK'),
  batch: fc.constantFrom('A', 'B', 'C', undefined),
  quantity: fc.constantFrom(3, 1, 7, 0.333333, -1, -2, -0.333333, -3),
  unitCost: fc.constantFrom(undefined, undefined, 3.333333, 0.0001, 10),
  transfer: fc.constantFrom(false, false, false, true),
})

test('an entry whose body is another has that time as updated_at, and is listed; emptied ones else stay', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async steps => {
      const room = await stockroom(bench)
      const [north, south] = [await room.place('North'), await room.place('South')]
      const ids: Record<string, string> = {
        MILK: await room.variant('MILK', { batch_tracked: true }),
        OAK: await room.variant('OAK'),
      }
      let before: Loose[] = []
      for (const [n, { variant, batch, quantity, unitCost, transfer }] of steps.entries()) {
        room.tenant.now = minute(n)
        const item = itemLine(ids[variant], transfer ? Math.abs(quantity) : quantity)
        const named = variant === 'MILK' && batch !== undefined ? { batch_number: batch } : {}
        const cost = quantity > 0 && unitCost !== undefined ? { unit_cost: unitCost } : {}
        if (transfer)
          await room.tenant.run(createTransfer, {
            from_storage_place_id: north,
            to_storage_place_id: south,
            items: [item],
          })
        else await room.tenant.run(createAdjustment, { items: [{ ...item, ...named, ...cost }] })
        const after = await room.stock()
        const known = new Map(before.map(entry => [entry.id, entry]))
        for (const entry of after) {
          const old = known.get(entry.id)
          const changed =
            JSON.stringify({ ...old, updated_at: null }) !== JSON.stringify({ ...entry, updated_at: null })
          if (changed) t.is(entry.updated_at, minute(n))
          else if (entry.quantity === 0) t.is(entry.updated_at, old.updated_at)
        }
        t.deepEqual(
          await room.stock({ updated_after: minute(n) }),
          after.filter(entry => entry.updated_at >= minute(n)),
        )
        before = after
      }
    }),
    { numRuns: 25 },
  )
})

const Count = rows(v.object({ count: v.string() }))
const transaction = async () => (await bench.pool.one(Count`select pg_current_xact_id()::text as count`)).count

/** How many rows of levels and balances later transactions wrote. */
async function writtenSince(earlier: string): Promise<number> {
  const { count } = await bench.pool.one(Count`
    select count(*)::text as count
    from (select xmin from stock_levels union all select xmin from stock_balances) written
    where xmin::text::bigint > ${earlier}::bigint`)
  return Number(count)
}

test.serial('as many rows are written whatever number of batches share the average; all are listed', async t => {
  const room = await stockroom(bench)
  const MANY = 10_100
  const written: number[] = []
  for (const batches of [1, 10, MANY]) {
    const sku = `MILK-${batches}`
    const milk = await room.variant(sku, { batch_tracked: true })
    room.tenant.now = minute(0)
    await room.adjust([itemLine(milk, 5, { unit_cost: 4, batch_number: 'first' })])
    // Emptied long ago, as only years would leave so many.
    await bench.pool.query(statement`
      with old as (
        insert into batches (tenant_id, id, item_variant_id, number, created_at, updated_at)
        select ${room.tenant.id}::bigint, nextval('ids'), ${milk}::bigint, 'old-' || n, ${minute(0)}::timestamptz, ${minute(0)}::timestamptz
        from generate_series(2, ${batches}::int) as n returning id
      )
      insert into stock_levels (
        tenant_id, item_variant_id, batch_id, quantity, quarantine_quantity, reserved_quantity, expected_quantity, updated_at, expires_on
      ) select ${room.tenant.id}::bigint, ${milk}::bigint, id, 0, 0, 0, 0, ${minute(0)}::timestamptz, 'infinity' from old`)
    const before = await transaction()
    room.tenant.now = minute(1)
    await room.adjust([itemLine(milk, 1, { unit_cost: 1, batch_number: 'first' })])
    written.push(await writtenSince(before))
    const entries = await room.stock({ updated_after: minute(1), item_variant_id: milk })
    t.is(entries.length, batches)
    t.true(entries.every(entry => entry.updated_at === minute(1)))
  }
  t.deepEqual(written, [2, 2, 2])
  // There are more entries than a list sorts, so they are read in the order of their ids.
  t.is((await room.stock({ updated_after: minute(1) })).length, MANY + 11)
  t.is((await room.stock({ updated_after: minute(2) })).length, 0)
})

test.serial(
  'a reservation writes its entry, and the balance, which says when what is available has changed',
  async t => {
    const room = await stockroom(bench)
    const tea = await room.variant('TEA')
    const written: number[] = []
    for (const _ of ['the first', 'the second']) {
      const before = await transaction()
      await room.tenant.done(createOrder, { customer: { title: 'Bar' }, items: [itemLine(tea, 1, { price: 1 })] })
      written.push(await writtenSince(before))
    }
    t.deepEqual(written, [2, 2])
    t.deepEqual(columns(await room.stock(), 'reserved_quantity', 'stock_value'), [[2, 0]])
  },
)
