/**
 * The bodies of the demo roastery's places and products. It must not send them.
 */

export const places = {
  roastery: {
    title: 'Roastery',
    code: 'ROAST',
    address: { line_1: 'Speicherstrasse 12', city: 'Bremen', zip: '28195', country_code: 'DE' },
  },
  shop: { title: 'Shop', code: 'SHOP', manufacturing_allowed: false, purchase_allowed: false },
  warehouse: { title: 'Green bean warehouse', code: 'GREEN', manufacturing_allowed: false, sales_allowed: false },
}

export const products = {
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
  'roasted-espresso': {
    title: 'Roasted beans for Harbour Espresso',
    category: 'Roasted coffee',
    unit_name: 'kg',
    batch_tracked: true,
    shelf_life_days: 60,
    is_sellable: false,
    is_purchasable: false,
    sku: 'RST-ESP',
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
