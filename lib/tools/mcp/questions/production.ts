/** `requirements` and `trace_batch`: what production needs, and where a batch came from or went. */

import * as v from 'valibot'
import { findPlace, findVariant, titleOf, variantFields } from '../look-up.ts'
import { documentOf, extended, textOrNull } from '../outputs.ts'
import { field, rowsAnswer, slice, ToolRefusal, tool } from '../tool.ts'

export const requirements = tool({
  name: 'requirements',
  title: 'Requirements of a production',
  about:
    'What making so many of a product would take, over all levels of its recipes: what is needed, what of it is in stock, and what must ' +
    'be bought or made. Answers whether it can be made now (is_coverable) and how many could be (max_quantity). Reserves nothing.',
  scopes: ['read:stock', 'read:catalog'],
  input: v.strictObject({
    ...variantFields,
    quantity: field.quantity('How many are to be made.'),
    storage_place: v.optional(
      field.words('Title, code or id of the storage place; where it would be made unless given.'),
    ),
    limit: field.limit,
    cursor: field.cursor,
  }),
  output: extended(documentOf('Requirements'), {
    title: { type: 'string' },
    sku: textOrNull,
    next_cursor: { type: 'string' },
  }),
  run: async ({ product, item_variant_id, quantity, storage_place, limit, cursor }, context) => {
    const { product: of, variant } = await findVariant({ product, item_variant_id }, context)
    const place = storage_place === undefined ? null : await findPlace(storage_place, null, context)
    const query = { item_variant_id: variant.id, quantity, storage_place_id: place?.id }
    const { rows: all, ...rest } = await context.millrace.requirements(query, { signal: context.signal })
    const { rows, next_cursor } = slice(all, { limit, cursor })
    return rowsAnswer('Rows of requirements', rows, next_cursor, {
      title: titleOf(of, variant),
      sku: variant.sku,
      ...rest,
    })
  },
})

export const trace = tool({
  name: 'trace_batch',
  title: 'Trace a batch',
  about:
    'Follows a batch through production: forward to the customers and places that have it, or backward to the suppliers and batches that ' +
    'it came from. For recalls and complaints.',
  scopes: ['read:stock', 'read:catalog'],
  input: v.strictObject({
    batch_number: field.words('The number of the batch.'),
    item_variant_id: v.optional(field.id('Whose batch, where several variants have one of this number.')),
    direction: v.pipe(
      v.picklist(['forward', 'backward']),
      v.description('forward: where it went; backward: where it came from.'),
    ),
    limit: field.limit,
    cursor: field.cursor,
  }),
  output: extended(documentOf('BatchTrace'), { next_cursor: { type: 'string' } }),
  run: async ({ batch_number, item_variant_id, direction, limit, cursor }, { millrace, signal }) => {
    const { data } = await millrace.batches.list({ number: batch_number, item_variant_id }, { signal })
    const [batch, ...others] = data
    if (batch === undefined)
      throw new ToolRefusal('not_found', `batch_number: no batch ${JSON.stringify(batch_number)}`)
    if (others.length > 0) {
      const variants = data.map(({ item_variant_id, sku, title }) => ({ item_variant_id, sku, title }))
      const choices = JSON.stringify(variants)
      throw new ToolRefusal(
        'ambiguous',
        `batch_number: several variants have it; ask which, and name it by item_variant_id ${choices}`,
      )
    }
    const { rows: all, ...rest } = await millrace.batches.trace(batch.id, { direction }, { signal })
    const { rows, next_cursor } = slice(all, { limit, cursor })
    return rowsAnswer('Rows of the trace', rows, next_cursor, rest)
  },
})
