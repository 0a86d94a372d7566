/**
 * The rows that a book is made of, as one query answers them, and the book made of them. It must not do I/O; load-book.ts does.
 */
import * as v from 'valibot'
import { parseCost, parseMicro } from '../decimal.ts'
import { type Batch, type Book, type Level, type Position, positionKey, type Variant } from './book.ts'

const Text = v.string()
const TextOrNull = v.nullable(Text)

const LoadedVariant = v.object({
  id: Text,
  item_id: Text,
  item_type: v.picklist(['PRODUCT', 'MATERIAL', 'SERVICE']),
  sku: TextOrNull,
  title: Text,
  price: TextOrNull,
  purchase_price: TextOrNull,
  is_sellable: v.boolean(),
  is_producible: v.boolean(),
  is_purchasable: v.boolean(),
  archived: v.boolean(),
  batch_tracked: v.boolean(),
  shelf_life_days: v.nullable(v.number()),
})
const LoadedBatch = v.object({
  id: Text,
  item_variant_id: Text,
  number: Text,
  manufacture_date: TextOrNull,
  expiry_date: TextOrNull,
})
const LoadedPosition = v.object({
  item_variant_id: Text,
  storage_place_id: TextOrNull,
  pickable: v.boolean(),
  quantity: Text,
  quarantine_quantity: Text,
  value: Text,
})
const LoadedLevel = v.object({
  id: Text,
  item_variant_id: Text,
  storage_place_id: TextOrNull,
  batch_id: TextOrNull,
  quantity: Text,
  quarantine_quantity: Text,
  reserved_quantity: Text,
  expected_quantity: Text,
})
/** What the load answers: quantities and values as texts, which lose no digit. */
export const LoadedBook = v.object({
  main_place_id: TextOrNull,
  place_ids: v.array(Text),
  variants: v.array(LoadedVariant),
  batches: v.array(LoadedBatch),
  positions: v.array(LoadedPosition),
  levels: v.array(LoadedLevel),
  fresh_ids: v.array(Text),
  also: v.unknown(),
})
export type LoadedBook = v.InferOutput<typeof LoadedBook>

/** The book as it was found, with nothing posted yet. */
export function bookFrom(loaded: LoadedBook): Book {
  const batches = new Map(loaded.batches.map(row => [row.id, batchOf(row)]))
  return {
    variants: new Map(loaded.variants.map(row => [row.id, variantOf(row)])),
    placeIds: new Set(loaded.place_ids),
    mainPlaceId: loaded.main_place_id,
    batches,
    newBatches: [],
    positions: positionsOf(loaded, batches),
    movements: [],
    freshIds: loaded.fresh_ids,
  }
}

function variantOf(row: v.InferOutput<typeof LoadedVariant>): Variant {
  return {
    id: row.id,
    itemId: row.item_id,
    itemType: row.item_type,
    sku: row.sku,
    title: row.title,
    price: row.price === null ? null : parseMicro(row.price),
    purchasePrice: row.purchase_price === null ? null : parseMicro(row.purchase_price),
    isSellable: row.is_sellable,
    isProducible: row.is_producible,
    isPurchasable: row.is_purchasable,
    archived: row.archived,
    batchTracked: row.batch_tracked,
    shelfLifeDays: row.shelf_life_days,
  }
}

function batchOf(row: v.InferOutput<typeof LoadedBatch>): Batch {
  return {
    id: row.id,
    itemVariantId: row.item_variant_id,
    number: row.number,
    manufactureDate: row.manufacture_date,
    expiryDate: row.expiry_date,
  }
}

function positionsOf(loaded: LoadedBook, batches: ReadonlyMap<string, Batch>): Map<string, Position> {
  const levels = Map.groupBy(loaded.levels, row =>
    positionKey({ itemVariantId: row.item_variant_id, storagePlaceId: row.storage_place_id }),
  )
  return new Map(
    loaded.positions.map(row => {
      const where = { itemVariantId: row.item_variant_id, storagePlaceId: row.storage_place_id }
      const key = positionKey(where)
      const found = (levels.get(key) ?? []).map(level => levelFrom(level, batches))
      const bare = found.find(level => level.batch === null)
      const quantity = parseMicro(row.quantity)
      const quarantine = parseMicro(row.quarantine_quantity)
      const position: Position = {
        ...where,
        levels: new Map(found.map(level => [level.batch?.id ?? '', level])),
        pickable: row.pickable,
        quantity,
        quarantine,
        value: parseCost(row.value),
        changed: false,
        before: { quantity, quarantine, reserved: bare?.reserved ?? 0n, expected: bare?.expected ?? 0n },
      }
      return [key, position]
    }),
  )
}

function levelFrom(row: v.InferOutput<typeof LoadedLevel>, batches: ReadonlyMap<string, Batch>): Level {
  return {
    id: row.id,
    batch: row.batch_id === null ? null : (batches.get(row.batch_id) ?? null),
    quantity: parseMicro(row.quantity),
    quarantine: parseMicro(row.quarantine_quantity),
    reserved: parseMicro(row.reserved_quantity),
    expected: parseMicro(row.expected_quantity),
    changed: false,
  }
}
