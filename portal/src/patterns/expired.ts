/** Stock that is expired: the interface counts it as available, and nobody may pick it. */
import { queryOptions } from '@tanstack/react-query'
import { type Decimal, type ExactApi, isPositive, sum } from '../exact.ts'
import type { StockEntry } from '../records.ts'
import { inGroups } from './groups.ts'
import { expiredOf, outsideOf } from './stock-marks.tsx'

/** Batches stay for ever: of more that are expired the newest are looked at. */
const BATCHES_MAX = 1_000
const ENTRIES_MAX = 5_000
const PAGE_ROWS = 200

export type Expired = {
  readonly entries: readonly StockEntry[]
  /** Whether no older batch can be missing. */
  readonly isAll: boolean
}

const none: Expired = { entries: [], isAll: true }

/** What lies expired of these variants, by place and batch, out of quarantine. */
export async function readExpired(
  api: ExactApi,
  variantIds: readonly string[],
  options: { readonly signal: AbortSignal },
): Promise<Expired> {
  if (variantIds.length === 0) return none
  const today = new Date().toISOString().slice(0, 10)
  const parts = await Promise.all(inGroups(variantIds).map(ids => readPart(api, ids, today, options)))
  return { entries: parts.flatMap(({ entries }) => entries), isAll: parts.every(({ isAll }) => isAll) }
}

async function readPart(
  api: ExactApi,
  item_variant_id: readonly string[],
  expires_before: string,
  options: { readonly signal: AbortSignal },
): Promise<Expired> {
  const there: string[] = []
  let read = 0
  for await (const batch of api.batches.list(
    { item_variant_id, expires_before, order: 'desc', limit: PAGE_ROWS },
    options,
  )) {
    read += 1
    if (read > BATCHES_MAX) break
    if (isPositive(outsideOf(batch))) there.push(batch.id)
  }
  const pages = await Promise.all(
    inGroups(there).map(batch_id =>
      api.stock.list({ batch_id, limit: PAGE_ROWS }, options).toArray({ max: ENTRIES_MAX }),
    ),
  )
  return { entries: pages.flat().filter(entry => isPositive(expiredOf(entry))), isAll: read <= BATCHES_MAX }
}

export const expiredQuery = (api: ExactApi, variantId: string) =>
  queryOptions({
    queryKey: ['batches', 'expired', variantId] as readonly unknown[],
    queryFn: ({ signal }) => readExpired(api, [variantId], { signal }),
  })

type Where = { readonly item_variant_id: string; readonly storage_place_id?: string | null }

/** How much of a variant is expired at a place, or at all of them. */
export const expiredAt = ({ entries }: Expired, { item_variant_id, storage_place_id }: Where): Decimal =>
  sum(
    entries
      .filter(
        entry =>
          entry.item_variant_id === item_variant_id &&
          (storage_place_id === undefined || entry.storage_place_id === storage_place_id),
      )
      .map(expiredOf),
  )
