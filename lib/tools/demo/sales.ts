/** The demo roastery's sales: customers, orders in each stage of delivery, and a return. */
import type { DemoIds, Made, Write } from '../../kit/documents/examples.ts'

type Order = Made & { readonly items: readonly Made[] }
type Return = { readonly sales_return: Made }

/**
 * Three customers with addresses. Orders: one with a discount and a charge for shipping, shipped by a carrier, with returned goods; one
 * partly shipped, with more of it packed; one of a kit; an open one that reserves; one for more than there is. Also two announced returns, and a webhook
 * subscription that sends nothing.
 */
export async function fillSales(write: Write, { variant }: DemoIds, externalRef: string): Promise<void> {
  const customer = (title: string, email: string, name: string, line_1: string) => {
    const address = { name: title, line_1, zip: '28203', city: 'Bremen', country_code: 'DE' }
    const addresses = { shipping_address: address, billing_address: address }
    const body = { title, country_code: 'DE', email, external_ref: name, ...addresses }
    return write('/customers', body, `customer-${name}`)
  }
  const line = (sku: string, quantity: number, taxRate: number) => ({
    item_variant_id: variant(sku),
    quantity,
    tax_rate: taxRate,
  })
  const order = (body: object, name: string) => write<Order>('/sales-orders', body, `sale-${name}`)

  const cafe = await customer('Café am Osterdeich', 'kueche@osterdeich.example', 'cafe', 'Osterdeich 64')
  const shipped = await order(
    {
      customer_id: cafe.id,
      items: [{ ...line('ESP-BEAN', 30, 7), discount_percent: 5 }, line('FIL-SID', 12, 7)],
      charges: [{ title: 'Shipping', amount: 4.9, tax_rate: 19 }],
    },
    'shipped',
  )
  const shipment = await write(
    `/sales-orders/${shipped.id}/shipments`,
    { carrier: 'Weser Kurier', tracking_number: 'WK-2026-4711' },
    'sale-shipped-shipment',
  )
  const tracking = { tracking_url: 'https://kurier.example/parcels/WK-2026-4711' }
  await write(`/sales-shipments/${shipment.id}`, tracking, 'sale-shipped-tracking', 'PATCH')
  const back = await write<Return>(
    '/sales-returns',
    {
      sales_order_id: shipped.id,
      items: [
        { sales_order_item_id: shipped.items[0]?.id, quantity: 2, reason: 'Bag torn', quarantine: true },
        { sales_order_item_id: shipped.items[1]?.id, quantity: 1, reason: 'Ordered too much' },
      ],
    },
    'return',
  )
  await write(`/sales-returns/${back.sales_return.id}/receive`, {}, 'return-receive')

  const hotel = await customer('Hotel Schlachte', 'einkauf@schlachte.example', 'hotel', 'Schlachte 12')
  const part = await order({ customer_id: hotel.id, items: [line('ESP-BEAN', 40, 7), line('DRP-WHT', 4, 19)] }, 'part')
  await write(
    `/sales-orders/${part.id}/shipments`,
    { items: [{ sales_order_item_id: part.items[0]?.id, quantity: 25 }] },
    'sale-part-shipment',
  )
  await write(
    `/sales-orders/${part.id}/packings`,
    { items: [{ sales_order_item_id: part.items[1]?.id, quantity: 4 }] },
    'sale-part-packing',
  )

  await order({ customer_id: cafe.id, items: [line('SET-FIL', 2, 19)] }, 'sets')

  const market = await customer('Beans and More', 'orders@beans.example', 'market', 'Am Markt 3')
  await order(
    {
      external_ref: externalRef,
      metadata: { channel: 'web shop', voucher: 'SPRING-10' },
      customer_id: market.id,
      priority: 5,
      allow_backorder: false,
      items: [line('ESP-BEAN', 8, 7), line('DRP-BLK', 2, 19), line('CUP-01', 2, 19)],
    },
    'open',
  )
  await order(
    {
      customer_id: hotel.id,
      delivery_date: '2031-06-14',
      items: [line('ESP-BEAN', 320, 7), line('FIL-SID', 90, 7), line('ESP-GRND', 25, 7)],
    },
    'festival',
  )

  for (const [quantity, reason, name] of [
    [1, 'Bag torn', 'announced'],
    [2, 'Ordered too much', 'another-announced'],
  ] as const) {
    const items = [{ sales_order_item_id: part.items[0]?.id, quantity, reason }]
    await write('/sales-returns', { sales_order_id: part.id, items }, `return-${name}`)
  }
  await write(
    '/webhook-subscriptions',
    {
      url: 'https://example.com/hooks/roastery',
      events: ['sales_order.shipped'],
      description: 'Tells the shop what has left; switched off until its address is right',
      enabled: false,
    },
    'subscription',
  )
  await write(
    `/sales-orders/${part.id}/shipments`,
    { items: [{ sales_order_item_id: part.items[1]?.id, quantity: 1 }] },
    'sale-part-sample',
  )
}
