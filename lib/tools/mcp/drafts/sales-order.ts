/** `draft_sales_order`. */

import * as v from 'valibot'
import type { CreateSalesOrderBody } from '../../../../client/src/index.ts'
import { SalesOrder } from '../../../domain/sales/orders/noun.ts'
import { optionalInputs } from '../inputs.ts'
import { field, tool } from '../tool.ts'
import { allowed, draft } from './draft.ts'
import { currencyField, linesInput, orderDraftOf, pricedLines, refuseUnpriced } from './order-lines.ts'
import { partnerOf } from './partner.ts'
import { chargesInput, soldFields, termsFields } from './sold.ts'

export const salesOrder = tool({
  name: 'draft_sales_order',
  title: 'Draft a sales order',
  about:
    'Drafts an order of a customer: finds customer and products, puts in sales prices, and shows lines and totals. It ' +
    'warns where the order would be refused.',
  scopes: ['read:catalog', 'read:sales', 'write:sales.order.create'],
  input: v.strictObject({
    customer: v.optional(field.words("Words of the customer's title.")),
    customer_id: v.optional(field.id('The customer, where its id is known.')),
    new_customer: v.optional(field.words('Title of a customer that the order makes. Only where the user asks for it.')),
    items: linesInput("Per unit, with tax where prices_include_tax; the variant's price unless given.", soldFields),
    charges: chargesInput,
    currency: currencyField,
    ...termsFields,
    reservation_id: v.optional(field.id('A reservation that the order takes.')),
    ...optionalInputs(SalesOrder.fields, ['ordered_at', 'delivery_date', 'allow_backorder', 'notes']),
  }),
  output: orderDraftOf('SalesOrder', 'customer'),
  run: async (
    {
      customer,
      customer_id,
      new_customer,
      items,
      reservation_id,
      ordered_at,
      delivery_date,
      allow_backorder,
      notes,
      charges,
      prices_include_tax = false,
      tax_rounding,
      tax_rounding_mode,
      external_ref,
      exchange_rate,
      ...given
    },
    context,
  ) => {
    const { millrace, signal } = context
    const me = await allowed('create_sales_order', context)
    const currency = given.currency ?? me.currency
    refuseUnpriced(items, currency, me)
    const partner = await partnerOf(
      'customer',
      { words: customer, id: customer_id, made: new_customer },
      {
        get: id => millrace.customers.get(id, { signal }),
        list: query => millrace.customers.list(query, { signal }),
      },
    )
    const lines = await pricedLines(items, {
      counting: {
        ...{ currency, pricesIncludeTax: prices_include_tax, taxRoundingMode: tax_rounding_mode },
        isRoundedTogether: tax_rounding === 'ORDER',
      },
      ...{ by: 'price', context, charges },
    })
    const own = { reservation_id, ordered_at, delivery_date, allow_backorder, notes, external_ref, exchange_rate }
    const terms = { prices_include_tax, tax_rounding, tax_rounding_mode }
    const charged = charges.map(({ title, amount, tax_rate }) => ({
      ...{ title, tax_rate },
      ...(prices_include_tax ? { amount_with_tax: amount } : { amount }),
    }))
    const body = { ...partner.body, currency, ...own, ...terms, items: lines.body, charges: charged }
    return draft(
      {
        action: 'create_sales_order',
        summary: `Sales order of ${partner.words}: ${lines.summary}${delivery_date ? `; delivery ${delivery_date}` : ''}`,
        body: body satisfies CreateSalesOrderBody,
        shown: { customer: partner.title, ...lines.shown },
      },
      context,
    )
  },
})
