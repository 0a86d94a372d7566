/**
 * What the demo tenant has: a small coffee roastery, made through the API like any caller would. Every request has a fixed
 * Idempotency-Key, so that filling twice, or again after a break, leaves one of each.
 */

import type { Send } from './demo-client.ts'
import { fillManufacturing } from './demo-manufacturing.ts'

type Place = { readonly id: string }
type Product = { readonly variants: readonly { readonly id: string; readonly sku: string | null }[] }

const places = {
  roastery: {
    title: 'Roastery',
    code: 'ROAST',
    address: { line_1: 'Speicherstrasse 12', city: 'Bremen', zip: '28195', country_code: 'DE' },
  },
  shop: { title: 'Shop', code: 'SHOP', manufacturing_allowed: false, purchase_allowed: false },
  warehouse: { title: 'Green bean warehouse', code: 'GREEN', manufacturing_allowed: false, sales_allowed: false },
}

const products = {
  'green-sidamo': {
    title: 'Green coffee, Ethiopia Sidamo',
    type: 'MATERIAL',
    category: 'Green coffee',
    unit_name: 'kg',
    is_sellable: false,
    batch_tracked: true,
    shelf_life_days: 365,
    sku: 'GRN-SID',
    purchase_price: 7.2,
    minimum_stock: 60,
  },
  'green-santos': {
    title: 'Green coffee, Brazil Santos',
    type: 'MATERIAL',
    category: 'Green coffee',
    unit_name: 'kg',
    is_sellable: false,
    batch_tracked: true,
    shelf_life_days: 365,
    sku: 'GRN-SAN',
    purchase_price: 5.4,
    minimum_stock: 120,
  },
  bag: {
    title: 'Valve bag 250 g',
    type: 'MATERIAL',
    category: 'Packaging',
    is_sellable: false,
    sku: 'BAG-250',
    purchase_price: 0.12,
    minimum_stock: 500,
  },
  label: {
    title: 'Label',
    type: 'MATERIAL',
    category: 'Packaging',
    is_sellable: false,
    sku: 'LBL-01',
    purchase_price: 0.035,
    minimum_stock: 500,
  },
  'espresso-blend': {
    title: 'Harbour Espresso',
    description: 'Sidamo and Santos, roasted dark on Tuesdays.',
    category: 'Roasted coffee',
    batch_tracked: true,
    shelf_life_days: 270,
    is_purchasable: false,
    variants: [
      { title: 'Harbour Espresso, beans 250 g', sku: 'ESP-BEAN', price: 8.9, attributes: { grind: 'beans' } },
      { title: 'Harbour Espresso, ground 250 g', sku: 'ESP-GRND', price: 9.2, attributes: { grind: 'espresso' } },
    ],
  },
  'filter-sidamo': {
    title: 'Sidamo Filter Roast 250 g',
    category: 'Roasted coffee',
    batch_tracked: true,
    shelf_life_days: 270,
    is_purchasable: false,
    sku: 'FIL-SID',
    price: 10.5,
  },
  dripper: {
    title: 'Porcelain dripper',
    category: 'Equipment',
    is_producible: false,
    variants: [
      {
        title: 'Porcelain dripper, white',
        sku: 'DRP-WHT',
        price: 24,
        purchase_price: 11.5,
        attributes: { colour: 'white' },
      },
      {
        title: 'Porcelain dripper, black',
        sku: 'DRP-BLK',
        price: 24,
        purchase_price: 11.5,
        attributes: { colour: 'black' },
      },
    ],
  },
  workshop: {
    title: 'Cupping workshop',
    type: 'SERVICE',
    unit_name: 'seat',
    is_purchasable: false,
    sku: 'CUP-01',
    price: 35,
  },
}

/** Fills the tenant whose key `send` uses: places, products and stock, then what is made of them. */
export async function fillDemo(send: Send): Promise<void> {
  await fillStock(send)
  await fillManufacturing(send)
}

/** Three places, eight products, the opening stock and a transfer to the shop. */
async function fillStock(send: Send): Promise<void> {
  // The keys hold for 30 days only; the last thing that is made tells later runs that all is there.
  const { data: transfers } = (await send('GET', '/stock-transfers?limit=1')) as { data: readonly unknown[] }
  if (transfers.length > 0) return
  const post = (path: string, body: unknown, name: string) => send('POST', path, body, `demo-${name}`)
  // The first is the main place, so it allows everything: a first order needs no thought about places.
  const place = async (name: keyof typeof places) =>
    ((await post('/storage-places', places[name], `place-${name}`)) as Place).id
  const roastery = await place('roastery')
  const shop = await place('shop')
  const warehouse = await place('warehouse')

  const variants = new Map<string, string>()
  for (const [name, body] of Object.entries(products)) {
    const product = (await post('/products', body, `product-${name}`)) as Product
    for (const variant of product.variants) variants.set(variant.sku ?? name, variant.id)
  }
  const variantOf = (sku: string): string => {
    const id = variants.get(sku)
    if (id === undefined) throw new Error(`the demo has no variant ${sku}`)
    return id
  }
  const line = (sku: string, fields: Record<string, unknown>) => ({ item_variant_id: variantOf(sku), ...fields })

  const opening = { reason: 'INITIAL', notes: 'Opening stock' }
  await post(
    '/stock-adjustments',
    {
      ...opening,
      storage_place_id: warehouse,
      items: [
        line('GRN-SID', { quantity: 180, unit_cost: 7.15, batch_number: 'SID-26-1', expiry_date: '2031-03-31' }),
        line('GRN-SID', { quantity: 60, unit_cost: 7.4, batch_number: 'SID-26-2', expiry_date: '2031-06-30' }),
        line('GRN-SAN', { quantity: 300, unit_cost: 5.35, batch_number: 'SAN-26-1', expiry_date: '2031-05-31' }),
      ],
    },
    'opening-warehouse',
  )
  await post(
    '/stock-adjustments',
    {
      ...opening,
      storage_place_id: roastery,
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
  await post(
    '/stock-transfers',
    {
      from_storage_place_id: roastery,
      to_storage_place_id: shop,
      notes: 'First delivery to the shop',
      items: [
        line('ESP-BEAN', { quantity: 40 }),
        line('FIL-SID', { quantity: 15 }),
        line('DRP-WHT', { quantity: 6 }),
        line('DRP-BLK', { quantity: 6 }),
      ],
    },
    'transfer-shop',
  )
}
