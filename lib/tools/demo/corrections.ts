/** The demo roastery's corrections: an order changes, and wrong bookings are reversed. */
import type { DemoIds, Made, Write } from '../../kit/documents/examples.ts'

type Order = Made & { readonly items: readonly Made[] }
type Adjustment = Made & { readonly items: readonly { readonly batch_id: string }[] }

/**
 * A late order of labels with a wrong receipt; a transfer that never happened; a batch with a mistyped number; and a breakage that was
 * booked twice.
 */
export async function fillCorrections(write: Write, { variant, place }: DemoIds, externalRef: string): Promise<void> {
  const labels = await write<Order>(
    '/purchase-orders',
    {
      supplier: { title: 'Etiketten Nord', country_code: 'DE' },
      expected_date: '2031-05-06',
      items: [{ item_variant_id: variant('LBL-01'), quantity: 500, price: 0.04, tax_rate: 19 }],
    },
    'labels',
  )
  await write(`/purchase-orders/${labels.id}`, { expected_date: '2031-05-20' }, 'labels-late', 'PATCH')
  const receipts = `/purchase-orders/${labels.id}/receipts`
  const arrived = (quantity: number) => ({
    storage_place_id: place('ROAST'),
    items: [{ purchase_order_item_id: labels.items[0]?.id, quantity }],
  })
  const wrong = await write(receipts, arrived(300), 'labels-wrong')
  await write(`/purchase-receipts/${wrong.id}/reverse`, { reason: '30 came, not 300' }, 'labels-wrong-reversed')
  await write(receipts, arrived(30), 'labels-right')

  const moved = await write(
    '/stock-transfers',
    {
      from_storage_place_id: place('SHOP'),
      to_storage_place_id: place('ROAST'),
      items: [{ item_variant_id: variant('DRP-BLK'), quantity: 1 }],
    },
    'moved',
  )
  await write(`/stock-transfers/${moved.id}/reverse`, { reason: 'It stayed in the shop' }, 'moved-reversed')

  const found = await write<Adjustment>(
    '/stock-adjustments',
    {
      storage_place_id: place('GREEN'),
      reason: 'OTHER',
      items: [{ item_variant_id: variant('GRN-SAN'), quantity: 2, unit_cost: 6, batch_number: 'SAN-62-3' }],
    },
    'found',
  )
  await write(`/batches/${found.items[0]?.batch_id}`, { number: 'SAN-26-3' }, 'found-number', 'PATCH')

  const broken = {
    storage_place_id: place('SHOP'),
    reason: 'DAMAGE',
    notes: 'Broken in the shop',
    items: [{ item_variant_id: variant('DRP-BLK'), quantity: -1 }],
  }
  const twice = await write('/stock-adjustments', broken, 'broken-twice')
  await write(`/stock-adjustments/${twice.id}/reverse`, { reason: 'Booked twice' }, 'broken-twice-reversed')
  await write('/stock-adjustments', { ...broken, external_ref: externalRef }, 'broken')
}
