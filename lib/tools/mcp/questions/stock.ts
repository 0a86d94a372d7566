/** `stock` and `shortages`: what is there, and what will be missing. */

import * as v from 'valibot'
import type { Shortage } from '../../../../client/src/index.ts'
import { allPlaces, findPlace, findVariant, titleOf, variantFields } from '../look-up.ts'
import { documentOf, extended, rowsOf, textOrNull } from '../outputs.ts'
import { type Context, field, rowsAnswer, tool } from '../tool.ts'

export const stock = tool({
  name: 'stock',
  title: 'Stock and availability',
  about:
    'What is in stock, reserved, expected and available, by variant and storage place: of one product, at one place, or of all. ' +
    'available_quantity is what may still be promised (quantity less quarantine, expired stock and reservations; it may be negative). ' +
    'Of a kit (is_kit) it is how many its components make; the other quantities are null.',
  scopes: ['read:stock', 'read:catalog'],
  input: v.strictObject({
    ...variantFields,
    storage_place: v.optional(field.words('Title, code or id of the storage place; all unless given.')),
    limit: field.limit,
    cursor: field.cursor,
  }),
  output: rowsOf(extended(documentOf('Availability'), { storage_place: textOrNull }), {
    title: { type: 'string' },
    unit: { type: 'string' },
  }),
  run: async ({ product, item_variant_id, storage_place, limit, cursor }, context) => {
    const found = product === undefined ? null : await findVariant({ product, item_variant_id }, context)
    const place = storage_place === undefined ? null : await findPlace(storage_place, null, context)
    const query = { item_variant_id: found?.variant.id ?? item_variant_id, storage_place_id: place?.id, limit, cursor }
    const { data, next_cursor } = await context.millrace.availability.list(query, { signal: context.signal })
    const rows = await withPlaces(data, context)
    const title = found === null ? {} : { title: titleOf(found.product, found.variant), unit: found.product.unit_name }
    return rowsAnswer('Rows of stock', rows, next_cursor, title)
  },
})

/** Rows with the titles of their places. */
async function withPlaces<T extends { readonly storage_place_id: string | null }>(
  rows: readonly T[],
  context: Context,
) {
  const titles = new Map((await allPlaces(context)).map(({ id, title }) => [id, title]))
  return rows.map(row => ({ ...row, storage_place: titles.get(row.storage_place_id ?? '') ?? null }))
}

const DOCUMENTS_SHOWN_MAX = 5

export const shortages = tool({
  name: 'shortages',
  title: 'Shortages',
  about:
    'What will be missing once open orders are served and what is expected has come, with the documents that need it and those that ' +
    'bring it. Use below: minimum for what falls under its minimum stock.',
  scopes: ['read:stock', 'read:catalog'],
  input: v.strictObject({
    below: v.optional(
      v.pipe(
        v.picklist(['zero', 'minimum']),
        v.description('zero: less than nothing is left; minimum: less than the minimum stock.'),
      ),
      'zero',
    ),
    ...variantFields,
    storage_place: v.optional(field.words('Title, code or id of the storage place; all unless given.')),
    limit: field.limit,
    cursor: field.cursor,
  }),
  output: rowsOf(
    extended(documentOf('Shortage'), {
      storage_place: textOrNull,
      demand_left_out: { type: 'integer' },
      supply_left_out: { type: 'integer' },
    }),
  ),
  run: async ({ below, product, item_variant_id, storage_place, limit, cursor }, context) => {
    const found = product === undefined ? null : await findVariant({ product, item_variant_id }, context)
    const place = storage_place === undefined ? null : await findPlace(storage_place, null, context)
    const query = {
      below,
      item_variant_id: found?.variant.id ?? item_variant_id,
      storage_place_id: place?.id,
      limit,
      cursor,
    }
    const { data, next_cursor } = await context.millrace.shortages.list(query, { signal: context.signal })
    const rows = (await withPlaces(data, context)).map(row => ({ ...row, ...firstDocuments(row) }))
    return rowsAnswer('Shortages', rows, next_cursor)
  },
})

function firstDocuments({ demand, supply }: Shortage) {
  const left = (count: number) => Math.max(0, count - DOCUMENTS_SHOWN_MAX)
  return {
    demand: demand.slice(0, DOCUMENTS_SHOWN_MAX),
    demand_left_out: left(demand.length),
    supply: supply.slice(0, DOCUMENTS_SHOWN_MAX),
    supply_left_out: left(supply.length),
  }
}
