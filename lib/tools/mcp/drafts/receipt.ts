/** `draft_receipt`. */

import * as v from 'valibot'
import { type CreatePurchaseReceiptBody, responseOf } from '../../../../client/src/index.ts'
import { PurchaseReceipt } from '../../../domain/purchasing/receipts/noun.ts'
import { formatMicro, parseMicro } from '../../../platform/decimal.ts'
import { figure } from '../figures.ts'
import { optionalInputs } from '../inputs.ts'
import { findPlace, placeField } from '../look-up.ts'
import { draftOf, picked } from '../outputs.ts'
import { field, ToolRefusal, tool } from '../tool.ts'
import { allowed, draft, inSummary, LINES_MAX, numberField, orderOf, quoted } from './draft.ts'

export const receive = tool({
  name: 'draft_receipt',
  title: 'Draft a receipt of goods',
  about:
    'Drafts the receipt of goods of a purchase order into a storage place: all that is outstanding, or the lines that are named. Applying it ' +
    'changes stock and costs, and is refused if the order has changed since.',
  scopes: ['read:purchase', 'read:stock', 'write:purchase.receipt.create'],
  input: v.strictObject({
    number: numberField,
    storage_place: placeField,
    items: v.optional(
      v.pipe(
        v.array(
          v.strictObject({
            sku: v.optional(field.words('SKU of the line, where one line alone has it.')),
            purchase_order_item_id: v.optional(field.id('The line.')),
            quantity: field.quantity('What arrived, in the unit of the product.'),
            batch_number: v.optional(field.words('The number of the batch.')),
            expiry_date: v.optional(field.day('The last day of the batch.')),
          }),
        ),
        v.minLength(1),
        v.maxLength(LINES_MAX),
        v.description('What arrived; all that is outstanding unless given.'),
      ),
    ),
    ...optionalInputs(PurchaseReceipt.fields, ['notes']),
  }),
  output: draftOf({
    supplier: { type: 'string' },
    storage_place: { type: 'string' },
    items: {
      type: 'array',
      items: picked('PurchaseReceiptItem', ['purchase_order_item_id', 'sku', 'title', 'quantity']),
    },
  }),
  run: async ({ number, storage_place, items, notes }, context) => {
    const { millrace, signal } = context
    await allowed('receive_purchase_order', context)
    const order = await orderOf(number, {
      list: query => millrace.purchaseOrders.list(query, { signal }),
      get: id => millrace.purchaseOrders.get(id, { signal }),
    })
    const lines =
      items?.map((item, at) => {
        const { sku, purchase_order_item_id: id, ...received } = item
        const fitting = order.items.filter(line => (id === undefined ? line.sku === (sku ?? '') : line.id === id))
        const [line] = fitting
        if (line !== undefined && fitting.length === 1) return { line, ...received }
        const known = JSON.stringify(
          order.items.slice(0, LINES_MAX).map(({ id, sku }) => ({ purchase_order_item_id: id, sku })),
        )
        throw new ToolRefusal(
          'validation_failed',
          `items[${at}]: names ${fitting.length} lines of the order; there are ${known}`,
        )
      }) ??
      order.items.flatMap(line => {
        const left = parseMicro(String(line.quantity)) - parseMicro(String(line.received_quantity))
        return left > 0n ? [{ line, quantity: figure(formatMicro(left)) }] : []
      })
    if (lines.length === 0)
      throw new ToolRefusal('purchase_receipt_not_allowed', `nothing of ${order.number} is outstanding`)
    const place = await findPlace(storage_place, 'purchase_allowed', context)
    const body = {
      storage_place_id: place.id,
      notes,
      items: lines.map(({ line, ...received }) => ({ purchase_order_item_id: line.id, ...received })),
    }
    const words = lines.map(
      ({ line, quantity }) => `${quantity} x ${quoted(line.title)} (${line.sku ?? line.item_variant_id})`,
    )
    return draft(
      {
        action: 'receive_purchase_order',
        summary: `Receipt of ${order.number} from ${quoted(order.supplier.title)} into ${quoted(place.title)}: ${inSummary(words)}`,
        id: order.id,
        if_match: responseOf(order)?.etag,
        body: body satisfies CreatePurchaseReceiptBody,
        shown: {
          supplier: order.supplier.title,
          storage_place: place.title,
          items: lines.map(({ line, ...received }) => ({
            purchase_order_item_id: line.id,
            sku: line.sku,
            title: line.title,
            ordered_quantity: line.quantity,
            received_before: line.received_quantity,
            ...received,
          })),
        },
      },
      context,
    )
  },
})
