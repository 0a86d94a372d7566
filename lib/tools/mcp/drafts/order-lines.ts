/** The lines of a drafted order: finds the named variants, fills in prices, and shows the amounts that will be booked. */
import * as v from 'valibot'
import type { Me } from '../../../../client/src/index.ts'
import { lineAmounts } from '../../../domain/accounting/amounts-rules.ts'
import { parsePercent } from '../../../domain/accounting/money.ts'
import { PurchaseOrderItem } from '../../../domain/purchasing/orders/noun.ts'
import { each, formatCost, parseMicro } from '../../../platform/decimal.ts'
import { figure } from '../figures.ts'
import { optionalInputs, requiredInput } from '../inputs.ts'
import { findVariant, titleOf, variantFields } from '../look-up.ts'
import { draftOf, picked, propertiesOf } from '../outputs.ts'
import { type Context, field, ToolRefusal } from '../tool.ts'
import { inSummary, LINES_MAX, quoted } from './draft.ts'

/** Lines of both kinds of orders: a drafted sales order has prices without tax and one tax rate for each line. */
const lineInput = (price: string) =>
  v.strictObject({
    ...variantFields,
    ...requiredInput(PurchaseOrderItem.fields, 'quantity'),
    price: v.optional(field.price(price)),
    ...optionalInputs(PurchaseOrderItem.fields, ['discount_percent', 'tax_rate']),
  })

export const linesInput = (price: string) =>
  v.pipe(v.array(lineInput(price)), v.minLength(1), v.maxLength(LINES_MAX), v.description('The lines.'))

type LineInput = v.InferOutput<ReturnType<typeof lineInput>>

/** The lines with everything that the service would fill in, so that exactly what is confirmed is booked. */
export async function pricedLines(
  items: readonly LineInput[],
  task: {
    readonly currency: string
    readonly by: 'price' | 'purchase_price'
    readonly context: Context
    /** Prices that are preferred to those of the variants, by variant. */
    readonly listed?: (variantIds: readonly string[]) => Promise<ReadonlyMap<string, number>>
  },
) {
  const { currency, by, context, listed = async () => new Map<string, number>() } = task
  const found = await Promise.all(
    items.map(async (item, at) => ({ item, ...(await findVariant(item, context, `items[${at}].`)) })),
  )
  const prices = await listed(found.map(({ variant }) => variant.id))
  const lines = found.map(({ item, product, variant }) => {
    const price = item.price ?? prices.get(variant.id) ?? variant[by] ?? 0
    const amounts = lineAmounts({
      quantity: parseMicro(String(item.quantity)),
      ...each(parseMicro(String(price))),
      discount: parsePercent(String(item.discount_percent)),
      taxRate: parsePercent(String(item.tax_rate)),
      currency,
    })
    return {
      quantity: item.quantity,
      price,
      discount_percent: item.discount_percent,
      tax_rate: item.tax_rate,
      title: titleOf(product, variant),
      variant,
      amounts,
    }
  })
  const amount = lines.reduce((sum, { amounts }) => sum + amounts.amount, 0n)
  const taxAmount = lines.reduce((sum, { amounts }) => sum + amounts.taxAmount, 0n)
  const words = lines.map(
    ({ quantity, price, discount_percent, title, variant, amounts }) =>
      `${quantity} x ${quoted(title)} (${variant.sku ?? variant.id}) at ${price}` +
      `${discount_percent === 0 ? '' : ` less ${discount_percent} %`} = ${formatCost(amounts.amount)}`,
  )
  const total = formatCost(amount)
  const tax = formatCost(taxAmount)
  const withTax = formatCost(amount + taxAmount)
  return {
    body: lines.map(({ variant, quantity, price, discount_percent, tax_rate }) => ({
      item_variant_id: variant.id,
      quantity,
      price,
      discount_percent,
      tax_rate,
    })),
    summary: `${inSummary(words)}; total ${total} ${currency}, with tax ${withTax} ${currency}`,
    shown: {
      currency,
      items: lines.map(({ variant, title, quantity, price, discount_percent, tax_rate, amounts }) => ({
        item_variant_id: variant.id,
        sku: variant.sku,
        title,
        quantity,
        price,
        discount_percent,
        tax_rate,
        line_amount: figure(formatCost(amounts.amount)),
      })),
      total_amount: figure(total),
      tax_amount: figure(tax),
      total_amount_with_tax: figure(withTax),
    },
  }
}

export const currencyField = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code'),
    v.description("ISO 4217; the tenant's unless given."),
  ),
)

/** Prices of variants are in the tenant's currency. In another currency they would be wrong. */
export function refuseUnpriced(items: readonly LineInput[], currency: string, { currency: own }: Me): void {
  const at = items.findIndex(({ price }) => price === undefined)
  if (currency !== own && at >= 0)
    throw new ToolRefusal('validation_failed', `items[${at}].price: is required in another currency than ${own}`)
}

/** The output of an order's draft. */
export const orderDraftOf = (order: 'PurchaseOrder' | 'SalesOrder', partner: 'supplier' | 'customer') =>
  draftOf({
    [partner]: { type: 'string' },
    items: {
      type: 'array',
      items: picked(`${order}Item`, [
        ...['item_variant_id', 'sku', 'title', 'quantity'],
        ...['price', 'discount_percent', 'tax_rate', 'line_amount'],
      ]),
    },
    ...propertiesOf(order, ['currency', 'total_amount', 'tax_amount', 'total_amount_with_tax']),
  })
