/** Following the availability: rows by their changes, rows of zeros, and places where sales are allowed. */
import { changeProduct, createProduct } from '../../lib/domain/catalogue/commands.ts'
import { changeStoragePlace, createStoragePlace } from '../../lib/domain/places/commands.ts'
import { listStoragePlaces } from '../../lib/domain/places/endpoints.ts'
import { listAvailabilityEndpoint as list } from '../../lib/domain/stock/availability/endpoints.ts'
import { salesroom } from '../sales/salesroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { column, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)
const bench = await benchOfFile()

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 5, minute)).toISOString()

/** A tenant whose commands run one minute after the other. */
async function clocked() {
  const room = await salesroom(bench)
  const { tenant } = room
  let minute = 0
  const tick = () => {
    tenant.now = at(++minute)
    return tenant.now
  }
  const page = (filters: Record<string, string> = {}, options: Loose = {}) => tenant.page(list, { filters, ...options })
  const since = (time: string, filters: Record<string, string> = {}): Promise<Loose[]> =>
    page({ updated_after: time, ...filters })
  /** All changes since a time, read in pages of this many rows. */
  const followed = async (time: string, limit: number) => {
    const found: Loose[] = []
    for (let after: string | undefined; ; ) {
      const rows = await page({ updated_after: time }, { limit, after })
      found.push(...rows)
      const last = rows.at(-1)
      if (last === undefined || found.length > 100) return found
      after = `${Date.parse(last.updated_at) * 1000}_${last.item_variant_id}_${last.storage_place_id ?? 0}`
    }
  }
  return { ...room, tick, page, since, followed }
}

const shown = (rows: readonly Loose[]) =>
  rows.map(({ sku, storage_place_id, quantity, reserved_quantity, updated_at }) => [
    sku,
    storage_place_id,
    quantity,
    reserved_quantity,
    updated_at,
  ])

test('a row changes with stock, reservations and a place, and is read by its last change', async t => {
  const { tenant, tick, since, followed, page, place, variant, tryAdjust, tryOrder } = await clocked()
  const main = await place('Main')
  const side = await place('Side')
  const times = [tick()]
  const oak = await variant('OAK')
  const elm = await variant('ELM')
  times.push(tick())
  await tryAdjust([itemLine(oak, 4), itemLine(elm, 2)])
  times.push(tick())
  await tryAdjust([itemLine(oak, 7)], { storage_place_id: side })
  times.push(tick())
  const told = await tryOrder([itemLine(oak, 1)])
  t.is(told.events.find(({ type }) => type === 'stock.changed')?.data.updated_at, times[3])
  const rows = [
    ['ELM', main, 2, 0, times[1]],
    ['OAK', side, 7, 0, times[2]],
    ['OAK', main, 4, 1, times[3]],
  ]
  t.deepEqual(shown(await since(times[0] ?? '')), rows)
  t.deepEqual(shown(await since(times[2] ?? '')), rows.slice(1))
  t.deepEqual(shown(await since(times[3] ?? '')), rows.slice(2))
  for (const limit of [1, 2, 3]) t.deepEqual(shown(await followed(times[0] ?? '', limit)), rows, `by ${limit}`)
  t.deepEqual(shown(await since(times[0] ?? '', { item_variant_id: oak })), rows.slice(1))
  t.deepEqual(shown(await since(times[0] ?? '', { sku: 'OAK', storage_place_id: side })), rows.slice(1, 2))
  // Sales are no longer allowed there: all rows of the place change at the same time.
  times.push(tick())
  await tenant.done(changeStoragePlace, { sales_allowed: false }, { id: main })
  const moved = [rows[1], ['OAK', main, 4, 1, times[4]], ['ELM', main, 2, 0, times[4]]]
  t.deepEqual(shown(await since(times[0] ?? '')), moved)
  for (const limit of [1, 2]) t.deepEqual(shown(await followed(times[0] ?? '', limit)), moved, `by ${limit}`)
  t.deepEqual(shown(await page({ sales_allowed: 'true' })), [rows[1]])
  t.deepEqual(shown(await page({ sales_allowed: 'false' })), moved.slice(1))
  t.deepEqual(shown(await since(times[3] ?? '', { sales_allowed: 'true' })), [])
  // A change of the place that allows the same as before changes no row.
  times.push(tick())
  await tenant.done(changeStoragePlace, { title: 'Hall' }, { id: main })
  t.deepEqual(await since(times[5] ?? ''), [])
  const places = await tenant.page(listStoragePlaces, { filters: { updated_after: times[4] ?? '' } })
  t.deepEqual(column(places, 'id'), [main])
})

test('an unarchived variant that holds stock has a row of zeros at the main place, also where nothing ever was', async t => {
  const { tenant, tick, since, followed, page, tryAdjust } = await clocked()
  const times = [tick()]
  const made = await tenant.done(createProduct, { title: 'Oak', variants: [{ sku: 'OAK-1' }, { sku: 'OAK-2' }] })
  await tenant.done(createProduct, { title: 'Advice', sku: 'ADVICE', type: 'SERVICE' })
  const zero = (sku: string, place: string | null, time: string | undefined) => [sku, place, 0, 0, time]
  t.deepEqual(shown(await page()), [zero('OAK-1', null, times[0]), zero('OAK-2', null, times[0])])
  t.like((await page())[0], { expired_quantity: 0, available_quantity: 0, expected_quantity: 0, average_cost: null })
  times.push(tick())
  const { id: main } = await tenant.done(createStoragePlace, { title: 'Main' })
  // The zero rows now belong to the main place.
  const both = [zero('OAK-1', main, times[1]), zero('OAK-2', main, times[1])]
  t.deepEqual(shown(await page()), both)
  t.deepEqual(shown(await since(times[1] ?? '')), both)
  t.deepEqual(shown(await followed(times[0] ?? '', 1)), both)
  t.deepEqual(shown(await page({ storage_place_id: main })), both)
  t.deepEqual(shown(await page({ sku: 'OAK-2' })), both.slice(1))
  t.deepEqual(shown(await page({ sales_allowed: 'false' })), [])
  const variants = made.variants.map(({ id }: Loose) => id)
  for (const order of ['asc', 'desc'] as const) {
    const [one] = await page({}, { limit: 1, order })
    const rest = await page({}, { limit: 5, order, after: `${one.item_variant_id}_${main}` })
    t.deepEqual(shown([one, ...rest]), order === 'asc' ? both : both.toReversed())
  }
  times.push(tick())
  await tryAdjust([itemLine(variants[1], 3)])
  const stocked = ['OAK-2', main, 3, 0, times[2]]
  t.deepEqual(shown(await page()), [both[0], stocked])
  t.deepEqual(shown(await page({}, { limit: 1 })), [both[0]])
  t.deepEqual(shown(await since(times[2] ?? '')), [stocked])
  times.push(tick())
  await tenant.done(changeProduct, { archived: true }, { id: made.id })
  t.deepEqual(shown(await page()), [stocked])
  times.push(tick())
  await tenant.done(changeProduct, { archived: false }, { id: made.id })
  t.deepEqual(shown(await since(times[4] ?? '')), [zero('OAK-1', main, times[4])])
})
