/** The demo roastery's places, products and opening stock, and a first delivery to its shop. */

import type { DemoIds, Write } from '../../kit/documents/examples.ts'
import { places, products } from './catalogue.ts'

/** Three places, nine products. */
export async function fillPlacesAndProducts(write: Write): Promise<void> {
  // The first place is the main place, so it allows everything: a first order needs no choice of places.
  for (const name of ['roastery', 'shop', 'warehouse'] as const)
    await write('/storage-places', places[name], `place-${name}`)
  for (const [name, body] of Object.entries(products)) await write('/products', body, `product-${name}`)
}

/** Two opening adjustments and two transfers: to the shop, and green coffee to the roastery. */
export async function fillStock(write: Write, { variant, place }: DemoIds, externalRef: string): Promise<void> {
  const line = (sku: string, fields: Record<string, unknown>) => ({ item_variant_id: variant(sku), ...fields })
  const opening = { reason: 'INITIAL', notes: 'Opening stock' }
  await write(
    '/stock-adjustments',
    {
      ...opening,
      storage_place_id: place('GREEN'),
      items: [
        line('GRN-SID', { quantity: 180, unit_cost: 7.15, batch_number: 'SID-26-1', expiry_date: '2031-03-31' }),
        line('GRN-SID', { quantity: 60, unit_cost: 7.4, batch_number: 'SID-26-2', expiry_date: '2031-06-30' }),
        line('GRN-SAN', { quantity: 300, unit_cost: 5.35, batch_number: 'SAN-26-1', expiry_date: '2031-05-31' }),
      ],
    },
    'opening-warehouse',
  )
  await write(
    '/stock-adjustments',
    {
      ...opening,
      storage_place_id: place('ROAST'),
      items: [
        line('BAG-250', { quantity: 2_000, unit_cost: 0.118 }),
        line('LBL-01', { quantity: 3_500, unit_cost: 0.035 }),
        line('ESP-BEAN', { quantity: 120, unit_cost: 3.42, batch_number: 'ESP-0001', expiry_date: '2030-12-31' }),
        line('FIL-SID', { quantity: 45.5, unit_cost: 3.9, batch_number: 'FIL-0001', expiry_date: '2030-11-30' }),
        line('DRP-WHT', { quantity: 24, unit_cost: 11.5 }),
        line('DRP-BLK', { quantity: 18, unit_cost: 11.5 }),
      ],
    },
    'opening-roastery',
  )
  await write(
    '/stock-transfers',
    {
      from_storage_place_id: place('GREEN'),
      to_storage_place_id: place('ROAST'),
      notes: 'Green coffee for the week',
      items: [line('GRN-SAN', { quantity: 60 }), line('GRN-SID', { quantity: 70 })],
    },
    'transfer-roastery',
  )
  await write(
    '/stock-transfers',
    {
      external_ref: externalRef,
      from_storage_place_id: place('ROAST'),
      to_storage_place_id: place('SHOP'),
      notes: 'First delivery to the shop',
      items: [
        line('ESP-BEAN', { quantity: 40 }),
        line('FIL-SID', { quantity: 15 }),
        line('DRP-WHT', { quantity: 6 }),
        line('DRP-BLK', { quantity: 6 }),
      ],
    },
    'transfer-to-shop',
  )
}
