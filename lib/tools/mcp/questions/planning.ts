/** `delivery_promise` and `replenishment`: when an order can be delivered, and what to order and make. */

import * as v from 'valibot'
import { findPlace, findVariant, titleOf, variantFields } from '../look-up.ts'
import { documentOf, extended, textOrNull } from '../outputs.ts'
import { field, rowsAnswer, slice, tool } from '../tool.ts'

const place = v.optional(field.words('Title, code or id of the storage place; the main one unless given.'))

export const deliveryPromise = tool({
  name: 'delivery_promise',
  title: 'When can it be delivered',
  about:
    'The first day for which so many of a product can be promised, from stock, from what is on its way, or by its lead time, without ' +
    'taking anything from what is promised already; and how many could be promised now and on later days. Reserves nothing. Not of kits: ' +
    'ask of their components.',
  scopes: ['read:stock', 'read:catalog'],
  input: v.strictObject({
    ...variantFields,
    quantity: field.quantity('How many are wanted.'),
    storage_place: place,
  }),
  output: extended(documentOf('DeliveryPromise'), { title: { type: 'string' }, sku: textOrNull }),
  run: async ({ product, item_variant_id, quantity, storage_place }, context) => {
    const { product: of, variant } = await findVariant({ product, item_variant_id }, context)
    const found = storage_place === undefined ? null : await findPlace(storage_place, null, context)
    const query = { item_variant_id: variant.id, quantity, storage_place_id: found?.id }
    const answer = await context.millrace.promise(query, { signal: context.signal })
    const words =
      answer.promise_date === null ? 'No day can be promised.' : `It can be promised for ${answer.promise_date}.`
    return { words, data: { title: titleOf(of, variant), sku: variant.sku, ...answer } }
  },
})

export const replenishment = tool({
  name: 'replenishment',
  title: 'What should be ordered and made',
  about:
    'What to order and make so that nothing falls below zero or its minimum stock, over all levels of the recipes together: quantities ' +
    'with minimum orders and multiples, costs, suppliers. Writes nothing; use the drafts to order.',
  scopes: ['read:stock', 'read:catalog'],
  input: v.strictObject({ ...variantFields, storage_place: place, limit: field.limit, cursor: field.cursor }),
  output: extended(documentOf('Replenishment'), { next_cursor: { type: 'string' } }),
  run: async ({ product, item_variant_id, storage_place, limit, cursor }, context) => {
    const of = product === undefined ? null : await findVariant({ product, item_variant_id }, context)
    const found = storage_place === undefined ? null : await findPlace(storage_place, null, context)
    const variantId = of?.variant.id ?? item_variant_id
    const query = { item_variant_id: variantId === undefined ? undefined : [variantId], storage_place_id: found?.id }
    const { rows: all, ...rest } = await context.millrace.replenishment(query, { signal: context.signal })
    const { rows, next_cursor } = slice(all, { limit, cursor })
    return rowsAnswer('Rows of the replenishment', rows, next_cursor, rest)
  },
})
