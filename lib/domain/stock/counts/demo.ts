/** The demo's stock counts: one of the shop that is completed, and two that are open. */
import type { DemoIds, DemoStep, Write } from '../../../kit/documents/examples.ts'

/** In the shop a dripper is missing. In the roastery bags are missing and labels were found; those differences are not booked yet. */
async function fillCounts(write: Write, { variant, place }: DemoIds, externalRef: string): Promise<void> {
  const counted = (sku: string, quantity: number) => ({ item_variant_id: variant(sku), counted_quantity: quantity })
  const shop = await write(
    '/stock-counts',
    {
      title: 'Shop, end of the month',
      storage_place_id: place('SHOP'),
      items: [counted('DRP-WHT', 5), counted('DRP-BLK', 5)],
    },
    'count-shop',
  )
  await write(`/stock-counts/${shop.id}/complete`, {}, 'count-shop-completed')
  await write(
    '/stock-counts',
    {
      title: 'Roastery, packing material',
      storage_place_id: place('ROAST'),
      items: [counted('BAG-250', 1_800), counted('LBL-01', 3_600), counted('DRP-WHT', 18)],
    },
    'count-roastery',
  )
  await write(
    '/stock-counts',
    {
      title: 'Warehouse, green coffee',
      storage_place_id: place('GREEN'),
      external_ref: externalRef,
      items: [{ ...counted('GRN-SAN', 120), batch_number: 'SAN-26-2' }],
    },
    'count-warehouse',
  )
}

export const demo: readonly DemoStep[] = [
  {
    name: 'counts',
    after: 'landed costs',
    last: { path: '/stock-counts', externalRef: 'demo-counts' },
    fill: fillCounts,
  },
]
