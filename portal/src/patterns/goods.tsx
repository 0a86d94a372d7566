/** The stock of some goods at each place, how much of it can be taken, and sentences about it. */
import { useQuery } from '@tanstack/react-query'
import { type Decimal, greater, isPositive, minus, sum } from '../exact.ts'
import { dayText } from '../format.tsx'
import type { StockEntry as Entry } from '../records.ts'
import { useSession } from '../session.tsx'
import { readEntries } from './picks.ts'
import { outsideOf } from './stock-marks.tsx'
import { withUnit } from './units.tsx'

export type AtPlace = {
  readonly place: string | null
  /** Null: the unit is unknown. */
  readonly unit: string | null
  /** The stock that is neither in quarantine nor expired. */
  readonly usable: Decimal
  readonly quarantined: Decimal
  readonly expired: Decimal
  /** For all orders and holds together. */
  readonly reserved: Decimal
  readonly entries: readonly Entry[]
}

/** The stock at places, by the ids of variants. */
export type Goods = ReadonlyMap<string, readonly AtPlace[]>

/** Undefined: not loaded yet, or the key may not read the stock. */
export function useGoods(variantIds: readonly string[]): Goods | undefined {
  const { api, can } = useSession()
  const wanted = [...new Set(variantIds)].toSorted()
  const { data } = useQuery({
    queryKey: ['stock', 'goods', ...wanted],
    queryFn: async ({ signal }) => goodsOf(await readEntries(api, wanted, { signal })),
    enabled: can('read:stock') && wanted.length > 0,
    retry: false,
  })
  return data
}

export const goodsOf = (entries: readonly Entry[]): Goods =>
  new Map(
    [...Map.groupBy(entries, entry => entry.item_variant_id)].map(([variant, rows]) => [
      variant,
      [...Map.groupBy(rows, row => row.storage_place_id)].map(([place, there]) => atPlace(place, there)),
    ]),
  )

function atPlace(place: string | null, entries: readonly Entry[]): AtPlace {
  const isExpired = Object.groupBy(entries, entry => (entry.is_expired ? 'yes' : 'no'))
  return {
    place,
    unit: entries[0]?.unit_name ?? null,
    usable: sum((isExpired.no ?? []).map(outsideOf)),
    quarantined: sum(entries.map(entry => entry.quarantine_quantity)),
    expired: sum((isExpired.yes ?? []).map(outsideOf)),
    reserved: sum(entries.map(entry => entry.reserved_quantity)),
    entries,
  }
}

export const hereOf = (goods: Goods, variantId: string, place: string | null): AtPlace =>
  goods.get(variantId)?.find(one => one.place === place) ?? atPlace(place, [])

/** The stock at a place that can be taken and is not reserved. */
export const free = ({ usable, reserved }: AtPlace): Decimal => greater('0', minus(usable, reserved))

/** Other places with free stock. */
export const elsewhere = (goods: Goods, variantId: string, place: string | null): readonly AtPlace[] =>
  goods.get(variantId)?.filter(one => one.place !== place && isPositive(free(one))) ?? []

const BATCHES_NAMED = 3

const verb = (quantity: Decimal, unit: string | null, one: string, more: string): string =>
  `${withUnit(quantity, unit)} ${quantity === '1' ? one : more}`

/** The stock at a place that cannot be taken, as sentences. */
export function asideTexts({ unit, expired, quarantined, entries }: AtPlace): readonly string[] {
  const batches = entries
    .filter(entry => entry.is_expired && isPositive(outsideOf(entry)))
    .toSorted((one, other) => (one.expiry_date ?? '').localeCompare(other.expiry_date ?? ''))
  const named = batches
    .slice(0, BATCHES_NAMED)
    .map(({ batch_number, expiry_date }) => `${batch_number} on ${dayText(expiry_date)}`)
  const more = batches.length > BATCHES_NAMED ? [`and ${batches.length - BATCHES_NAMED} more batches`] : []
  return [
    ...(isPositive(expired)
      ? [`${verb(expired, unit, 'has', 'have')} expired: ${[...named, ...more].join(', ')}.`]
      : []),
    ...(isPositive(quarantined) ? [`${verb(quarantined, unit, 'is', 'are')} in quarantine.`] : []),
  ]
}

export const elsewhereTexts = (places: readonly AtPlace[], titleOf: (id: string | null) => string): readonly string[] =>
  places.map(one => `${withUnit(free(one), one.unit)} can be taken at ${titleOf(one.place)}.`)
