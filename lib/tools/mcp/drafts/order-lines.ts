/** The lines of a drafted order: finds the named variants, fills in prices, and shows the amounts that will be booked. */
import * as v from 'valibot'
import type { Me } from '../../../../client/src/index.ts'
import { priceOf, rounded } from '../../../domain/accounting/amounts-rules.ts'
import { parsePercent } from '../../../domain/accounting/money.ts'
import { PurchaseOrderItem } from '../../../domain/purchasing/orders/noun.ts'
import { each, formatCost, parseMicro } from '../../../platform/decimal.ts'
import { figure } from '../figures.ts'
import { optionalInputs, requiredInput } from '../inputs.ts'
import { findVariant, titleOf, variantFields } from '../look-up.ts'
import { draftOf, picked, propertiesOf } from '../outputs.ts'
import { type Context, field, ToolRefusal } from '../tool.ts'
import { inSummary, LINES_MAX, quoted } from './draft.ts'
import { type Counting, counted } from './order-amounts.ts'
import type { ChargeInput } from './sold.ts'

/** Lines of both kinds of orders; `more` are the fields that a sale has beside. */
const lineInput = <const More extends v.ObjectEntries>(price: string, more: More) =>
  v.strictObject({
    ...variantFields,
    ...requiredInput(PurchaseOrderItem.fields, 'quantity'),
    price: v.optional(field.price(price)),
    ...optionalInputs(PurchaseOrderItem.fields, ['discount_percent']),
    tax_rate: v.optional(field.percent('Percent; 0 unless given.')),
    ...more,
  })

export const linesInput = <const More extends v.ObjectEntries>(price: string, more: More) =>
  v.pipe(v.array(lineInput(price, more)), v.minLength(1), v.maxLength(LINES_MAX), v.description('The lines.'))

type TaxInput = { readonly title: string; readonly rate: number }

type LineInput = v.InferOutput<ReturnType<typeof lineInput<Record<never, never>>>> & {
  readonly title?: string | undefined
  readonly discount_amount?: number | undefined
  readonly external_ref?: string | undefined
  readonly taxes?: readonly TaxInput[] | undefined
}

const micro = (value = 0) => parseMicro(String(value))
const percentOf = (value = 0) => parsePercent(String(value))

/** The lines with everything that the service would fill in, so that exactly what is confirmed is booked. */
export async function pricedLines(
  items: readonly LineInput[],
  task: {
    readonly counting: Counting
    readonly by: 'price' | 'purchase_price'
    readonly context: Context
    /** Prices that are preferred to those of the variants, by variant. */
    readonly listed?: (variantIds: readonly string[]) => Promise<ReadonlyMap<string, number>>
    readonly charges?: readonly ChargeInput[]
  },
) {
  const { counting, by, context, listed = async () => new Map<string, number>(), charges = [] } = task
  const { currency, pricesIncludeTax } = counting
  const found = await Promise.all(items.map((item, at) => foundLine(item, context, at)))
  const prices = await listed(found.flatMap(({ variant }) => variant?.id ?? []))
  const priced = found.map(line => ({
    ...line,
    price: line.item.price ?? prices.get(line.variant?.id ?? '') ?? line.variant?.[by] ?? 0,
  }))
  const amounts = counted(
    [
      ...priced.map(({ item, price }) => ({
        price: goodsPrice(item, price, currency),
        rates: ratesOf(item).map(percentOf),
      })),
      ...charges.map(({ amount, tax_rate }) => ({
        price: rounded(micro(amount), currency),
        rates: [percentOf(tax_rate)],
      })),
    ],
    counting,
  )
  const total = amounts.reduce((sum, { amount }) => sum + amount, 0n)
  const tax = amounts.reduce((sum, { taxAmount }) => sum + taxAmount, 0n)
  /** In the price mode. */
  const costs = (at: number) =>
    formatCost((amounts[at]?.amount ?? 0n) + (pricesIncludeTax ? (amounts[at]?.taxAmount ?? 0n) : 0n))
  const words = priced.map(({ item, variant, title, price }, at) => {
    const name = variant === null ? quoted(title) : `${quoted(title)} (${variant.sku ?? variant.id})`
    const less = [
      ...(item.discount_percent === 0 ? [] : [`${item.discount_percent} %`]),
      ...(item.discount_amount ? [String(item.discount_amount)] : []),
    ]
    return `${item.quantity} x ${name} at ${price}${less.map(each => ` less ${each}`).join('')} = ${costs(at)}`
  })
  const chargeWords = charges.map(({ title }, at) => `; ${quoted(title)} ${costs(items.length + at)}`)
  return {
    body: priced.map(({ item, variant, title, price }) => ({
      ...(variant === null ? { title } : { item_variant_id: variant.id }),
      quantity: item.quantity,
      price,
      discount_percent: item.discount_percent,
      ...(item.discount_amount ? { discount_amount: item.discount_amount } : {}),
      ...(item.taxes ? { taxes: [...item.taxes] } : { tax_rate: item.tax_rate ?? 0 }),
      ...(item.external_ref === undefined ? {} : { external_ref: item.external_ref }),
    })),
    summary:
      `${inSummary(words)}${chargeWords.join('')}${pricesIncludeTax ? '; prices with tax' : ''}; ` +
      `total ${formatCost(total)} ${currency}, with tax ${formatCost(total + tax)} ${currency}`,
    shown: {
      currency,
      items: priced.map(({ item, variant, title, price }, at) => ({
        ...{ item_variant_id: variant?.id ?? null, sku: variant?.sku ?? null, title, quantity: item.quantity, price },
        ...{ discount_percent: item.discount_percent, tax_rate: ratesOf(item).reduce((sum, rate) => sum + rate, 0) },
        line_amount: figure(formatCost(amounts[at]?.amount ?? 0n)),
        line_amount_with_tax: figure(formatCost((amounts[at]?.amount ?? 0n) + (amounts[at]?.taxAmount ?? 0n))),
      })),
      total_amount: figure(formatCost(total)),
      tax_amount: figure(formatCost(tax)),
      total_amount_with_tax: figure(formatCost(total + tax)),
    },
  }
}

const ratesOf = ({ taxes, tax_rate }: LineInput): readonly number[] => taxes?.map(({ rate }) => rate) ?? [tax_rate ?? 0]

const goodsPrice = (item: LineInput, price: number, currency: string) =>
  priceOf(
    {
      ...each(micro(price)),
      quantity: micro(item.quantity),
      discount: percentOf(item.discount_percent),
      discountAmount: micro(item.discount_amount ?? 0),
    },
    currency,
  )

/** Null of a line without a product. */
async function foundLine(item: LineInput, context: Context, at: number) {
  const { title, product: words, item_variant_id: id } = item
  if (title !== undefined && words === undefined && id === undefined) return { item, variant: null, title }
  if (title !== undefined)
    throw new ToolRefusal('validation_failed', `items[${at}].title: is only for a line without a product`)
  const { product, variant } = await findVariant(item, context, `items[${at}].`)
  return { item, variant, title: titleOf(product, variant) }
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
        ...['price', 'discount_percent', 'tax_rate', 'line_amount', 'line_amount_with_tax'],
      ]),
    },
    ...propertiesOf(order, ['currency', 'total_amount', 'tax_amount', 'total_amount_with_tax']),
  })
