/** Orders of two shops as bodies of this API: each field and each cent is equal, and an order for which that is impossible is an error. */

import { minorUnit } from '../../client/src/shops/decimal.ts'
import type { ShopifyOrder, WooOrder } from '../../client/src/shops/index.ts'
import { ShopFieldError, shopifyOrder, wooOrder } from '../../client/src/shops/index.ts'
import { isCurrency, minorUnitDigits } from '../../lib/domain/accounting/currencies.ts'
import { testsOf } from '../support/suite.ts'
import { placed } from './shops/counted.ts'
import { shopify, woo } from './shops/samples.ts'

const test = testsOf(import.meta)

test('a Shopify order with taxes in its prices', t => {
  const body = shopifyOrder(shopify.inclusive)
  t.deepEqual(body, {
    external_ref: '5550001112001',
    customer: { title: 'Kim Muster', email: 'kim@example.com', country_code: 'DE', external_ref: '7770001' },
    currency: 'EUR',
    prices_include_tax: true,
    ordered_at: '2026-11-02T09:15:30+01:00',
    notes: 'Please ring twice.',
    metadata: { shop_order: '#1042' },
    shipping_address: {
      name: 'Kim Muster',
      line_1: 'Example Street 1',
      city: 'Bremen',
      zip: '28195',
      country_code: 'DE',
      phone: '+49 421 0000000',
    },
    billing_address: {
      name: 'Kim Muster',
      company: 'Muster Office',
      line_1: 'Example Street 1',
      line_2: '2nd floor',
      city: 'Bremen',
      zip: '28195',
      country_code: 'DE',
      phone: '+49 421 0000000',
    },
    items: [
      {
        sku: 'GRINDER-S',
        quantity: 2,
        price: 39.95,
        // 5.00 of the line, and 6.66 of the order's 10.00.
        discount_amount: 11.66,
        taxes: [{ title: 'MwSt', rate: 19, amount: 10.9 }],
        external_ref: '9001001',
      },
      {
        sku: 'FIL-SID',
        quantity: 3,
        price: 12.5,
        discount_amount: 3.34,
        taxes: [{ title: 'MwSt', rate: 7, amount: 2.23 }],
        external_ref: '9001002',
      },
      { title: 'Gift card - 25 EUR', quantity: 1, price: 25, external_ref: '9001003' },
    ],
    charges: [
      { title: 'Tip', amount_with_tax: 3, external_ref: 'tip:9001004' },
      {
        title: 'Parcel',
        amount_with_tax: 4.9,
        taxes: [{ title: 'MwSt', rate: 19, amount: 0.78 }],
        external_ref: 'shipping:8001001',
      },
    ],
    expected_total_amount_with_tax: 135.3,
  })
  t.is(placed(body).total_amount_with_tax, 135.3)
})

test('a Shopify order with two taxes on top, an article of its own, a duty, and a discount on shipping', t => {
  const body = shopifyOrder(shopify.exclusive)
  const { items, charges, customer, billing_address } = body
  t.deepEqual(items, [
    {
      sku: 'ESP-500',
      quantity: 3,
      price: 19.99,
      taxes: [
        { title: 'GST', rate: 5, amount: 3 },
        { title: 'QST', rate: 9.975, amount: 5.98 },
      ],
      external_ref: '9002001',
    },
    {
      title: 'Gift wrapping',
      quantity: 1,
      price: 5,
      taxes: [
        { title: 'GST', rate: 5, amount: 0.25 },
        { title: 'QST', rate: 9.975, amount: 0.5 },
      ],
      external_ref: '9002002',
    },
  ])
  t.deepEqual(charges, [
    { title: 'Duty', amount: 4.1, external_ref: 'duty:6600001' },
    {
      title: 'Express',
      amount: 10,
      taxes: [
        { title: 'GST', rate: 5, amount: 0.5 },
        { title: 'QST', rate: 9.975, amount: 1 },
      ],
      external_ref: 'shipping:8002001',
    },
  ])
  t.deepEqual(customer, { title: 'Sam Sample', email: 'sam@example.com', phone: '+1 514 000 0000', country_code: 'CA' })
  t.is(billing_address, null)
  t.is(body.expected_total_amount_with_tax, 90.3)
  t.is(placed(body).total_amount_with_tax, 90.3)
})

test('a WooCommerce order with taxes in its prices, a coupon, shipping and a fee', t => {
  const body = wooOrder(woo.inclusive)
  t.deepEqual(body, {
    external_ref: '1717',
    customer: {
      title: 'Robin Beispiel',
      email: 'robin@example.com',
      phone: '+49 40 0000000',
      country_code: 'DE',
      external_ref: '26',
    },
    currency: 'EUR',
    prices_include_tax: true,
    ordered_at: '2026-11-04T10:22:33Z',
    notes: 'Leave it with the neighbours.',
    metadata: { shop_order: '1717' },
    shipping_address: hamburg,
    billing_address: hamburg,
    items: [
      {
        sku: 'DRIPPER-1',
        quantity: 3,
        price: 9.99,
        discount_amount: 3,
        taxes: [{ title: 'MwSt 19%', rate: 19, amount: 4.31 }],
        external_ref: '315',
      },
      {
        sku: 'FIL-SID',
        quantity: 1,
        price: 15,
        discount_amount: 1.5,
        taxes: [{ title: 'MwSt 7%', rate: 7, amount: 0.88 }],
        external_ref: '316',
      },
    ],
    charges: [
      {
        title: 'Parcel',
        amount_with_tax: 4.9,
        taxes: [{ title: 'MwSt 19%', rate: 19, amount: 0.78 }],
        external_ref: 'shipping:317',
      },
      {
        title: 'Gift wrapping',
        amount_with_tax: 2,
        taxes: [{ title: 'MwSt 19%', rate: 19, amount: 0.32 }],
        external_ref: 'fee:318',
      },
    ],
    expected_total_amount_with_tax: 47.37,
  })
  t.is(placed(body).total_amount_with_tax, 47.37)
})

const hamburg = {
  name: 'Robin Beispiel',
  company: 'Beispiel Bikes',
  line_1: 'Musterweg 7',
  city: 'Hamburg',
  region: 'DE-HH',
  zip: '20095',
  country_code: 'DE',
  phone: '+49 40 0000000',
}

test('a WooCommerce order of a guest whose lines, rounded one by one, are a cent more than its total', t => {
  const body = wooOrder(woo.exclusive)
  t.deepEqual(body.items, [
    {
      sku: 'CAN-1',
      quantity: 3,
      price: 4.166667,
      taxes: [
        { title: 'State tax', rate: 6.25, amount: 0.78 },
        { title: 'City tax', rate: 1.5, amount: 0.19 },
      ],
      external_ref: '401',
    },
    {
      title: 'Engraving',
      quantity: 1,
      price: 4.17,
      taxes: [
        { title: 'State tax', rate: 6.25, amount: 0.26 },
        { title: 'City tax', rate: 1.5, amount: 0.06 },
      ],
      external_ref: '402',
    },
  ])
  t.deepEqual(body.charges, [
    { title: 'Ground', amount: 5, external_ref: 'shipping:403' },
    { title: 'Rounding', amount: -0.01 },
  ])
  t.deepEqual(body.customer, { title: 'Sample Cafe', email: 'orders@example.com', country_code: 'US' })
  t.is(body.shipping_address, null)
  t.is(placed(body).total_amount_with_tax, 22.95)
})

test('of several shops each has a prefix, and a line without a sku is named by the program', t => {
  const [first, ...others] = shopify.inclusive.line_items
  const order = { ...shopify.inclusive, line_items: [{ ...first, sku: '' }, ...others] } as ShopifyOrder
  const body = shopifyOrder(order, {
    prefix: 'eu-',
    variantOf: ({ variant_id }) => (variant_id === 3301 ? '17' : undefined),
  })
  t.is(body.external_ref, 'eu-5550001112001')
  t.is(body.customer.external_ref, 'eu-7770001')
  t.deepEqual(
    body.items.map(({ item_variant_id, sku, external_ref }) => item_variant_id ?? sku ?? external_ref),
    ['17', 'FIL-SID', '9001003'],
  )
  t.is(wooOrder(woo.inclusive, { prefix: 'shop-', variantOf: () => '18' }).items[1]?.item_variant_id, '18')
})

const ofShopify = (changes: object): ShopifyOrder => ({ ...shopify.exclusive, ...changes })
const ofWoo = (changes: object): WooOrder => ({ ...woo.inclusive, ...changes })
const firstLine = (changes: object) => [
  { ...shopify.exclusive.line_items[0], ...changes },
  ...shopify.exclusive.line_items.slice(1),
]
const firstWooLine = (changes: object) => [
  { ...woo.inclusive.line_items[0], ...changes },
  ...woo.inclusive.line_items.slice(1),
]

test('what cannot be said exactly is an error that names the field', t => {
  const ofOrder = (changes: object) => () => shopifyOrder(ofShopify(changes))
  const ofLine = (changes: object) => ofOrder({ line_items: firstLine(changes) })
  const ofTax = (tax: object) => ofLine({ tax_lines: [{ title: 'T', ...tax }] })
  const ofWooOrder = (changes: object) => () => wooOrder(ofWoo(changes))
  const ofWooLine = (changes: object) => ofWooOrder({ line_items: firstWooLine(changes) })
  const at0 = 'line_items[0]'
  for (const [run, message] of [
    [ofOrder({ total_price: '90.31' }), 'total_price: is 90.31, but lines and charges come to 90.3'],
    [ofLine({ sku: ' ' }), `${at0}.sku: is empty: name the variant with variantOf`],
    [ofLine({ price: '19.9900001' }), `${at0}.price: 19.9900001 has more than 6 decimals`],
    [ofLine({ price: '1e2' }), `${at0}.price: 1e2 is no plain decimal`],
    [ofTax({ rate: 0.07, price: '1.005' }), `${at0}.tax_lines[0].price: 1.005 has more decimals than the currency`],
    [ofTax({ rate: 0.0725001, price: '1' }), `${at0}.tax_lines[0].rate: 0.0725001 has more than 6 decimals`],
    [ofLine({ discount_allocations: [{ amount: '60.00' }] }), `${at0}: a discount of 60 on goods for 59.97`],
    [ofOrder({ taxes_included: true, line_items: firstLine({ price: '1.00' }) }), `${at0}: a tax of 8.98 on 3`],
    [ofWooOrder({ total: '47.47' }), 'total: is 47.47, but lines and charges come to 47.37'],
    [ofWooOrder({ line_items: [] }), 'line_items: is empty'],
    [ofWooOrder({ tax_lines: woo.inclusive.tax_lines?.slice(0, 1) }), 'tax_lines: has no rate 5, which a line has'],
    [ofWooLine({ sku: '' }), `${at0}.sku: is empty: name the variant with variantOf`],
    [
      ofWooLine({ taxes: [{ id: 4, total: '9' }] }),
      'tax_lines[0].tax_total: is 4.63, but the taxes of the lines come to 9.319328',
    ],
  ] as const)
    t.is(t.throws(run, { instanceOf: ShopFieldError })?.message, message)
})

test('numbers of many pieces and of currencies without cents come out as well', t => {
  const order = ofShopify({
    currency: 'JPY',
    shipping_lines: [],
    line_items: [
      {
        id: 1,
        variant_id: 2,
        sku: 'A',
        quantity: 3,
        price: '333',
        tax_lines: [{ title: 'JCT', rate: 0.1, price: '99' }],
      },
    ],
    total_price: '1098',
  })
  t.is(placed(shopifyOrder(order)).total_amount_with_tax, 1098)
  const many = ofWoo({
    prices_include_tax: false,
    shipping_lines: [],
    fee_lines: [],
    tax_lines: [],
    line_items: [
      { id: 1, product_id: 2, sku: 'A', quantity: 700_001, subtotal: '1000.00', total: '999.99', taxes: [] },
    ],
    total: '999.99',
  })
  t.is(placed(wooOrder(many)).total_amount_with_tax, 999.99)
})

test('every currency has the decimals that the service knows', t => {
  for (const [a, b, c] of letters()) {
    const code = `${a}${b}${c}`
    if (isCurrency(code)) t.is(minorUnit(code), 10n ** BigInt(6 - minorUnitDigits(code)), code)
  }
})

function* letters(): Generator<readonly [string, string, string]> {
  const all = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const a of all) for (const b of all) for (const c of all) yield [a, b, c]
}
