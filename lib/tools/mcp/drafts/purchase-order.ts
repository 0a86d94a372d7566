/** `draft_purchase_order`. */

import * as v from 'valibot'
import type { CreatePurchaseOrderBody } from '../../../../client/src/index.ts'
import { PurchaseOrder } from '../../../domain/purchasing/orders/noun.ts'
import { priceOfOne } from '../../../domain/purchasing/unit-rules.ts'
import { formatMicro, parseConversionRate, parseMicro } from '../../../platform/decimal.ts'
import { optionalInputs } from '../inputs.ts'
import { type Context, field, tool } from '../tool.ts'
import { allowed, draft, LINES_MAX } from './draft.ts'
import { currencyField, linesInput, orderDraftOf, pricedLines, refuseUnpriced } from './order-lines.ts'
import { partnerOf } from './partner.ts'

export const purchaseOrder = tool({
  name: 'draft_purchase_order',
  title: 'Draft a purchase order',
  about:
    "Drafts an order to a supplier: finds supplier and products, puts in the supplier's prices or else purchase prices, and shows lines and totals.",
  scopes: ['read:catalog', 'read:purchase', 'write:purchase.order.create'],
  input: v.strictObject({
    supplier: v.optional(field.words("Words of the supplier's title.")),
    supplier_id: v.optional(field.id('The supplier, where its id is known.')),
    new_supplier: v.optional(field.words('Title of a supplier that the order makes. Only where the user asks for it.')),
    items: linesInput("Per unit, without tax; the supplier's price or else the purchase price unless given.", {}),
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
    const lines = await pricedLines(items, {
      counting: { currency, pricesIncludeTax: false, taxRoundingMode: 'HALF_UP', isRoundedTogether: false },
      ...{ by: 'purchase_price', context },
      listed: ids => supplierPrices({ supplierId: partner.id, currency, ids }, context),
    })
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

/** The supplier's prices per stock unit, as the service would fill them in: only prices in this currency, or without one. */
async function supplierPrices(
  asked: { readonly supplierId: string | undefined; readonly currency: string; readonly ids: readonly string[] },
  { millrace, signal }: Context,
): Promise<ReadonlyMap<string, number>> {
  const { supplierId, currency, ids } = asked
  if (supplierId === undefined) return new Map()
  const query = { supplier_id: [supplierId], item_variant_id: [...new Set(ids)], archived: false, limit: LINES_MAX }
  const { data } = await millrace.supplierItems.list(query, { signal })
  return new Map(
    data.flatMap(({ item_variant_id, price, conversion_rate, currency: own }) => {
      if (price === null || (own !== null && own !== currency)) return []
      const each = priceOfOne(parseMicro(String(price)), parseConversionRate(String(conversion_rate)))
      return [[item_variant_id, Number(formatMicro(each))]]
    }),
  )
}
