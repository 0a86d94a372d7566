/**
 * Loads stock for the commands of a unit of work, of any number of tenants: its variants here, its positions in
 * position-load.ts, their levels in level-load.ts.
 */

import type { Need } from '../../kit/documents/needs.ts'
import { question } from '../../kit/documents/question.ts'
import type { Work } from '../../kit/documents/work.ts'
import { parseMicro } from '../../platform/decimal.ts'
import type { TextRow } from '../../platform/postgres/round-trip.ts'
import { Product } from '../catalogue/noun.ts'
import { type BatchNeed, Levels } from './level-load.ts'
import { Balances, type PositionNeed } from './position-load.ts'
import { flagIn, textIn, textOrNullIn } from './row.ts'
import type { Stock, Variant } from './stock.ts'
import { stockPart } from './stock-part.ts'

/** The stock of these positions, with their variants. What they name must be there before it is posted to: see `isPlace`, `orderedVariant`. */
export const stockOf = (needs: {
  readonly positions: readonly PositionNeed[]
  readonly batches?: readonly BatchNeed[]
}): Need<Stock> => ({
  ask: (load, tenantId) => {
    const levels = () => load.source('stock levels', () => new Levels(load.isAlone))
    for (const need of needs.positions) {
      stockVariant.ask(load, tenantId, { id: need.itemVariantId })
      load.source('stock balances', () => new Balances(load)).ask(tenantId, need)
      levels().ask(tenantId, need)
    }
    for (const need of needs.batches ?? []) levels().askBatch(tenantId, need)
  },
  see: work => {
    for (const { itemVariantId } of needs.positions) work.answer(stockVariant, { id: itemVariantId })
    return work.part(stockPart).stock
  },
})

/** Sends later commands that look at the variant's stock to the next unit of work: a batch of the variant has changed. */
export const forgetStockOf = (work: Work, itemVariantId: string): void =>
  work.dropAnswer(stockVariant, { id: itemVariantId })

const stockVariant = question({
  name: 'stock variants',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, v.id, v.item_id, i.type, v.sku, v.title, v.price, v.purchase_price, i.is_sellable, i.is_producible,
      i.is_purchasable, not v.active as archived, i.batch_tracked, i.shelf_life_days
    from ${asked}
    cross join lateral (select * from item_variants where tenant_id = q.tenant_id and id = q.id limit 1) v
    cross join lateral (select * from items where tenant_id = q.tenant_id and id = v.item_id limit 1) i`,
  read: ([row], work) => {
    if (row === undefined) return null
    const variant = variantOf(row)
    work.part(stockPart).stock.variants.set(variant.id, variant)
    return variant
  },
  reads: [
    ['item_variants', (_, { id }) => id],
    [Product.table, variant => variant?.itemId],
  ],
})

function variantOf(row: TextRow): Variant {
  const [price, purchasePrice, shelfLifeDays] = [row['price'], row['purchase_price'], row['shelf_life_days']]
  return {
    id: textIn(row, 'id'),
    itemId: textIn(row, 'item_id'),
    itemType: textIn(row, 'type') as Variant['itemType'],
    sku: textOrNullIn(row, 'sku'),
    title: textIn(row, 'title'),
    price: price == null ? null : parseMicro(price),
    purchasePrice: purchasePrice == null ? null : parseMicro(purchasePrice),
    isSellable: flagIn(row, 'is_sellable'),
    isProducible: flagIn(row, 'is_producible'),
    isPurchasable: flagIn(row, 'is_purchasable'),
    archived: flagIn(row, 'archived'),
    batchTracked: flagIn(row, 'batch_tracked'),
    shelfLifeDays: shelfLifeDays == null ? null : Number(shelfLifeDays),
  }
}
