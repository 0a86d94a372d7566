/** The demo's refund: an order of the web shop with a voucher, which is paid back in part. */
import type { DemoIds, DemoStep, Made, Write } from '../../../kit/documents/examples.ts'

type Sold = Made & { readonly items: readonly Made[]; readonly charges: readonly Made[] }

/** The order has prices with tax, a gift wrapping and a voucher. One of two drippers comes back, and the shipping is refunded. */
async function fillRefund(write: Write, { variant, place }: DemoIds, externalRef: string): Promise<void> {
  const sold = await write<Sold>(
    '/sales-orders',
    {
      external_ref: 'SHOP-1007',
      customer: { title: 'Ida Behrens', country_code: 'DE', email: 'ida@behrens.example' },
      prices_include_tax: true,
      items: [
        {
          item_variant_id: variant('DRP-BLK'),
          quantity: 2,
          price: 28.56,
          tax_rate: 19,
          storage_place_id: place('SHOP'),
          external_ref: 'L-20071',
        },
        { title: 'Gift wrapping', quantity: 1, price: 2.5, tax_rate: 19 },
      ],
      charges: [
        { title: 'Shipping', amount_with_tax: 4.9, tax_rate: 19, external_ref: 'shipping:1' },
        { title: 'Voucher SPRING', amount_with_tax: -5, tax_rate: 19 },
      ],
    },
    'web-shop-sale',
  )
  await write(`/sales-orders/${sold.id}/shipments`, {}, 'web-shop-shipment')
  const back = await write<{ readonly sales_return: Made }>(
    '/sales-returns',
    {
      external_ref: externalRef,
      sales_order_id: sold.id,
      items: [{ sales_order_item_id: sold.items[0]?.id, quantity: 1, reason: 'Does not fit the jug' }],
      charges: [{ sales_order_charge_id: sold.charges[0]?.id }],
    },
    'web-shop-refund',
  )
  await write(`/sales-returns/${back.sales_return.id}/receive`, {}, 'web-shop-refund-receive')
}

export const demo: readonly DemoStep[] = [
  {
    name: 'refund',
    after: 'corrections',
    last: { path: '/sales-returns', externalRef: 'demo-refund' },
    fill: fillRefund,
  },
]
