/** The value of the stock at a time: computed by hand, compared with a replay of the movements, and while others write. */
import * as v from 'valibot'
import { Valuation } from '../../lib/domain/stock/valuation/document.ts'
import { listValuationEndpoint } from '../../lib/domain/stock/valuation/endpoints.ts'
import { notePastBalances } from '../../lib/domain/stock/valuation/past-balances.ts'
import { formatScaled, parseScaled } from '../../lib/platform/decimal.ts'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { workshop } from '../manufacturing/workshop.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { type Stockroom, stockroom } from './stockroom.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const positionOf = (row: Loose) => `${row.item_variant_id}_${row.storage_place_id ?? 0}`

/** The whole list, in pages of `limit`. */
async function valuation(
  { tenant }: Pick<Stockroom, 'tenant'>,
  asOf: string,
  filters: Record<string, string> = {},
  limit = 200,
): Promise<Loose[]> {
  const found: Loose[] = []
  for (;;) {
    const last = found.at(-1)
    const page = await tenant.page(listValuationEndpoint, {
      filters: { as_of: asOf, ...filters },
      limit,
      ...(last === undefined ? {} : { after: positionOf(last) }),
    })
    if (page.refusal) return page
    found.push(...page)
    if (page.length < limit) return found
  }
}

test('stock is valued as it was posted at a time, by variant and place, whatever the documents are dated', async t => {
  const shop = await workshop(bench)
  const { tenant } = shop
  const at = async <T>(time: string, run: () => Promise<T>): Promise<T> => {
    tenant.now = `2026-11-${time}`
    return run()
  }
  const [oak, pine] = [await shop.variant('OAK'), await shop.variant('PINE')]
  const line = (quantity: number, cost?: number) => ({
    item_variant_id: oak,
    quantity,
    ...(cost === undefined ? {} : { unit_cost: cost }),
  })
  await at('01T12:00:00.000Z', () => shop.adjust([line(3, 1)]))
  const north = await shop.place('North')
  await at('02T12:00:00.000Z', () => shop.adjust([line(3, 10)], { date: '2026-01-01' }))
  await at('02T12:00:00.001Z', () => shop.adjust([line(4, 3.333333)]))
  await at('03T12:00:00.000Z', () => shop.adjust([line(-2)]))
  const made = await at('04T12:00:00.000Z', () => shop.order(pine, 2, { items: [line(1)] }))
  await at('05T12:00:00.000Z', () => shop.start(made))
  await at('06T12:00:00.000Z', () => shop.complete(made, { quantity: 1 }))
  // The rest of the cost is a movement of quantity 0.
  await at('07T12:00:00.000Z', () => shop.complete(made, { quantity: 0, is_final: true }))
  await at('08T12:00:00.000Z', () => shop.adjust([{ item_variant_id: oak, quantity: -3 }], { storage_place_id: null }))

  const shown = async (asOf: string, filters = {}) =>
    columns(
      await valuation(shop, asOf, filters, 1),
      'sku',
      'storage_place_id',
      'quantity',
      'average_cost',
      'stock_value',
    )
  t.deepEqual(await shown('2026-11-01T11:59:59.999Z'), [])
  const loose = ['OAK', null, 3, 1, 3]
  t.deepEqual(await shown('2026-11-02'), [loose])
  t.deepEqual(await shown('2026-11-02T12:00:00.000Z'), [loose, ['OAK', north, 3, 10, 30]])
  // 30 + 13.3333 = 43.3333 for 7, each 6.1905.
  t.deepEqual(await shown('2026-11-02T12:00:00.001Z'), [loose, ['OAK', north, 7, 6.1905, 43.3333]])
  // Less round(2 * 43.3333 / 7) = 12.3809, then less round(30.9524 / 5) = 6.1905 for the order. Half of that returns with the first piece,
  // and the rest raises its value.
  t.deepEqual(await shown('2026-11-05T11:00:00Z'), [loose, ['OAK', north, 5, 6.1905, 30.9524]])
  const used = ['OAK', north, 4, 6.1905, 24.7619]
  t.deepEqual(await shown('2026-11-06T12:00:00+00:00'), [loose, used, ['PINE', north, 1, 3.0953, 3.0953]])
  const pines = ['PINE', north, 1, 6.1905, 6.1905]
  t.deepEqual(await shown('2026-11-07T12:00:00.000Z'), [loose, used, pines])
  const now = [['OAK', null, 0, null, 0], used, pines]
  t.deepEqual(await shown(tenant.now), now)

  t.deepEqual(await shown(tenant.now, { item_variant_id: pine }), [pines])
  t.deepEqual(await shown(tenant.now, { storage_place_id: north }), [used, pines])
  t.deepEqual(await shown(tenant.now, { storage_place_id: north, item_variant_id: oak }), [used])
  t.deepEqual(await shown(tenant.now, { storage_place_id: '7' }), [])
  const all = await valuation(shop, tenant.now)
  t.true(all.every(row => v.is(Valuation.reply, row)))
  t.true(all.every(row => row.as_of === tenant.now))

  t.like(await valuation(shop, '2026-11-08T12:00:00.001Z'), {
    refusal: 'validation_failed',
    message: 'as_of: must not be in the future',
  })
  // The time of a tenant may be ahead of the server's.
  await bench.pool.query(statement`
    update tenant_streams set last_command_at = '2026-11-08T12:00:00.001Z' where tenant_id = ${tenant.id}`)
  t.is((await valuation(shop, '2026-11-08T12:00:00.001Z')).length, 3)
})

/** The expected list: sums of the movements up to a time, in their decimals. */
function replay(movements: readonly Loose[], asOf: string): unknown[][] {
  const sums = new Map<string, { quantity: bigint; value: bigint; of: Loose }>()
  for (const of of movements.filter(({ created_at }) => created_at <= asOf)) {
    const sum = sums.get(positionOf(of)) ?? { quantity: 0n, value: 0n, of }
    sum.quantity += parseScaled(String(of.quantity), 6)
    sum.value += parseScaled(String(of.value), 4)
    sums.set(positionOf(of), sum)
  }
  const number = (text: unknown) => Number(text ?? 0)
  return [...sums.values()]
    .sort(
      ({ of: a }, { of: b }) =>
        number(a.item_variant_id) - number(b.item_variant_id) ||
        number(a.storage_place_id) - number(b.storage_place_id),
    )
    .map(({ quantity, value, of }) => [
      of.item_variant_id,
      of.storage_place_id,
      Number(formatScaled(quantity, 6)),
      Number(formatScaled(value, 4)),
    ])
}

test('at every time the list equals a replay of the movements, with notes of past balances and without, and now GET /stock', async t => {
  const room = await stockroom(bench)
  const { tenant } = room
  const none = [null, await room.place('North'), await room.place('South')]
  const variants = [
    await room.variant('OAK'),
    await room.variant('PINE'),
    await room.variant('MILK', { batch_tracked: true }),
  ]
  const days = Array.from({ length: 12 }, (_, day) => `2026-11-${String(day + 1).padStart(2, '0')}T12:00:00.000Z`)
  // The last variant and place have too few movements for a note.
  for (const [day, time] of days.entries()) {
    tenant.now = time
    for (const [at, place] of none.entries())
      await room.adjust(
        variants.slice(0, 3 - (day % 2) * at).flatMap((variant, which) =>
          Array.from({ length: 9 - 4 * which }, (_, n) => ({
            item_variant_id: variant,
            quantity: (n + day + 1) / 3 < 1 ? 0.333333 : n + day,
            unit_cost: [0.37, 1.000049, 3.333333, 7, 0][n % 5],
            ...(which === 2 ? { batch_number: `M-${n % 3}` } : {}),
          })),
        ),
        { storage_place_id: place },
      )
    await room.transfer({
      from_storage_place_id: none[day % 3] ?? null,
      to_storage_place_id: none[(day + 1) % 3] ?? null,
      items: variants.map(variant => ({ item_variant_id: variant, quantity: 0.3 })),
    })
  }
  const movements = await room.movements()
  const times = [...days, '2026-10-31', '2026-11-04T12:00:00.001Z', '2026-11-09']
  const holds = async (what: string) => {
    for (const time of times) {
      const asOf = new Date(time).toISOString()
      const shown = columns(
        await valuation(room, time, {}, 4),
        'item_variant_id',
        'storage_place_id',
        'quantity',
        'stock_value',
      )
      t.deepEqual(shown, replay(movements, asOf), `${time} ${what}`)
    }
  }
  await holds('without notes')
  const noted = () =>
    bench.pool.oneFirst(rows(v.object({ count: v.number() }))`
      select count(distinct (item_variant_id, movement_id))::int as count from past_stock_balances where tenant_id = ${tenant.id}`)
  t.is(await noted(), 0)
  // Other tests of this file run at the same time, and a batch may have movements of any tenant.
  for (let seen = 50; seen === 50; ) seen = (await notePastBalances(bench.pool, 50)).seen
  const notes = await noted()
  t.true(notes > 3, `${notes} notes`)
  await holds('with notes')
  await notePastBalances(bench.pool, 50)
  t.is(await noted(), notes)
  t.deepEqual(await bench.faults(tenant.id), [])
  tenant.now = days.at(-1) ?? ''
  await room.adjust([{ item_variant_id: variants[0] ?? '', quantity: 1, unit_cost: 9 }])
  const stock = Map.groupBy(await room.stock(), positionOf)
  for (const row of await valuation(room, tenant.now)) {
    const entries = stock.get(positionOf(row)) ?? []
    const sum = (field: string) => entries.reduce((total, entry) => total + parseScaled(String(entry[field]), 6), 0n)
    t.is(parseScaled(String(row.quantity), 6), sum('quantity'))
    t.is(parseScaled(String(row.stock_value), 6), sum('stock_value'))
    t.true(entries.every(entry => entry.average_cost === row.average_cost))
    stock.delete(positionOf(row))
  }
  t.is(stock.size, 0)

  // A note that is wrong, or a place without a note, is found.
  await bench.pool.query(statement`
    update past_stock_balances set value = value + 1 where ctid in (
      select ctid from past_stock_balances where tenant_id = ${tenant.id} order by movement_id limit 1)`)
  await bench.pool.query(statement`
    delete from past_stock_balances where ctid in (
      select ctid from past_stock_balances where tenant_id = ${tenant.id} order by movement_id desc limit 1)`)
  const faults = await bench.faults(tenant.id)
  t.deepEqual(columns([...faults], 'check'), [
    ['past balance = sum of the movements until then'],
    ['past balance = sum of the movements until then'],
  ])
})

test('the value of all places together holds while eight others move stock between them', async t => {
  const room = await stockroom(bench)
  const places = [await room.place('North'), await room.place('South'), await room.place('West')]
  const variants = await Promise.all(Array.from({ length: 4 }, (_, n) => room.variant(`V-${n}`)))
  const items = variants.map((variant, n) => ({
    item_variant_id: variant,
    quantity: 100,
    unit_cost: [1.2345, 3.333333, 0.01, 7][n],
  }))
  for (const place of places) await room.adjust(items, { storage_place_id: place })
  const totals = async () => {
    const found = await valuation(room, room.tenant.now)
    const sum = (field: string) => found.reduce((total, row) => total + parseScaled(String(row[field]), 6), 0n)
    return [found.length, sum('quantity'), sum('stock_value')]
  }
  const before = await totals()
  let writing = true
  let moved = 0
  const written = Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 6; n++) {
        await room.transfer({
          from_storage_place_id: places[(writer + n) % 3],
          to_storage_place_id: places[(writer + n + 1) % 3],
          items: variants.map(variant => ({ item_variant_id: variant, quantity: 1 / 8 + writer })),
        })
        moved++
      }
    }),
  ).finally(() => {
    writing = false
  })
  const movesSeen = new Set<number>()
  while (writing) {
    t.deepEqual(await totals(), before)
    movesSeen.add(moved)
  }
  await written
  t.true(movesSeen.size > 1, 'it was read while they wrote')
})
