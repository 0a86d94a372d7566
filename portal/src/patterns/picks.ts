/** Where goods are picked: first expired first, as the service picks them (docs/rules/stock.md, "Picking"). */
import { compare, type Decimal, type ExactApi, isPositive, minus, sent } from '../exact.ts'
import type { StockEntry as Entry } from '../records.ts'
import { inGroups } from './groups.ts'
import { outsideOf } from './stock-marks.tsx'

type Wanted = {
  readonly id: string
  readonly item_variant_id: string
  readonly storage_place_id: string | null
  readonly left: Decimal
}

export type Pick = {
  /** The id of the line that needs it. */
  readonly id: string
  readonly quantity: Decimal
  /** Null: the goods are not in stock. */
  readonly entry: Entry | null
}

const PAGE_ROWS = 200
/** With more entries no picks are shown. */
const ENTRIES_MAX = 10_000

export async function readEntries(
  api: ExactApi,
  variantIds: readonly string[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly Entry[]> {
  const pages = await Promise.all(
    inGroups([...new Set(variantIds)]).map(item_variant_id =>
      api.stock.list({ item_variant_id, limit: PAGE_ROWS }, options).toArray({ max: ENTRIES_MAX }),
    ),
  )
  return pages.flat()
}

/** Sorts by expiry, those without one last, then by batch. */
const byExpiry = (one: Entry, other: Entry): number =>
  (one.expiry_date ?? '9').localeCompare(other.expiry_date ?? '9') ||
  compare((one.batch_id ?? '0') as Decimal, (other.batch_id ?? '0') as Decimal)

/**
 * The picks of each line. Lines of the same goods share the stock, the first line first.
 * @param of the part of an entry that can be picked. Default: the stock outside of quarantine.
 */
export function picksOf(
  wanted: readonly Wanted[],
  entries: readonly Entry[],
  of: (entry: Entry) => Decimal = outsideOf,
): readonly Pick[] {
  const free = new Map(
    entries
      .filter(entry => !entry.is_expired)
      .sort(byExpiry)
      .map(entry => [entry, of(entry)] as const),
  )
  return wanted.flatMap(({ id, item_variant_id, storage_place_id, left }) => {
    const picks: Pick[] = []
    let missing = left
    for (const [entry, there] of free) {
      if (!isPositive(missing)) break
      if (entry.item_variant_id !== item_variant_id || entry.storage_place_id !== storage_place_id) continue
      if (!isPositive(there)) continue
      const quantity = compare(there, missing) < 0 ? there : missing
      free.set(entry, minus(there, quantity))
      missing = minus(missing, quantity)
      picks.push({ id, quantity, entry })
    }
    return isPositive(missing) ? [...picks, { id, quantity: missing, entry: null }] : picks
  })
}

type Moved = {
  readonly quantity: Decimal
  /** Whether the goods are taken out of quarantine. */
  readonly isQuarantined?: boolean
}

/** Lines of a transfer of the stock at a place. Each names its batch: without one the service would take expired goods first. */
export const transferLines = (
  { place, entries }: { readonly place: string | null; readonly entries: readonly Entry[] },
  item_variant_id: string,
  { quantity, isQuarantined = false }: Moved,
) =>
  picksOf(
    [{ id: '', item_variant_id, storage_place_id: place, left: quantity }],
    entries,
    isQuarantined ? entry => entry.quarantine_quantity : outsideOf,
  ).map(pick => ({ item_variant_id, batch_id: pick.entry?.batch_id, quantity: sent(pick.quantity) }))
