/**
 * Whether the open quantities of a sales order are in stock, expected on a day, or short. Earlier needs come first; on one day older
 * documents do.
 */
import { dayOf, today } from '../../days.ts'
import { type Decimal, isPositive, minus, negated, sum } from '../../exact.ts'
import type { SalesOrder as Order, Projection } from '../../records.ts'

export type Coverage =
  | { readonly is: 'STOCK' }
  | { readonly is: 'EXPECTED'; readonly day: string }
  | { readonly is: 'UNDATED' }
  /** Some of it is not in stock; more was not calculated. */
  | { readonly is: 'SCARCE' }
  | { readonly is: 'SHORT'; readonly by: Decimal; readonly need: Need }

/** What a line still needs: its variant, or one component of its kit. */
export type Need = {
  /** The line's id. */
  readonly id: string
  readonly item_variant_id: string
  readonly storage_place_id: string | null
  readonly title: string
  readonly sku: string | null
  readonly left: Decimal
  readonly isPart: boolean
}

type Counted = { readonly quantity: Decimal; readonly shipped_quantity: Decimal }

export const leftToShip = (item: Counted): Decimal => minus(item.quantity, item.shipped_quantity)

/** Lines without a variant need no stock. */
export function needsOf({ status, items }: Order): readonly Need[] {
  if (status !== 'OPEN') return []
  return items
    .flatMap(({ id, storage_place_id, components, ...line }) =>
      (components.length > 0 ? components : [line]).map(one => ({
        ...{ id, storage_place_id, item_variant_id: one.item_variant_id ?? '', title: one.title, sku: one.sku },
        ...{ left: leftToShip(one), isPart: components.length > 0 },
      })),
    )
    .filter(({ item_variant_id, left }) => item_variant_id !== '' && isPositive(left))
}

/** A document that takes goods on a day. */
export type Due = Pick<Order, 'id' | 'delivery_date'>
type Taker = { readonly due: string; readonly id: string; readonly quantity: Decimal; readonly until: Decimal }
/** The documents that take goods in their order, and the supply, both with running totals: thousands of orders may wait for one variant. */
type Queue = {
  readonly now: string
  readonly takers: readonly Taker[]
  readonly takersOf: ReadonlyMap<string, readonly Taker[]>
  readonly arrivals: readonly { readonly date: string; readonly there: Decimal }[]
  readonly undated: Decimal
}
type Place = Pick<Taker, 'due' | 'id'>

const queues = new WeakMap<Projection, Queue>()

const dueOn = (due: string | null, now: string): string => (due === null || dayOf(due) < now ? now : dayOf(due))

const isBefore = (one: Place, other: Place): boolean =>
  one.due < other.due || (one.due === other.due && BigInt(one.id) < BigInt(other.id))

function queueOf(projection: Projection): Queue {
  const now = today()
  const known = queues.get(projection)
  if (known?.now === now) return known
  const { quantity, days, undated_supply } = projection
  const sources = days.flatMap(day => day.sources)
  let until: Decimal = '0'
  const takers = sources
    .flatMap(({ quantity, due_date, source_id }) =>
      isPositive(negated(quantity)) ? [{ due: dueOn(due_date, now), id: source_id, quantity: negated(quantity) }] : [],
    )
    .sort((one, other) => (isBefore(one, other) ? -1 : Number(isBefore(other, one))))
    .map((taker): Taker => {
      until = sum([until, taker.quantity])
      return { ...taker, until }
    })
  const coming = Map.groupBy(
    sources.filter(one => isPositive(one.quantity)),
    one => dueOn(one.due_date, now),
  )
  let there = quantity
  const arrivals = days.flatMap(({ date }) => {
    const came = coming.get(date)
    if (came === undefined) return []
    there = sum([there, ...came.map(one => one.quantity)])
    return [{ date, there }]
  })
  const undated = sum(undated_supply.map(one => one.quantity))
  const queue = { now, takers, takersOf: Map.groupBy(takers, ({ id }) => id), arrivals, undated }
  queues.set(projection, queue)
  return queue
}

function takenBefore({ takers, takersOf }: Queue, order: Place): Decimal {
  let [from, to] = [0, takers.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isBefore(takers[middle] as Taker, order)) from = middle + 1
    else to = middle
  }
  const own = (takersOf.get(order.id) ?? []).filter(taker => isBefore(taker, order))
  return minus(takers[from - 1]?.until ?? '0', sum(own.map(taker => taker.quantity)))
}

/** The coverage of each need. `needs` are of one variant and place, in the order of their lines. */
export function covered(order: Due, needs: readonly Need[], projection: Projection) {
  const queue = queueOf(projection)
  let needed = takenBefore(queue, { due: dueOn(order.delivery_date, queue.now), id: order.id })
  return needs.map((need): Coverage => {
    needed = sum([needed, need.left])
    if (!isPositive(minus(needed, projection.quantity))) return { is: 'STOCK' }
    const enough = queue.arrivals.find(({ there }) => !isPositive(minus(needed, there)))
    if (enough) return { is: 'EXPECTED', day: enough.date }
    const missing = minus(needed, sum([queue.arrivals.at(-1)?.there ?? projection.quantity, queue.undated]))
    if (!isPositive(missing)) return { is: 'UNDATED' }
    // A shortage of earlier lines is not counted again in this one.
    return { is: 'SHORT', by: isPositive(minus(missing, need.left)) ? need.left : missing, need }
  })
}

const RANKS = ['STOCK', 'EXPECTED', 'UNDATED', 'SCARCE', 'SHORT'] as const
const rank = ({ is }: Coverage): number => RANKS.indexOf(is)

/** The worst coverage of several; of two days the later one. Without any, everything is covered. */
export const worstOf = (all: readonly Coverage[]): Coverage =>
  all.reduce<Coverage>((one, other) => (isWorse(other, one) ? other : one), { is: 'STOCK' })

const isWorse = (one: Coverage, other: Coverage): boolean =>
  one.is === 'EXPECTED' && other.is === 'EXPECTED' ? one.day > other.day : rank(one) > rank(other)
