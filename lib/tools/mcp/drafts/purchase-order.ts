/** `draft_purchase_order`. */

import * as v from 'valibot'
import type { CreatePurchaseOrderBody } from '../../../../client/src/index.ts'
import { PurchaseOrder } from '../../../domain/purchasing/orders/noun.ts'
import { optionalInputs } from '../inputs.ts'
import { field, tool } from '../tool.ts'
import { allowed, draft } from './draft.ts'
import { currencyField, linesInput, orderDraftOf, pricedLines, refuseUnpriced } from './order-lines.ts'
import { partnerOf } from './partner.ts'

export const purchaseOrder = tool({
  name: 'draft_purchase_order',
  title: 'Draft a purchase order',
  about:
    'Drafts an order to a supplier: finds supplier and products, puts in purchase prices, and shows lines and totals.',
  scopes: ['read:catalog', 'read:purchase', 'write:purchase.order.create'],
  input: v.strictObject({
    supplier: v.optional(field.words("Words of the supplier's title.")),
    supplier_id: v.optional(field.id('The supplier, where its id is known.')),
    new_supplier: v.optional(field.words('Title of a supplier that the order makes. Only where the user asks for it.')),
    items: linesInput('Per unit, without tax; the purchase price unless given.'),
    currency: currencyField,
    ...optionalInputs(PurchaseOrder.fields, ['exchange_rate', 'expected_date', 'notes']),
  }),
  output: orderDraftOf('PurchaseOrder', 'supplier'),
  run: async (
    { supplier, supplier_id, new_supplier, items, exchange_rate, expected_date, notes, ...given },
    context,
  ) => {
    const { millrace, signal } = context
    const me = await allowed('create_purchase_order', context)
    const currency = given.currency ?? me.currency
    refuseUnpriced(items, currency, me)
    const partner = await partnerOf(
      'supplier',
      { words: supplier, id: supplier_id, made: new_supplier },
      {
        get: id => millrace.suppliers.get(id, { signal }),
        list: query => millrace.suppliers.list(query, { signal }),
      },
    )
    const lines = await pricedLines(items, { currency, by: 'purchase_price', context })
    const body = { ...partner.body, currency, exchange_rate, expected_date, notes, items: lines.body }
    return draft(
      {
        action: 'create_purchase_order',
        summary: `Purchase order to ${partner.words}: ${lines.summary}${expected_date ? `; expected ${expected_date}` : ''}`,
        body: body satisfies CreatePurchaseOrderBody,
        shown: { supplier: partner.title, ...lines.shown },
      },
      context,
    )
  },
})
