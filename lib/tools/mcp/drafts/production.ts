/** `draft_start` and `draft_completion`: the steps of a manufacturing order. */

import * as v from 'valibot'
import { type CompleteManufacturingOrderBody, responseOf } from '../../../../client/src/index.ts'
import { ManufacturingOrder } from '../../../domain/manufacturing/orders/noun.ts'
import { formatMicro, parseMicro } from '../../../platform/decimal.ts'
import { figure } from '../figures.ts'
import { optionalInputs } from '../inputs.ts'
import { draftOf, picked, propertiesOf } from '../outputs.ts'
import { type Context, field, tool } from '../tool.ts'
import { allowed, draft, numberField, orderOf, quoted } from './draft.ts'

const MATERIALS_SHOWN_MAX = 20

const productionInput = { number: numberField, ...optionalInputs(ManufacturingOrder.fields, ['notes']) }

async function production(number: string, { millrace, signal }: Context) {
  const order = await orderOf(number, {
    list: query => millrace.manufacturingOrders.list(query, { signal }),
    get: id => millrace.manufacturingOrders.get(id, { signal }),
  })
  const { item_variant: made } = order
  return { order, etag: responseOf(order)?.etag, words: `${quoted(made.item_title)} (${made.sku ?? made.id})` }
}

export const start = tool({
  name: 'draft_start',
  title: 'Draft the start of a production',
  about:
    'Drafts the start of a manufacturing order: applying it writes its materials off; it warns of those that are not there. An order must be started before it is completed.',
  scopes: ['read:manufacturing', 'write:manufacturing.order.start'],
  input: v.strictObject(productionInput),
  output: draftOf({
    materials: { type: 'array', items: picked('ManufacturingOrderItem', ['sku', 'title', 'quantity']) },
    materials_left_out: { type: 'integer' },
  }),
  run: async ({ number, notes }, context) => {
    await allowed('start_manufacturing_order', context)
    const { order, etag, words } = await production(number, context)
    const materials = order.items
      .slice(0, MATERIALS_SHOWN_MAX)
      .map(({ sku, title, quantity }) => ({ sku, title, quantity }))
    return draft(
      {
        action: 'start_manufacturing_order',
        summary: `Start of ${order.number}: ${order.quantity} x ${words}; writes off ${order.items.length} materials`,
        id: order.id,
        if_match: etag,
        body: { notes },
        shown: { materials, materials_left_out: order.items.length - materials.length },
      },
      context,
    )
  },
})

export const complete = tool({
  name: 'draft_completion',
  title: 'Draft the completion of a production',
  about:
    'Drafts output of a manufacturing order that was started: all that remains, or a part. Applying it brings the output into stock at its ' +
    'cost, and is refused if the order has changed since.',
  scopes: ['read:manufacturing', 'write:manufacturing.order.complete'],
  input: v.strictObject({
    ...productionInput,
    quantity: v.optional(field.quantity('Output; all that remains unless given.')),
    is_final: v.optional(
      v.pipe(v.boolean(), v.description('Whether this ends the order, whatever was planned.')),
      false,
    ),
    ...optionalInputs(ManufacturingOrder.fields, ['output_batch_number', 'output_expiry_date']),
  }),
  output: draftOf({
    ...propertiesOf('ManufacturingOrder', ['quantity', 'released_quantity', 'actual_cost']),
    output: { type: ['number', 'string'] },
    is_final: { type: 'boolean' },
  }),
  run: async ({ number, quantity, ...rest }, context) => {
    await allowed('complete_manufacturing_order', context)
    const { order, etag, words } = await production(number, context)
    const left = parseMicro(String(order.quantity)) - parseMicro(String(order.released_quantity))
    const output = quantity ?? figure(formatMicro(left))
    // Of a finished order nothing remains: the service then refuses.
    const body = { quantity: quantity ?? (left > 0n ? output : undefined), ...rest }
    return draft(
      {
        action: 'complete_manufacturing_order',
        summary: `Output of ${order.number}: ${output} x ${words} of ${order.quantity} planned${rest.is_final ? '; ends the order' : ''}`,
        id: order.id,
        if_match: etag,
        body: body satisfies CompleteManufacturingOrderBody,
        shown: {
          quantity: order.quantity,
          released_quantity: order.released_quantity,
          output,
          is_final: rest.is_final,
          actual_cost: order.actual_cost,
        },
      },
      context,
    )
  },
})
