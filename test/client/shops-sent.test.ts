/** Orders and refunds of shops that are sent to a service: it computes the shop's total, and pays back what the shop paid back. */
import fc from 'fast-check'
import type { CreateSalesOrderBody } from '../../client/src/index.ts'
import {
  type OrderBody,
  type PlacedOrder,
  type PlacedReturn,
  type ReturnBody,
  shopifyOrder,
  shopifyRefund,
  wooOrder,
  wooRefund,
} from '../../client/src/shops/index.ts'
import { type Send, sendOver } from '../../lib/tools/demo/client.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { cart, shopifyOf, wooOf } from './shops/carts.ts'
import { refundOf, shopify, woo } from './shops/samples.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

type Order = PlacedOrder & { readonly total_amount_with_tax: number }
type Returned = { readonly sales_return: { readonly id: string; readonly refund_amount_with_tax: number } }

/** A tenant that has stock of these skus. */
async function tenantWith(skus: readonly string[]): Promise<Send> {
  const { url, token } = await service.tenant()
  const send = sendOver(url, token)
  for (const sku of skus) await send('POST', '/products', { title: sku, sku }, sku)
  const items = skus.map(sku => ({ sku, quantity: 10_000 }))
  await send('POST', '/stock-adjustments', { items }, 'stock')
  return send
}

const skusOf = (body: OrderBody): string[] => [...new Set(body.items.flatMap(({ sku }) => sku ?? []))]

/** The compiler checks the body against the client's own type. */
const place = (send: Send, body: OrderBody & CreateSalesOrderBody): Promise<Order> =>
  send('POST', '/sales-orders', body, `order ${body.external_ref}`) as Promise<Order>

async function ship(send: Send, { id }: Order): Promise<Order> {
  await send('POST', `/sales-orders/${id}/shipments`, {}, `shipment ${id}`)
  return send('GET', `/sales-orders/${id}`) as Promise<Order>
}

/** Makes the shop's refunds one after another. Returns the money of each. */
async function payBack(
  send: Send,
  order: Order,
  refunds: readonly ((returns: readonly PlacedReturn[]) => ReturnBody)[],
): Promise<number[]> {
  const paid: number[] = []
  for (const refund of refunds) {
    const { data } = (await send('GET', `/sales-returns?sales_order_id=${order.id}`)) as { data: PlacedReturn[] }
    const body = refund(data)
    const { sales_return } = (await send('POST', '/sales-returns', body, body.external_ref)) as Returned
    await send('POST', `/sales-returns/${sales_return.id}/receive`, {}, `received ${sales_return.id}`)
    paid.push(sales_return.refund_amount_with_tax)
  }
  return paid
}

test('the samples of both shops become orders of their totals', async t => {
  const bodies = [
    shopifyOrder(shopify.inclusive),
    shopifyOrder(shopify.exclusive),
    wooOrder(woo.inclusive),
    wooOrder(woo.exclusive),
  ]
  for (const body of bodies) {
    const order = await place(await tenantWith(skusOf(body)), body)
    t.is(order.total_amount_with_tax, body.expected_total_amount_with_tax)
    t.deepEqual(
      order.items.map(({ external_ref }) => external_ref),
      body.items.map(({ external_ref }) => external_ref),
    )
  }
})

test('the refunds of a Shopify order pay back what the shop paid back', async t => {
  const body = shopifyOrder(shopify.inclusive)
  const send = await tenantWith(skusOf(body))
  const order = await ship(send, await place(send, body))
  const refund = (name: string) => (returns: readonly PlacedReturn[]) =>
    shopifyRefund(refundOf(shopify.refunds, 'inclusive', name), order, { returns })
  t.deepEqual(
    await payBack(
      send,
      order,
      ['one comes back', 'one is kept', 'a grinder at half its price', 'shipping alone', 'the tip'].map(refund),
    ),
    [11.39, 11.38, 17.06, 4.9, 3],
  )
})

test('pieces that were never sent are paid back without goods', async t => {
  const body = shopifyOrder(shopify.exclusive)
  const send = await tenantWith(skusOf(body))
  const order = await place(send, body)
  const refund = refundOf(shopify.refunds, 'exclusive', 'two before they are sent')
  t.deepEqual(await payBack(send, order, [returns => shopifyRefund(refund, order, { returns })]), [45.97])
})

test('the refunds of a WooCommerce order pay back what the shop paid back', async t => {
  const body = wooOrder(woo.inclusive)
  const send = await tenantWith(skusOf(body))
  const order = await ship(send, await place(send, body))
  const refund = (name: string) => (returns: readonly PlacedReturn[]) =>
    wooRefund(refundOf(woo.refunds, 'inclusive', name), order, { returns })
  t.deepEqual(
    await payBack(send, order, ['one comes back', 'money for a blemish', 'shipping and wrapping'].map(refund)),
    [8.99, 5, 6.9],
  )
})

test('random carts of both shops become orders of their totals', async t => {
  const skus = Array.from({ length: 6 }, (_, at) => `SKU-${at}`)
  const send = await tenantWith(skus)
  let count = 0
  const order = fc.oneof(
    cart.map(of => shopifyOrder(shopifyOf(of))),
    fc
      .tuple(cart, fc.boolean(), fc.constantFrom(2 as const, 6 as const))
      .map(([of, byLine, dp]) => wooOrder(wooOf(of, { byLine, dp }))),
  )
  await fc.assert(
    fc.asyncProperty(order, async body => {
      count++
      const placed = await place(send, { ...body, external_ref: `${count}` })
      t.is(placed.total_amount_with_tax, body.expected_total_amount_with_tax)
    }),
    { numRuns: 60 },
  )
})
