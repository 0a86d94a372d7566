/**
 * Goods that expire under load: the walk that makes them, the midnight of tenants, and the proof that expired goods cannot be sold and have
 * one event each.
 */
import { updateTenant } from '../../lib/access/tenants.ts'
import { dayIn } from '../../lib/kit/days.ts'
import { MICRO_PLACES, parseScaled } from '../../lib/platform/decimal.ts'
import type { Loose } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import type { Journal } from './journal.ts'
import type { Rig } from './rig.ts'
import type { Tenant } from './tenants.ts'
import type { Start, Walk } from './walk.ts'
import { creation, refused, type Write } from './writes.ts'

/** In this zone it is always a day later than in the first zone of tenants (`EVENING`). So a change of the tenant's zone is a midnight. */
const MORNING = 'Pacific/Kiritimati'

const DAY_MS = 86_400_000
/**
 * Days from today (UTC) to the last day of each batch; null: it never expires. The first has expired in each zone, the last but one in
 * none.
 */
const LAST_DAYS = [-10, -1, 0, 1, 30, null] as const
const PAST = 10
/** The batch that expires by a change of its date. */
const MOVED = 4
/** Each batch has twice the quantity of the one before, so a sum shows which batches it contains. */
const weightOf = (at: number): number => 2 ** at
const dayFrom = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/**
 * Batches of a new product, of which some expire sooner or later. An expired batch is never sold, and one that never expires is always
 * sold.
 */
export function* expire({ tenant, mark, quantity }: Start): Walk {
  const product = yield creation('/products', `${mark}-product`, { title: `Milk of ${mark}`, batch_tracked: true })
  const item_variant_id = product.variants[0].id
  const made = yield creation(
    '/stock-adjustments',
    mark,
    {
      storage_place_id: tenant.placeId,
      items: LAST_DAYS.map((days, at) => ({
        ...{ item_variant_id, batch_number: `${mark}-${at}`, quantity: quantity(weightOf(at)) },
        expiry_date: days === null ? null : dayFrom(days),
      })),
    },
    { shows: { storage_place_id: tenant.placeId } },
  )
  const sale = (key: string, whole: number): Write => {
    const items = [{ item_variant_id, quantity: quantity(whole), price: 1.99 }]
    const fields = { customer_id: tenant.customerId, number: key, items }
    const { customer_id: _, ...shows } = fields
    return creation('/sales-orders', key, { ...fields, allow_backorder: false }, { shows })
  }
  const short = { status: 409, error: 'insufficient_stock', message: 'needed' }
  const all = weightOf(LAST_DAYS.length) - 1
  const [sold, kept] = [weightOf(MOVED), weightOf(LAST_DAYS.length - 1)]
  yield refused(sale(`${mark}-all`, all), short)
  const order = yield sale(`${mark}-sold`, sold)
  // Which batches are shipped depends on the day.
  const items = [{ sales_order_item_id: order.items[0].id, quantity: quantity(sold) }]
  const shipment = creation('/sales-shipments', `${mark}-shipment`, { items }, { shows: { sales_order_id: order.id } })
  yield {
    ...shipment,
    path: `/sales-orders/${order.id}/shipments`,
    leaves: [
      ...shipment.leaves,
      { list: '/sales-orders', ref: `${mark}-sold`, shows: { status: 'DONE', delivery_status: 'SHIPPED' } },
    ],
    events: [...shipment.events, { type: 'sales_order.shipped', ref: `${mark}-sold` }],
  }
  const number = `${mark}-${MOVED}`
  const shows = { number, expiry_date: dayFrom(-PAST) }
  yield {
    ...{ method: 'PATCH', path: `/batches/${made.items[MOVED].batch_id}`, key: `${mark}-moved` },
    ...{ status: 200, replayStatus: 200, body: { expiry_date: shows.expiry_date }, shows },
    ...{ leaves: [], events: [{ type: 'batch.updated', ref: number }], moves: {} },
  }
  yield refused(sale(`${mark}-rest`, all - sold), short)
  yield sale(`${mark}-kept`, kept - sold)
}

/** Every third tenant has a midnight. Each time other tenants have it. */
export async function passMidnight({ pool, tenants }: Pick<Rig, 'pool' | 'tenants'>, time: number): Promise<void> {
  for (const { client } of tenants.filter((_, at) => at % 3 === time % 3))
    await updateTenant(pool, { tenantId: client.tenantId, timeZone: MORNING })
}

type Reads = {
  readonly all: (list: string, filter?: Record<string, string>) => Promise<Loose[]>
  readonly read: (path: string) => Promise<Loose>
}

const micros = (quantity: number): bigint => parseScaled(String(quantity), MICRO_PLACES)
const sum = (rows: readonly Loose[], of: string): bigint => rows.reduce((total, row) => total + micros(row[of]), 0n)

/**
 * Each batch of the walks is expired according to its date and the tenant's day, has one event if it expired while it was there, and is
 * available otherwise.
 */
export async function proveExpiry({ client, placeId }: Tenant, { all, read }: Reads, journal: Journal): Promise<void> {
  const fault = (text: string) => journal.fault('other', `expiry of tenant ${client.tenantId}`, text)
  const batches = await all('/batches')
  if (batches.length === 0) return
  const changes = Map.groupBy(await all('/events', { type: 'stock.changed' }), ({ data }) => data.item_variant_id)
  /** A batch that was expired from its creation, or whose date was moved into the past, has no event. */
  const isQuiet = ({ number, item_variant_id: variant }: Loose): boolean => {
    const at = Number(number.slice(number.lastIndexOf('-') + 1))
    const expiredAtFirst = Math.floor(changes.get(variant)?.[0]?.data.expired_quantity ?? 0)
    return at === MOVED || (expiredAtFirst & weightOf(at)) !== 0
  }
  const toldOf = async () =>
    Map.groupBy(await all('/events', { type: 'batch.expired' }), ({ data }) => data.id as string)
  const expiredBy = (today: string) => batches.filter(({ expiry_date: last }) => last !== null && last < today)
  const { time_zone: zone } = await read('/me')
  const today = () => dayIn(zone, new Date().toISOString())
  await eventually(
    async () => {
      const told = await toldOf()
      return expiredBy(today()).every(batch => isQuiet(batch) || told.has(batch.id))
    },
    { what: 'events of expired batches' },
  ).catch((error: Error) => fault(error.message))
  for (let day = ''; day !== today(); ) {
    day = today()
    const [told, now, levels] = [await toldOf(), await all('/batches'), await all('/availability')]
    if (day !== today()) continue
    const expired = new Set(expiredBy(day).map(({ id }) => id))
    for (const batch of now) {
      const count = told.get(batch.id)?.length ?? 0
      const wanted = expired.has(batch.id) && !isQuiet(batch) ? 1 : 0
      if (batch.is_expired !== expired.has(batch.id)) fault(`${batch.number} is_expired ${batch.is_expired} on ${day}`)
      if (count !== wanted) fault(`batch.expired of ${batch.number} was told ${count} times, not ${wanted}`)
    }
    for (const [variant, those] of Map.groupBy(now, ({ item_variant_id: id }) => id)) {
      const level = levels.find(row => row.item_variant_id === variant && row.storage_place_id === placeId)
      const gone = those.filter(({ is_expired: isExpired }) => isExpired)
      const wanted = {
        quantity: sum(those, 'quantity'),
        expired_quantity: sum(gone, 'quantity') - sum(gone, 'quarantine_quantity'),
      }
      for (const [name, quantity] of Object.entries(wanted))
        if (level === undefined || micros(level[name]) !== quantity)
          fault(`${name} of variant ${variant} is ${level?.[name]}, its batches have ${quantity} millionths`)
      if (level === undefined) continue
      const usable = wanted.quantity - wanted.expired_quantity - sum(those, 'quarantine_quantity')
      if (micros(level.available_quantity) !== usable - micros(level.reserved_quantity))
        fault(`available of variant ${variant} is ${level.available_quantity}, usable are ${usable} millionths`)
    }
  }
}
