/**
 * Whether what an open sales order still needs is in stock, expected on a day, or short. What is needed earlier comes first; on one day
 * older documents do.
 */
import { dayOf, today } from '../../days.ts'
import { type Decimal, isPositive, minus, negated, sum } from '../../exact.ts'
import type { SalesOrder as Order, Projection } from '../../records.ts'

export type Coverage =
  | { readonly is: 'STOCK' }
  | { readonly is: 'EXPECTED'; readonly day: string }
  | { readonly is: 'UNDATED' }
  /** Not all is in stock; more was not asked. */
  | { readonly is: 'SCARCE' }
  | { readonly is: 'SHORT'; readonly by: Decimal; readonly need: Need }

/** What a line still takes: of its variant, or of one component of its kit. */
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

/** Lines without a variant need nothing of the stock. */
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

type Due = Pick<Order, 'id' | 'delivery_date'>

/** Needs of one variant and place, in the order of their lines. */
export function covered(order: Due, needs: readonly Need[], { quantity, days, undated_supply }: Projection) {
  const now = today()
  const dueOn = (due: string | null): string => (due === null || dayOf(due) < now ? now : dayOf(due))
  const due = dueOn(order.delivery_date)
  const sources = days.flatMap(day => day.sources)
  const ahead = sources.filter(
    one =>
      isPositive(negated(one.quantity)) &&
      one.source_id !== order.id &&
      (dueOn(one.due_date) < due || (dueOn(one.due_date) === due && BigInt(one.source_id) < BigInt(order.id))),
  )
  const supply = sources.filter(one => isPositive(one.quantity))
  const undated = sum(undated_supply.map(one => one.quantity))
  let needed = negated(sum(ahead.map(one => one.quantity)))
  return needs.map((need): Coverage => {
    needed = sum([needed, need.left])
    let there = quantity
    if (!isPositive(minus(needed, there))) return { is: 'STOCK' }
    for (const day of days) {
      const came = supply.filter(one => dueOn(one.due_date) === day.date)
      there = sum([there, ...came.map(one => one.quantity)])
      if (!isPositive(minus(needed, there))) return { is: 'EXPECTED', day: day.date }
    }
    const missing = minus(needed, sum([there, undated]))
    if (!isPositive(missing)) return { is: 'UNDATED' }
    // What is missing before this line is not missing again in it.
    return { is: 'SHORT', by: isPositive(minus(missing, need.left)) ? need.left : missing, need }
  })
}

const RANKS = ['STOCK', 'EXPECTED', 'UNDATED', 'SCARCE', 'SHORT'] as const
const rank = ({ is }: Coverage): number => RANKS.indexOf(is)

/** Of several together: the worst; of days the last. None at all: nothing is waited for. */
export const worstOf = (all: readonly Coverage[]): Coverage =>
  all.reduce<Coverage>((one, other) => (isWorse(other, one) ? other : one), { is: 'STOCK' })

const isWorse = (one: Coverage, other: Coverage): boolean =>
  one.is === 'EXPECTED' && other.is === 'EXPECTED' ? one.day > other.day : rank(one) > rank(other)
