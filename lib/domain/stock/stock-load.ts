/**
 * Loads stock for the commands of a unit of work, of any number of tenants: variants here, positions in position-load.ts, their levels in
 * level-load.ts.
 */

import type { Need } from '../../kit/documents/needs.ts'
import { question } from '../../kit/documents/question.ts'
import type { Work } from '../../kit/documents/work.ts'
import { parseMicro } from '../../platform/decimal.ts'
import type { TextRow } from '../../platform/postgres/round-trip.ts'
import { standsInKits } from '../catalogue/kits/parts.ts'
import { Product } from '../catalogue/noun.ts'
import { askKits } from './kits/ask-kits.ts'
import { type BatchNeed, Levels } from './level-load.ts'
import { askTurned, Balances, type PositionNeed } from './position-load.ts'
import { flagIn, textIn, textOrNullIn } from './row.ts'
import type { Stock, Variant } from './stock.ts'
import { stockPart } from './stock-part.ts'

/**
 * The stock of these positions, with their variants. For a kit it is the stock of its components at the place. Check variants and places
 * before you post to the stock: see `isPlace`, `orderedVariant`.
 */
export const stockOf = (needs: {
  readonly positions: readonly PositionNeed[]
  readonly batches?: readonly BatchNeed[]
  /** Variants for which something is booked without a movement of stock. */
  readonly variants?: readonly string[]
}): Need<Stock> => ({
  ask: (load, tenantId) => {
    const levels = () => load.source('stock levels', () => new Levels(load.isAlone))
    for (const need of needs.positions) {
      stockVariant.ask(load, tenantId, { id: need.itemVariantId })
      load.source('stock balances', () => new Balances(load)).ask(tenantId, need)
      levels().ask(tenantId, need)
    }
    for (const need of needs.batches ?? []) levels().askBatch(tenantId, need)
    for (const id of needs.variants ?? []) stockVariant.ask(load, tenantId, { id })
  },
  more: (load, work) => {
    askTurned(load, work)
    askKits(load, work)
  },
  see: work => {
    for (const id of needs.variants ?? []) work.answer(stockVariant, { id })
    for (const { itemVariantId } of needs.positions) work.answer(stockVariant, { id: itemVariantId })
    return work.part(stockPart).stock
  },
})

/** A batch of the variant has changed. Later commands that need the variant's stock wait for the next unit of work. */
export function forgetStockOf(work: Work, itemVariantId: string): void {
  work.dropAnswer(stockVariant, { id: itemVariantId })
  work.dropAnswer(standsInKits, { id: itemVariantId })
}

/** A stock variant with the products of its kit's components. A change of those products changes the variant too. */
type StockVariant = Variant & { readonly componentItemIds: readonly string[] }

/** The components of the kit `kit`, in their order, as an array of rows of texts. Empty for other variants. */
const componentRows = (kit: string) => `(
  select json_agg(
    json_build_object(${componentColumns.map(([name, from]) => `'${name}', (${from})::text`).join(', ')}) order by e.place)
  from jsonb_array_elements(${kit}.components) with ordinality e (part, place)
  cross join lateral (
    select * from item_variants where tenant_id = ${kit}.tenant_id and id = (e.part ->> 'item_variant_id')::bigint limit 1
  ) p
  cross join lateral (select * from items where tenant_id = p.tenant_id and id = p.item_id limit 1) g
)`

/** Flags as the text of a row: `t` or `f`. */
const flagText = (flag: string) => `case when ${flag} then 't' else 'f' end`
const componentColumns = [
  ...['id', 'item_id', 'sku', 'title', 'price', 'purchase_price'].map(name => [name, `p.${name}`] as const),
  ...['is_sellable', 'is_producible', 'is_purchasable', 'batch_tracked'].map(
    name => [name, flagText(`g.${name}`)] as const,
  ),
  ...['type', 'shelf_life_days'].map(name => [name, `g.${name}`] as const),
  ['archived', flagText('not p.active')] as const,
  ['each', `e.part ->> 'quantity'`] as const,
]

const componentsIn = (row: TextRow): readonly TextRow[] => {
  const parts = row['components']
  return parts == null ? [] : (JSON.parse(parts) as TextRow[])
}

const stockVariant = question({
  name: 'stock variants',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, v.id, v.item_id, i.type, v.sku, v.title, i.category, v.price, v.purchase_price, i.is_sellable, i.is_producible,
      i.is_purchasable, not v.active as archived, i.batch_tracked, i.shelf_life_days,
      (select true from kit_components where tenant_id = q.tenant_id and item_variant_id = q.id limit 1) as in_kits,
      case when v.components <> '[]' then ${componentRows('v')} end as components
    from ${asked}
    cross join lateral (select * from item_variants where tenant_id = q.tenant_id and id = q.id limit 1) v
    cross join lateral (select * from items where tenant_id = q.tenant_id and id = v.item_id limit 1) i`,
  read: ([row], work) => {
    if (row === undefined) return null
    const { variants } = work.part(stockPart).stock
    const parts = componentsIn(row)
    const variant = variantOf(row, parts)
    // A component may be loaded as a variant of its own too. Then that variant stays.
    for (const part of parts) {
      const id = textIn(part, 'id')
      if (!variants.has(id)) variants.set(id, variantOf(part))
      work.putAnswer(standsInKits, { id }, true)
    }
    variants.set(variant.id, variant)
    work.putAnswer(standsInKits, { id: variant.id }, row['in_kits'] != null)
    return variant
  },
  reads: [
    ['item_variants', (variant, { id }) => [id, ...(variant?.components ?? []).map(part => part.itemVariantId)]],
    [Product.table, variant => variant && [variant.itemId, ...variant.componentItemIds]],
  ],
})

function variantOf(row: TextRow, parts: readonly TextRow[] = []): StockVariant {
  const [price, purchasePrice, shelfLifeDays] = [row['price'], row['purchase_price'], row['shelf_life_days']]
  return {
    id: textIn(row, 'id'),
    itemId: textIn(row, 'item_id'),
    itemType: textIn(row, 'type') as Variant['itemType'],
    sku: textOrNullIn(row, 'sku'),
    title: textIn(row, 'title'),
    category: textOrNullIn(row, 'category'),
    price: price == null ? null : parseMicro(price),
    purchasePrice: purchasePrice == null ? null : parseMicro(purchasePrice),
    isSellable: flagIn(row, 'is_sellable'),
    isProducible: flagIn(row, 'is_producible'),
    isPurchasable: flagIn(row, 'is_purchasable'),
    archived: flagIn(row, 'archived'),
    batchTracked: flagIn(row, 'batch_tracked'),
    shelfLifeDays: shelfLifeDays == null ? null : Number(shelfLifeDays),
    components: parts.map(part => ({ itemVariantId: textIn(part, 'id'), quantity: parseMicro(textIn(part, 'each')) })),
    componentItemIds: parts.map(part => textIn(part, 'item_id')),
  }
}
