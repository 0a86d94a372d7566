/** The search in stock: variants by title, sku or barcode with their levels by place, and batches by number. */
import type { Page } from '@millrace/client'
import type { ExactApi } from '../../exact.ts'
import { inGroups } from '../../patterns/groups.ts'
import { variantTitle } from '../../patterns/titles.ts'
import { variantsMeant } from '../../patterns/variants.ts'
import type { Availability, Product, StockEntry } from '../../records.ts'

export type Found = {
  readonly key: string
  readonly item_id: string
  readonly item_variant_id: string
  readonly title: string
  readonly sku: string | null
  readonly unit_name: string
  readonly batch_number: string | null
  /** Undefined: the variant never had stock. */
  readonly storage_place_id?: string | null
  /** Null where there never was any. */
  readonly levels: Availability | StockEntry | null
}

/** A product may have a hundred variants. */
const PAGE_PRODUCTS = 20
const PAGE_ROWS = 200
const ROWS_MAX = 5_000

type Asked = {
  readonly q?: string | undefined
  readonly storage_place_id?: string | undefined
  readonly cursor?: string | undefined
  readonly order: 'asc' | 'desc'
}
type Options = { readonly signal: AbortSignal }

export async function findStock(
  api: ExactApi,
  { q, storage_place_id, cursor, order }: Asked,
  options: Options,
): Promise<Page<Found>> {
  const place = { storage_place_id }
  const [products, batches] = await Promise.all([
    api.products.list({ q, archived: false, limit: PAGE_PRODUCTS, cursor, order }, options),
    q === undefined || cursor ? { data: [] } : api.stock.list({ ...place, batch_number: q, limit: PAGE_ROWS }, options),
  ])
  const variants = products.data.filter(({ type }) => type !== 'SERVICE').flatMap(product => variantsOf(product, q))
  const ids = variants.map(variant => variant.item_variant_id)
  const read = (item_variant_id: readonly string[]) =>
    api.availability.list({ item_variant_id, ...place, limit: PAGE_ROWS }, options).toArray({ max: ROWS_MAX })
  const levels = await Promise.all(inGroups(ids).map(read))
  const byVariant = Map.groupBy(levels.flat(), level => level.item_variant_id)
  const rows = variants.flatMap((variant): readonly Found[] => {
    const there = byVariant.get(variant.item_variant_id)
    if (there === undefined) return [{ ...variant, key: variant.item_variant_id }]
    return there.map(level => ({
      ...variant,
      key: `${variant.item_variant_id} ${level.storage_place_id}`,
      storage_place_id: level.storage_place_id,
      levels: level,
    }))
  })
  return { data: [...batches.data.map(foundOf), ...rows], next_cursor: products.next_cursor }
}

/** For a key that may not read products: the stock with this sku or batch number, by place and batch. */
export async function findEntries(
  api: ExactApi,
  { q, storage_place_id, cursor, order }: Asked,
  options: Options,
): Promise<Page<Found>> {
  const place = { storage_place_id }
  if (q === undefined) {
    const page = await api.stock.list({ ...place, cursor, order }, options)
    return { data: page.data.map(foundOf), next_cursor: page.next_cursor }
  }
  const [bySku, byBatch] = await Promise.all([
    api.stock.list({ ...place, sku: q, limit: PAGE_ROWS }, options),
    api.stock.list({ ...place, batch_number: q, limit: PAGE_ROWS }, options),
  ])
  return { data: [...byBatch.data, ...bySku.data].map(foundOf), next_cursor: '' }
}

const foundOf = (entry: StockEntry): Found => ({ ...entry, key: `entry ${entry.id}`, levels: entry })

/** The variants of a found product that fit the text, or all if the text fits the product. */
function variantsOf(product: Product, q = ''): readonly Omit<Found, 'key'>[] {
  const { id: item_id, title: item_title, unit_name } = product
  return variantsMeant(product, { text: q }).map(({ id, title, sku }) => ({
    ...{ item_id, item_variant_id: id, title: variantTitle({ item_title, title }), sku },
    ...{ unit_name, batch_number: null, levels: null },
  }))
}
