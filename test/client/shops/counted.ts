/** An order or return as Millrace would count its body: by the rules of the service, with the field names of GET. */

import type { OrderBody, PlacedOrder, PlacedReturn, ReturnBody, Tax } from '../../../client/src/shops/index.ts'
import {
  amountsOf,
  discountAmountMax,
  type GivenTax,
  type Goods,
  priceOf,
  pricePerUnit,
  rounded,
} from '../../../lib/domain/accounting/amounts-rules.ts'
import { parsePercent } from '../../../lib/domain/accounting/money.ts'
import {
  type Held,
  holding,
  NOTHING_HELD,
  pricedRefund,
  type Refund,
  refundOf,
  usualRefund,
} from '../../../lib/domain/accounting/refund-rules.ts'
import { each, formatCost, parseCost, parseMicro } from '../../../lib/platform/decimal.ts'

const ruleOf = (body: Pick<OrderBody, 'currency' | 'prices_include_tax'>) => ({
  currency: body.currency,
  pricesIncludeTax: body.prices_include_tax,
  taxRoundingMode: 'HALF_UP' as const,
})
const taxesOf = (taxes: readonly Tax[] = []): GivenTax[] =>
  taxes.map(({ rate, amount }) => ({ rate: parsePercent(String(rate)), amount: parseCost(String(amount)) }))
const numberOf = (amount: bigint) => Number(formatCost(amount))

export type Placed = PlacedOrder & { readonly total_amount_with_tax: number }

/** The order, all of it shipped unless the option says otherwise. Throws where the service would refuse an amount. */
export function placed(body: OrderBody, { shipped = true } = {}): Placed {
  const rule = ruleOf(body)
  let total = 0n
  const items = body.items.map((line, at) => {
    const goods: Goods = {
      quantity: parseMicro(String(line.quantity)),
      ...each(parseMicro(String(line.price))),
      discount: 0n,
      discountAmount: parseMicro(String(line.discount_amount ?? 0)),
    }
    if (rounded(goods.discountAmount, body.currency) > discountAmountMax(goods, body.currency))
      throw new Error(`items[${at}].discount_amount`)
    const amounts = amountsOf(priceOf(goods, body.currency), taxesOf(line.taxes), rule)
    if (amounts === null) throw new Error(`items[${at}].taxes`)
    total += amounts.amount + amounts.taxAmount
    return {
      id: `i${at}`,
      external_ref: line.external_ref,
      quantity: line.quantity,
      price: line.price,
      discount_percent: 0,
      discount_amount: line.discount_amount ?? 0,
      shipped_quantity: shipped ? line.quantity : 0,
      line_amount: numberOf(amounts.amount),
      line_tax_amount: numberOf(amounts.taxAmount),
    }
  })
  const charges = body.charges.map((charge, at) => {
    const price = charge.amount_with_tax ?? charge.amount
    if (price === undefined || (charge.amount === undefined) !== body.prices_include_tax)
      throw new Error(`charges[${at}].amount`)
    const amounts = amountsOf(parseCost(String(price)), taxesOf(charge.taxes), rule)
    if (amounts === null) throw new Error(`charges[${at}].taxes`)
    total += amounts.amount + amounts.taxAmount
    return {
      id: `c${at}`,
      external_ref: charge.external_ref ?? null,
      amount: numberOf(amounts.amount),
      tax_amount: numberOf(amounts.taxAmount),
    }
  })
  const { currency, prices_include_tax } = body
  return { id: 'o', currency, prices_include_tax, items, charges, total_amount_with_tax: numberOf(total) }
}

type Returned = PlacedReturn & { readonly refund_amount_with_tax: number }

/** All returns of one order, one after another, as the service counts them. */
export function returned(bodies: readonly ReturnBody[], order: Placed): Returned[] {
  const held = new Map<string, Held>()
  const rule = { currency: order.currency, pricesIncludeTax: order.prices_include_tax }
  return bodies.map(body => {
    let total = 0n
    const take = (id: string, refund: Refund | { most: bigint }, quantity = 0n, usual?: Refund) => {
      if ('most' in refund) throw new Error(`${id}: at most ${formatCost(refund.most)}`)
      const nothing = { amount: 0n, taxAmount: 0n }
      held.set(id, holding(held.get(id) ?? NOTHING_HELD, { ...refund, quantity, usual: usual ?? nothing }))
      total += refund.amount + refund.taxAmount
      return { amount: numberOf(refund.amount), tax: numberOf(refund.taxAmount) }
    }
    const items = body.items.map(line => {
      const of = order.items.find(({ id }) => id === line.sales_order_item_id)
      if (of === undefined) throw new Error('no such line')
      const before = held.get(of.id) ?? NOTHING_HELD
      const charged = {
        amount: parseCost(String(of.line_amount)),
        taxAmount: parseCost(String(of.line_tax_amount)),
        quantity: parseMicro(String(of.quantity)),
      }
      const quantity = parseMicro(String(line.quantity))
      if (quantity + before.quantity > parseMicro(String(of.shipped_quantity))) throw new Error(`${of.id}: not shipped`)
      const own = pricePerUnit({
        quantity: charged.quantity,
        ...each(parseMicro(String(of.price))),
        discount: 0n,
        discountAmount: parseMicro(String(of.discount_amount)),
      })
      const usual = quantity === 0n ? undefined : usualRefund(charged, before, quantity, rule)
      const price = line.unit_price === undefined ? own : parseMicro(String(line.unit_price))
      const asked = quantity === 0n ? parseCost(String(line.amount)) : pricedRefund(price, quantity, order.currency)
      const refund = usual !== undefined && price === own ? usual : refundOf(charged, before, asked, rule)
      const shown = take(of.id, refund, quantity, usual)
      return {
        sales_order_item_id: of.id,
        quantity: line.quantity,
        refund_amount: shown.amount,
        refund_tax_amount: shown.tax,
      }
    })
    const charges = body.charges.map(({ sales_order_charge_id: id, amount }) => {
      const of = order.charges.find(charge => charge.id === id)
      if (of === undefined) throw new Error('no such charge')
      const charged = { amount: parseCost(String(of.amount)), taxAmount: parseCost(String(of.tax_amount)) }
      const shown = take(id, refundOf(charged, held.get(id) ?? NOTHING_HELD, parseCost(String(amount)), rule))
      return { sales_order_charge_id: id, amount: shown.amount, tax_amount: shown.tax }
    })
    return { sales_return: { status: 'RETURNED' }, items, charges, refund_amount_with_tax: numberOf(total) }
  })
}
