/** The landed costs of the demo's roastery: freight on drippers of which half are sold already, and duty that was booked by mistake. */
import type { DemoIds, DemoStep, Made, Write } from '../../../kit/documents/examples.ts'

type Order = Made & { readonly items: readonly Made[] }

/**
 * The shop has 6 drippers, gets 12 more, and sells 12. Then the forwarder's invoice comes. 6 drippers are left, so half of the cost is
 * expensed.
 */
async function fillLandedCosts(write: Write, { variant, place }: DemoIds, externalRef: string): Promise<void> {
  const order = await write(
    '/purchase-orders',
    {
      supplier: { title: 'Hario Europe', country_code: 'NL' },
      items: [{ item_variant_id: variant('DRP-WHT'), quantity: 12, price: 9.5 }],
    },
    'drippers',
  )
  const receipts = `/purchase-orders/${order.id}/receipts`
  const receipt = await write(receipts, { storage_place_id: place('ROAST') }, 'drippers-receipt')
  await write(
    '/stock-transfers',
    {
      from_storage_place_id: place('ROAST'),
      to_storage_place_id: place('SHOP'),
      items: [{ item_variant_id: variant('DRP-WHT'), quantity: 12 }],
    },
    'drippers-moved',
  )
  const sale = await write<Order>(
    '/sales-orders',
    {
      customer: { title: 'Kaffeekontor Vegesack', country_code: 'DE' },
      items: [{ item_variant_id: variant('DRP-WHT'), quantity: 12, tax_rate: 19, storage_place_id: place('SHOP') }],
    },
    'drippers-sale',
  )
  await write(`/sales-orders/${sale.id}/shipments`, {}, 'drippers-shipment')

  const goods = { purchase_receipt_id: receipt.id, storage_place_id: place('SHOP') }
  const duty = { ...goods, items: [{ title: 'Duty', amount: 14.2 }] }
  const mistake = await write('/landed-costs', duty, 'drippers-duty')
  const reason = 'Goods of the Union: no duty'
  await write(`/landed-costs/${mistake.id}/reverse`, { reason }, 'drippers-duty-reversed')
  await write(
    '/landed-costs',
    {
      external_ref: externalRef,
      ...goods,
      notes: 'Invoice 7731 of the forwarder',
      currency: 'USD',
      exchange_rate: 0.9,
      items: [
        { title: 'Freight', amount: 34 },
        { title: 'Unloading', amount: 6, distribution: 'QUANTITY' },
      ],
    },
    'drippers-freight',
  )
}

export const demo: readonly DemoStep[] = [
  {
    name: 'landed costs',
    after: 'holds',
    last: { path: '/landed-costs', externalRef: 'demo-landed-costs' },
    fill: fillLandedCosts,
  },
]
