/** Why applying a draft would be refused as the stock is now: what is wanted and what is there. It reads and decides nothing. */
import type { Me } from '../../../../client/src/index.ts'
import { formatMicro, type Micro, parseMicro } from '../../../platform/decimal.ts'
import type { Context } from '../tool.ts'
import { quoted } from './draft.ts'

/** Ids that one filter takes. */
const IDS_MAX = 100
const ROWS_MAX = 5_000

export type Wanted = {
  readonly item_variant_id: string
  readonly sku: string | null
  readonly title: string
  readonly quantity: number
}

/** What may be promised of it, for an order that takes no backorder. */
export const shortOfOrder = (wanted: readonly Wanted[], placeId: string | null, me: Me, context: Context) =>
  short(wanted, me, async ids => {
    const { millrace, signal } = context
    const rows = await millrace.availability
      .list({ item_variant_id: ids, storage_place_id: placeId ?? undefined, limit: 200 }, { signal })
      .toArray({ max: ROWS_MAX })
    return rows
      .filter(row => row.storage_place_id === placeId)
      .map(({ item_variant_id, available_quantity }) => ({ item_variant_id, there: micro(available_quantity) }))
  })

/** What may be picked of it at a place: neither quarantined nor expired. */
export const shortOfStart = (wanted: readonly Wanted[], placeId: string | null, me: Me, context: Context) =>
  short(wanted, me, async ids => {
    const { millrace, signal } = context
    const rows = await millrace.stock
      .list({ item_variant_id: ids, storage_place_id: placeId ?? undefined, limit: 200 }, { signal })
      .toArray({ max: ROWS_MAX })
    return rows
      .filter(row => row.storage_place_id === placeId && !row.is_expired)
      .map(({ item_variant_id, quantity, quarantine_quantity }) => ({
        item_variant_id,
        there: micro(quantity) - micro(quarantine_quantity),
      }))
  })

async function short(
  wanted: readonly Wanted[],
  { scopes }: Me,
  read: (ids: string[]) => Promise<readonly { readonly item_variant_id: string; readonly there: Micro }[]>,
): Promise<readonly string[]> {
  if (!scopes.includes('read:stock')) return ['the stock was not looked at, since the key lacks read:stock']
  const byVariant = Map.groupBy(wanted, ({ item_variant_id }) => item_variant_id)
  const there = new Map<string, Micro>()
  const ids = [...byVariant.keys()]
  for (let from = 0; from < ids.length; from += IDS_MAX)
    for (const row of await read(ids.slice(from, from + IDS_MAX)))
      there.set(row.item_variant_id, (there.get(row.item_variant_id) ?? 0n) + row.there)
  return [...byVariant].flatMap(([id, lines]) => {
    const [first] = lines
    const needed = lines.reduce((sum, { quantity }) => sum + micro(quantity), 0n)
    const found = there.get(id) ?? 0n
    if (first === undefined || found >= needed) return []
    return [
      `not enough ${quoted(first.title)} (${first.sku ?? id}): ${formatMicro(needed)} wanted, ${formatMicro(found)} there`,
    ]
  })
}

const micro = (figure: number): Micro => parseMicro(String(figure))
