/**
 * Refunds of two shops as returns: goods, money and shipping are equal to the cent, and a refund for which that is impossible is an error.
 */
import {
  type ReturnBody,
  ShopFieldError,
  shopifyOrder,
  shopifyRefund,
  wooOrder,
  wooRefund,
} from '../../client/src/shops/index.ts'
import { testsOf } from '../support/suite.ts'
import { placed, returned } from './shops/counted.ts'
import { refundOf, shopify, woo } from './shops/samples.ts'

const test = testsOf(import.meta)

test('refunds of a Shopify order, one after another, pay back what the shop paid back', t => {
  const order = placed(shopifyOrder(shopify.inclusive))
  const bodies: ReturnBody[] = []
  const refund = (name: string) => {
    const found = refundOf(shopify.refunds, 'inclusive', name)
    bodies.push(shopifyRefund(found, order, { returns: returned(bodies, order) }))
    t.is(returned(bodies, order).at(-1)?.refund_amount_with_tax, Number(found.transactions?.[0]?.amount), name)
    return bodies.at(-1)
  }
  t.deepEqual(refund('one comes back'), {
    sales_order_id: 'o',
    external_ref: '440001',
    notes: 'Wrong roast',
    items: [{ sales_order_item_id: 'i1', quantity: 1 }],
    charges: [],
  })
  t.deepEqual(refund('one is kept')?.items, [{ sales_order_item_id: 'i1', quantity: 1, restock: false }])
  t.deepEqual(refund('a grinder at half its price')?.items, [
    { sales_order_item_id: 'i0', quantity: 1, unit_price: 17.06 },
  ])
  t.deepEqual(refund('shipping alone')?.charges, [{ sales_order_charge_id: 'c1', amount: 4.9 }])
  t.deepEqual(refund('the tip')?.charges, [{ sales_order_charge_id: 'c0', amount: 3 }])
})

test('pieces that were never sent are money, and stay in the order', t => {
  const order = placed(shopifyOrder(shopify.exclusive), { shipped: false })
  const body = shopifyRefund(refundOf(shopify.refunds, 'exclusive', 'two before they are sent'), order)
  t.deepEqual(body.items, [{ sales_order_item_id: 'i0', quantity: 0, amount: 39.98 }])
  t.is(returned([body], order)[0]?.refund_amount_with_tax, 45.97)
  const shipping = shopifyRefund(refundOf(shopify.refunds, 'exclusive', 'shipping alone'), order)
  t.deepEqual(shipping.charges, [{ sales_order_charge_id: 'c1', amount: 10 }])
  t.is(returned([shipping], order)[0]?.refund_amount_with_tax, 11.5)
})

test('refunds of a WooCommerce order pay back what the shop paid back', t => {
  const order = placed(wooOrder(woo.inclusive))
  const bodies: ReturnBody[] = []
  const refund = (name: string) => {
    const found = refundOf(woo.refunds, 'inclusive', name)
    bodies.push(wooRefund(found, order, { returns: returned(bodies, order), prefix: 'r-' }))
    t.is(returned(bodies, order).at(-1)?.refund_amount_with_tax, Number(found.amount), name)
    return bodies.at(-1)
  }
  t.deepEqual(refund('one comes back'), {
    sales_order_id: 'o',
    external_ref: 'r-1801',
    notes: 'Cracked',
    items: [{ sales_order_item_id: 'i0', quantity: 1 }],
    charges: [],
  })
  t.deepEqual(refund('money for a blemish')?.items, [{ sales_order_item_id: 'i0', quantity: 0, amount: 5 }])
  t.deepEqual(refund('shipping and wrapping')?.charges, [
    { sales_order_charge_id: 'c0', amount: 4.9 },
    { sales_order_charge_id: 'c1', amount: 2 },
  ])
  const usd = placed(wooOrder(woo.exclusive))
  const one = refundOf(woo.refunds, 'exclusive', 'one comes back')
  t.deepEqual(wooRefund(one, usd, { restock: false }).items, [
    { sales_order_item_id: 'i0', quantity: 1, restock: false },
  ])
  t.deepEqual(wooRefund(one, placed(wooOrder(woo.exclusive), { shipped: false })).items, [
    { sales_order_item_id: 'i0', quantity: 0, amount: 4.17 },
  ])
})

test('a tax that Millrace would count otherwise is an error, unless the program allows it', t => {
  const order = placed(shopifyOrder(shopify.exclusive))
  const sample = refundOf(shopify.refunds, 'exclusive', 'one comes back')
  const [line] = sample.refund_line_items ?? []
  const other = {
    ...sample,
    refund_line_items: line ? [{ ...line, total_tax_set: { shop_money: { amount: '3.01' } } }] : [],
    transactions: [{ kind: 'refund', status: 'success', amount: '23.00' }],
  }
  t.is(
    t.throws(() => shopifyRefund(other, order), { instanceOf: ShopFieldError })?.message,
    'refund_line_items[0]: the tax on 19.99 is 3.01 in the shop, but 2.99 in Millrace',
  )
  const allowed = shopifyRefund(other, order, { allowTaxDifference: true })
  t.is(returned([allowed], order)[0]?.refund_amount_with_tax, 22.98)
})

test('a refund in the customer’s currency is that of the shop’s, unless not all of it was paid', t => {
  const order = placed(shopifyOrder(shopify.exclusive))
  const sample = refundOf(shopify.refunds, 'exclusive', 'one comes back')
  const [line] = sample.refund_line_items ?? []
  const abroad = {
    ...sample,
    // A result of binary floating point.
    refund_line_items: line ? [{ ...line, subtotal: 19.990000000000002 }] : [],
    transactions: [{ kind: 'refund', status: 'success', amount: '15.20', currency: 'EUR' }],
  }
  t.deepEqual(shopifyRefund(abroad, order).items, [{ sales_order_item_id: 'i0', quantity: 1 }])
  const lessPaid = {
    ...abroad,
    order_adjustments: [{ kind: 'refund_discrepancy', amount: '2.00', tax_amount: '0.00' }],
  }
  t.is(
    t.throws(() => shopifyRefund(lessPaid, order), { instanceOf: ShopFieldError })?.message,
    'transactions: 20.98 is paid back, but the lines come to 22.98',
  )
})

test('money that belongs to no line, and pieces that nobody has, are errors that name the field', t => {
  const inclusive = placed(shopifyOrder(shopify.inclusive))
  const unsent = placed(shopifyOrder(shopify.inclusive), { shipped: false })
  const wooPlaced = placed(wooOrder(woo.inclusive))
  const one = refundOf(shopify.refunds, 'inclusive', 'one comes back')
  const nothing = refundOf(shopify.refunds, 'inclusive', '5 EUR of nothing')
  const faults: readonly (readonly [() => unknown, string])[] = [
    [() => shopifyRefund(nothing, inclusive), 'transactions: 5 is paid back, but the lines come to 0'],
    [() => shopifyRefund(one, unsent), 'refund_line_items[0]: 1 are refunded, but 0 have been shipped'],
    [
      () => shopifyRefund({ ...one, transactions: [] }, inclusive),
      'transactions: 0 is paid back, but the lines come to 11.39',
    ],
    [() => shopifyRefund(one, wooPlaced), 'refund_line_items[0]: the order has no line with the external_ref 9001002'],
    [
      () => wooRefund(refundOf(woo.refunds, 'inclusive', '5 EUR of nothing'), wooPlaced),
      'amount: 5 is paid back, but the lines come to 0',
    ],
  ]
  for (const [run, message] of faults) t.is(t.throws(run, { instanceOf: ShopFieldError })?.message, message)
})
