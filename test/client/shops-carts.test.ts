/** Random carts have the shop's own total here, and random refunds of them the shop's own amounts. */
import fc from 'fast-check'
import { type ReturnBody, shopifyOrder, shopifyRefund, wooOrder } from '../../client/src/shops/index.ts'
import { testsOf } from '../support/suite.ts'
import { cart, money, shopifyOf, wooOf } from './shops/carts.ts'
import { placed, returned } from './shops/counted.ts'

const test = testsOf(import.meta)

test('every cart of Shopify comes out at its total, with every tax as the shop computed it', t => {
  fc.assert(
    fc.property(cart, of => {
      const order = shopifyOf(of)
      const body = shopifyOrder(order)
      return (
        placed(body).total_amount_with_tax === Number(order.total_price) &&
        body.items.every((line, at) =>
          (line.taxes ?? []).every((tax, nth) => tax.amount === Number(order.line_items[at]?.tax_lines?.[nth]?.price)),
        )
      )
    }),
    { numRuns: 400 },
  )
  t.pass()
})

test('every cart of WooCommerce comes out at its total, however it rounds; by line without a cent of rounding', t => {
  fc.assert(
    fc.property(cart, fc.boolean(), fc.constantFrom(2 as const, 6 as const), (of, byLine, dp) => {
      const order = wooOf(of, { byLine, dp })
      const body = wooOrder(order)
      const isRounded = body.charges.some(({ title }) => title === 'Rounding')
      const hundred = (value: number) => Math.round(value * 100)
      const taxed = new Map<string, number>()
      for (const tax of body.items.flatMap(({ taxes }) => taxes ?? []))
        taxed.set(tax.title, (taxed.get(tax.title) ?? 0) + hundred(tax.amount))
      return (
        placed(body).total_amount_with_tax === Number(order.total) &&
        !(isRounded && byLine) &&
        (order.tax_lines ?? []).every(tax => (taxed.get(tax.label ?? '') ?? 0) === hundred(Number(tax.tax_total)))
      )
    }),
    { numRuns: 800 },
  )
  t.pass()
})

test('refunds of pieces and of money, in any order, pay back what the shop paid back', t => {
  const step = fc.record({
    line: fc.nat(),
    pieces: fc.integer({ min: 0, max: 3 }),
    part: fc.integer({ min: 1, max: 100 }),
  })
  fc.assert(
    fc.property(cart, fc.array(step, { maxLength: 8 }), (of, steps) => {
      const shop = shopifyOf(of)
      const order = placed(shopifyOrder(shop))
      const bodies: ReturnBody[] = []
      for (const [at, { line, pieces, part }] of steps.entries()) {
        const item = order.items[line % order.items.length]
        if (item === undefined) continue
        const returns = returned(bodies, order)
        const before = returns.flatMap(({ items }) => items).filter(one => one.sales_order_item_id === item.id)
        const cents = (value: number) => Math.round(value * 100)
        const held = before.reduce(
          (all, one) => all + cents(one.refund_amount) + (of.includesTax ? cents(one.refund_tax_amount) : 0),
          0,
        )
        const charged = cents(item.line_amount) + (of.includesTax ? cents(item.line_tax_amount) : 0)
        const left = item.quantity - before.reduce((all, one) => all + one.quantity, 0)
        const quantity = Math.min(pieces, left)
        const price = Math.floor(((charged - held) * part) / 100)
        if (price === 0) continue
        const refund = {
          id: at,
          refund_line_items: [
            {
              line_item_id: item.external_ref ?? '',
              quantity,
              restock_type: quantity === 0 ? 'cancel' : 'return',
              subtotal: money(price),
              total_tax: '0.00',
            },
          ],
          transactions: [{ kind: 'refund', status: 'success', amount: money(price) }],
        }
        bodies.push(shopifyRefund(refund, order, { returns, allowTaxDifference: true }))
        const after = returned(bodies, order).at(-1)?.items[0]
        const paid = cents(after?.refund_amount ?? 0) + (of.includesTax ? cents(after?.refund_tax_amount ?? 0) : 0)
        if (paid !== price) return false
      }
      return true
    }),
    { numRuns: 300 },
  )
  t.pass()
})
