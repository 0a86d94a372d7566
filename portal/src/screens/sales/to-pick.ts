/** What is still to be picked for sales orders: of the batches that expire first, orders before others. */
import { type Decimal, isPositive, sent } from '../../exact.ts'
import { rowsOf } from '../../patterns/groups.ts'
import { type Pick, picksOf, readEntries } from '../../patterns/picks.ts'
import type { StockEntry as Entry, SalesOrder as Order } from '../../records.ts'
import type { Reader } from '../../session.tsx'
import { leftToShip } from './coverage-rules.ts'

/** A line to pick, a kit, or a component of the kit above it. */
export type PickRow = {
  readonly key: string
  readonly is: 'LINE' | 'KIT' | 'PART'
  readonly order: Order
  readonly line: Order['items'][number]
  readonly item_variant_id: string | null
  readonly title: string
  readonly sku: string | null
  readonly quantity: Decimal
  /** Null: the goods are not in stock. Undefined: the line needs no stock, or the key may not read the stock. */
  readonly entry: Entry | null | undefined
}

/** A line without a variant needs no stock: it is packed by its title. A kit itself has no stock either. */
export const isKeptNowhere = ({ is, item_variant_id }: PickRow): boolean => is === 'KIT' || item_variant_id === null

export const placeOf = (row: PickRow, placeTitle: (id: string | null) => string): string =>
  row.item_variant_id === null && row.is === 'LINE' ? '–' : placeTitle(row.line.storage_place_id)

/** In the order of the lines; a kit stands above its components. */
export async function readPicks(
  { api, can }: Reader,
  ids: readonly string[],
  options: { readonly signal: AbortSignal },
) {
  const [only, ...others] = ids
  const orders =
    only !== undefined && others.length === 0
      ? [await api.salesOrders.get(only, options)]
      : await rowsOf(ids, id => api.salesOrders.list({ id, limit: id.length }, options))
  const lines = orders
    .filter(({ status }) => status === 'OPEN')
    .flatMap(order => order.items.map(line => ({ order, line })))
    .filter(({ line }) => isPositive(leftToShip(line)))
  const wanted = lines.flatMap(({ line: { components, storage_place_id, ...line } }) =>
    (components.length > 0 ? components : [line]).map(({ id, item_variant_id, ...one }) => ({
      ...{ id, storage_place_id, item_variant_id: item_variant_id ?? '', left: leftToShip(one) },
    })),
  )
  const kept = wanted.filter(({ item_variant_id, left }) => item_variant_id !== '' && isPositive(left))
  const isBlind = !can('read:stock')
  const variantIds = kept.map(({ item_variant_id }) => item_variant_id)
  const entries = isBlind ? [] : await readEntries(api, variantIds, options)
  const picks: readonly (Omit<Pick, 'entry'> & { readonly entry: Entry | null | undefined })[] = isBlind
    ? kept.map(({ id, left }) => ({ id, quantity: left, entry: undefined }))
    : picksOf(kept, entries)
  const byId = Map.groupBy(picks, ({ id }) => id)
  const rows = lines.flatMap(({ order, line }): PickRow[] => {
    const { id, item_variant_id, title, sku, components } = line
    const whole = { order, line, item_variant_id, title, sku, quantity: leftToShip(line), entry: undefined }
    const picked = (of: typeof line | (typeof components)[number], is: PickRow['is']): PickRow[] =>
      (byId.get(of.id) ?? []).map(({ quantity, entry }) => ({
        ...{ order, line, is, quantity, entry, item_variant_id: of.item_variant_id, title: of.title, sku: of.sku },
        key: [of.id, entry?.id ?? '', quantity].join(' '),
      }))
    if (components.length > 0)
      return [{ ...whole, is: 'KIT', key: id }, ...components.flatMap(part => picked(part, 'PART'))]
    return item_variant_id === null ? [{ ...whole, is: 'LINE', key: id }] : picked(line, 'LINE')
  })
  return { orders, rows, isBlind }
}

export type Picked = {
  readonly sales_order_item_id: string
  readonly quantity: Decimal
  readonly batch_id?: string | null | undefined
  readonly components?: readonly { item_variant_id: string; batch_id: string; quantity: Decimal }[]
}

/** Lines of shipments by the ids of their orders. A kit counts only if all its components are picked. */
export function pickedOf(rows: readonly PickRow[], isPicked: (row: PickRow) => boolean): Map<string, Picked[]> {
  const found = rows.flatMap((row): (readonly [string, Picked])[] => {
    const { is, order, line, quantity, entry } = row
    if (is === 'LINE')
      return isPicked(row) ? [[order.id, { sales_order_item_id: line.id, quantity, batch_id: entry?.batch_id }]] : []
    const parts = rows.filter(part => part.is === 'PART' && part.line === line)
    if (is === 'PART' || !parts.every(isPicked)) return []
    const components = parts.flatMap(({ item_variant_id, entry, ...part }) =>
      item_variant_id !== null && entry?.batch_id != null
        ? [{ item_variant_id, batch_id: entry.batch_id, quantity: part.quantity }]
        : [],
    )
    return [[order.id, { sales_order_item_id: line.id, quantity, ...(components.length > 0 ? { components } : {}) }]]
  })
  return new Map(
    [...Map.groupBy(found, ([id]) => id)].map(([id, all]): [string, Picked[]] => [id, all.map(([, one]) => one)]),
  )
}

export const sentPicked = ({ quantity, batch_id, components = [], ...line }: Picked) => ({
  ...line,
  quantity: sent(quantity),
  ...(batch_id == null ? {} : { batch_id }),
  ...(components.length === 0
    ? {}
    : { components: components.map(part => ({ ...part, quantity: sent(part.quantity) })) }),
})
