/** The demo roastery's purchases: suppliers and their items, received green coffee, and expected packaging. */
import type { DemoIds, Made, Write } from '../../kit/documents/examples.ts'

/**
 * Three suppliers, two of which sell by the carton and the box. Three orders: one in dollars, received as a batch into the warehouse; one
 * of five boxes, of which two and some pieces of a third arrived; an open one with a discount.
 */
export async function fillPurchasing(write: Write, { variant, place }: DemoIds, externalRef: string): Promise<void> {
  const santos = await write(
    '/suppliers',
    { title: 'Santos Trading', country_code: 'BR', email: 'export@santos.example', currency: 'USD' },
    'supplier-santos',
  )
  const packaging = await write(
    '/suppliers',
    {
      title: 'Weser Verpackung',
      country_code: 'DE',
      email: 'office@weser.example',
      currency: 'EUR',
      external_ref: 'weser',
      address: { line_1: 'Hafenstraße 8', zip: '28217', city: 'Bremen', country_code: 'DE' },
    },
    'supplier-packaging',
  )
  await write(
    '/supplier-items',
    {
      supplier_id: packaging.id,
      item_variant_id: variant('BAG-250'),
      supplier_sku: 'VB-250-K',
      purchase_unit_name: 'carton of 500',
      conversion_rate: 500,
      price: 60,
      currency: 'EUR',
      minimum_quantity: 2,
      lead_time_days: 6,
      is_preferred: true,
    },
    'supplies-bags',
  )
  const porcelain = await write('/suppliers', { title: 'Porzellankontor', country_code: 'DE' }, 'supplier-porcelain')
  await write(
    '/supplier-items',
    {
      supplier_id: porcelain.id,
      item_variant_id: variant('DRP-WHT'),
      supplier_sku: 'V60-W',
      purchase_unit_name: 'box of 12',
      conversion_rate: 12,
      price: 138,
      lead_time_days: 14,
      is_preferred: true,
    },
    'supplies-drippers',
  )
  const green = await write(
    '/purchase-orders',
    {
      supplier_id: santos.id,
      currency: 'USD',
      exchange_rate: 0.9,
      notes: 'New crop',
      items: [
        {
          item_variant_id: variant('GRN-SAN'),
          quantity: 120,
          price: 6,
          batch_number: 'SAN-26-2',
          expiry_date: '2031-09-30',
        },
      ],
    },
    'purchase-green',
  )
  // The dollar has fallen since the order.
  const arrival = { storage_place_id: place('GREEN'), exchange_rate: 0.88 }
  await write(`/purchase-orders/${green.id}/receipts`, arrival, 'purchase-green-receipt')
  const drippers = await write<Made & { readonly items: readonly Made[] }>(
    '/purchase-orders',
    { supplier_id: porcelain.id, items: [{ item_variant_id: variant('DRP-WHT'), purchase_quantity: 5, tax_rate: 19 }] },
    'purchase-drippers',
  )
  const arrived = (amount: object, name: string) =>
    write(
      `/purchase-orders/${drippers.id}/receipts`,
      { storage_place_id: place('ROAST'), items: [{ purchase_order_item_id: drippers.items[0]?.id, ...amount }] },
      `purchase-drippers-${name}`,
    )
  await arrived({ purchase_quantity: 2 }, 'boxes')
  await arrived({ quantity: 7 }, 'pieces')
  await write(
    '/purchase-orders',
    {
      external_ref: externalRef,
      supplier_id: packaging.id,
      items: [
        { item_variant_id: variant('BAG-250'), quantity: 3_000, discount_percent: 10, tax_rate: 19 },
        { item_variant_id: variant('LBL-01'), quantity: 3_000, tax_rate: 19 },
      ],
    },
    'purchase-packaging',
  )
}
