/**
 * Whether the lines of an open sales order are in stock, expected on a day, or short. What is needed earlier comes first; on one day
 * older documents do.
 */
import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dayOf, today } from '../../days.ts'
import { type Decimal, isPositive, minus, negated, sum } from '../../exact.ts'
import { dayText, quantityText } from '../../format.tsx'
import { hereOf, useGoods } from '../../patterns/goods.tsx'
import type { SalesOrder as Order, Projection } from '../../records.ts'
import { useSession } from '../../session.tsx'

type Line = Order['items'][number]

export type Coverage =
  | { readonly is: 'STOCK' }
  | { readonly is: 'UNDATED' }
  | { readonly is: 'EXPECTED'; readonly day: string }
  | { readonly is: 'SHORT'; readonly by: Decimal; readonly of?: string }

/** Goods of which not all that is reserved is there: so many are asked for. */
const ASKED_MAX = 20

export const leftToShip = (item: Pick<Line, 'quantity' | 'shipped_quantity'>): Decimal =>
  minus(item.quantity, item.shipped_quantity)

/** What is still to leave for a line: of itself, or of a component of its kit. */
type Demand = Pick<Line, 'item_variant_id' | 'storage_place_id'> & {
  readonly line: string
  readonly left: Decimal
  /** The component; null of a line that is no kit. */
  readonly part: string | null
}

const keyOf = ({ item_variant_id, storage_place_id }: Demand): string => `${item_variant_id} ${storage_place_id}`

const demandsOf = ({ items }: Order): readonly Demand[] =>
  items
    .flatMap(({ id: line, storage_place_id, item_variant_id, components, ...item }): readonly Demand[] =>
      components.length === 0
        ? [{ line, storage_place_id, item_variant_id, left: leftToShip(item), part: null }]
        : components.map(part => ({
            ...{ line, storage_place_id, item_variant_id: part.item_variant_id, part: part.title },
            left: leftToShip(part),
          })),
    )
    .filter(({ left }) => isPositive(left))

/** By the ids of lines; lines of which it is not known, and services, are left out. */
export function useCoverage(order: Order): ReadonlyMap<string, Coverage> {
  const { api } = useSession()
  const open = order.status === 'OPEN' ? demandsOf(order) : []
  const goods = useGoods(open.flatMap(({ item_variant_id }) => item_variant_id ?? []))
  const here = (item: Demand) => goods && hereOf(goods, item.item_variant_id ?? '', item.storage_place_id)
  // A service reserves nothing, nor does a line without a variant.
  const reserved = open.filter(item => isPositive(here(item)?.reserved ?? '0'))
  const groups = Map.groupBy(reserved, keyOf)
  const scarce = [...groups].flatMap(([key, [demand]]) => {
    const at = demand && here(demand)
    return at && isPositive(minus(at.reserved, at.usable)) ? [{ key, demand }] : []
  })
  const asked = scarce.slice(0, ASKED_MAX)
  const { data } = useQuery({
    queryKey: ['projection', 'coverage', order.id, ...asked.map(({ key }) => key)],
    queryFn: async ({ signal }) => {
      const read = async ({ key, demand: { item_variant_id, storage_place_id } }: (typeof asked)[number]) => {
        const query = { item_variant_id: item_variant_id ?? '', storage_place_id: storage_place_id ?? undefined }
        const found = await api.projection(query, { signal })
        // Without a place the interface answers for the main one, where a tenant has one.
        return found.storage_place_id === storage_place_id ? [[key, found] as const] : []
      }
      return new Map((await Promise.all(asked.map(read))).flat())
    },
    enabled: asked.length > 0,
  })
  const isScarce = new Set(scarce.map(({ key }) => key))
  const byLine = new Map<string, Coverage>()
  for (const [key, demands] of groups) {
    const projection = data?.get(key)
    const found = isScarce.has(key) ? projection && covered(order, demands, projection) : demands.map(inStock)
    for (const [index, { line }] of demands.entries()) {
      const one = found?.[index]
      if (one) byLine.set(line, later(byLine.get(line), one))
    }
  }
  return byLine
}

const inStock = (): Coverage => ({ is: 'STOCK' })

const worse: readonly Coverage['is'][] = ['STOCK', 'EXPECTED', 'UNDATED', 'SHORT']

/** A kit leaves with the last of its components. */
function later(one: Coverage | undefined, other: Coverage): Coverage {
  if (one === undefined) return other
  if (one.is === 'EXPECTED' && other.is === 'EXPECTED') return one.day < other.day ? other : one
  return worse.indexOf(one.is) < worse.indexOf(other.is) ? other : one
}

/** What lines want of one variant at one place, in their order. */
function covered(order: Order, demands: readonly Demand[], { quantity, days, undated_supply }: Projection) {
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
  return demands.map(({ left, part }): Coverage => {
    needed = sum([needed, left])
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
    const by = isPositive(minus(missing, left)) ? left : missing
    return { is: 'SHORT', by, ...(part === null ? {} : { of: part }) }
  })
}

export function Covered({ of }: { readonly of: Coverage }) {
  const [color, text] = wordsOf(of)
  return (
    <Badge color={color} miw="max-content">
      {text}
    </Badge>
  )
}

function wordsOf(of: Coverage): readonly [color: string, text: string] {
  if (of.is === 'STOCK') return ['green', 'In stock']
  if (of.is === 'EXPECTED') return ['blue', `Expected ${dayText(of.day)}`]
  if (of.is === 'SHORT') return ['orange', `Short of ${quantityText(of.by)}${of.of === undefined ? '' : ` × ${of.of}`}`]
  return ['yellow', 'On its way, no day']
}
