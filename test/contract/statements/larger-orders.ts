/** Runs commands of orders that are larger than the examples: several lines, changes of lines, partial moves. */
import * as v from 'valibot'
import { rows } from '../../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../../support/command-context.ts'
import type { SendingTenant } from './tenant.ts'

type Send = SendingTenant['send']

/** The variants that are bought, sold and made, and the places. */
export type Goods = Readonly<Record<'main' | 'side' | 'wood' | 'steel' | 'milk' | 'table' | 'service', string>> & {
  readonly product: Loose
}

export type Partners = Readonly<Record<'supplier' | 'customer', string>>

export async function buy(send: Send, goods: Goods, { supplier }: Partners): Promise<void> {
  const { main, side, wood, steel, milk, service } = goods
  const lines = [
    { item_variant_id: wood, quantity: 40, price: 3, tax_rate: 19 },
    { item_variant_id: milk, quantity: 20, price: 1.5, batch_number: 'M-3', expiry_date: '2099-02-28' },
    { item_variant_id: service, quantity: 1 },
  ]
  const order = await send('POST', '/purchase-orders', {
    supplier_id: supplier,
    number: 'BUY-1',
    external_ref: 'purchase-1',
    currency: 'USD',
    exchange_rate: 0.9,
    expected_date: '2099-01-01T00:00:00Z',
    items: lines,
  })
  await send('PATCH', `/purchase-orders/${order.id}`, {
    supplier_id: supplier,
    notes: 'Gate 2',
    external_ref: 'purchase-2',
  })
  await send('PATCH', `/purchase-orders/${order.id}`, {
    storage_place_id: side,
    items: [
      { id: order.items[0].id, quantity: 50 },
      { id: order.items[1].id, batch_number: 'M-5' },
      { id: order.items[2].id, remove: true },
      { item_variant_id: steel, quantity: 3, expected_date: '2099-01-02' },
    ],
  })
  await send('POST', `/purchase-orders/${order.id}/receipts`, {
    storage_place_id: main,
    number: 'RECEIPT-1',
    external_ref: 'receipt-1',
    items: [
      { purchase_order_item_id: order.items[0].id, quantity: 10, quarantine: true },
      { purchase_order_item_id: order.items[1].id, quantity: 5, batch_number: 'M-4' },
      { purchase_order_item_id: order.items[1].id, quantity: 5 },
    ],
  })
  await send('POST', `/purchase-orders/${order.id}/receipts`, { storage_place_id: main })
  for (const by of [{ external_ref: 'supplier-2' }, { external_ref: 'supplier-3' }, {}]) {
    const next = await send('POST', '/purchase-orders', { supplier: { title: 'Named', ...by }, items: lines })
    await send('POST', `/purchase-orders/${next.id}/close`, { reason: 'Enough' })
  }
}

export async function sell(send: Send, goods: Goods, { customer }: Partners): Promise<void> {
  const { main, side, wood, steel, milk, service } = goods
  const lines = [
    { item_variant_id: wood, quantity: 6, price: 4, tax_rate: 19, storage_place_id: main },
    { item_variant_id: milk, quantity: 6, price: 2, storage_place_id: side },
    { item_variant_id: service, quantity: 1, price: 9 },
  ]
  const facts = { number: 'SELL-1', external_ref: 'sale-1', priority: 3, delivery_date: '2099-01-01T00:00:00Z' }
  const order = await send('POST', '/sales-orders', {
    customer_id: customer,
    allow_backorder: true,
    ...facts,
    items: lines,
  })
  const changed = await send('PATCH', `/sales-orders/${order.id}`, {
    notes: 'All new',
    priority: 1,
    delivery_date: null,
    customer_id: customer,
    external_ref: 'sale-2',
    items: [
      { id: order.items[0].id, quantity: 7, price: 5 },
      { id: order.items[2].id, remove: true },
      { item_variant_id: steel, quantity: 3, storage_place_id: main },
    ],
  })
  const [first, second] = changed.items
  const handled = {
    items: [
      { sales_order_item_id: second.id, quantity: 4 },
      { sales_order_item_id: first.id, quantity: 2 },
    ],
  }
  await send('POST', `/sales-orders/${order.id}/packings`, { number: 'PACK-1', external_ref: 'packing-1', ...handled })
  await send('POST', `/sales-orders/${order.id}/packings`, {})
  await send('POST', `/sales-orders/${order.id}/shipments`, {
    number: 'SHIP-1',
    external_ref: 'shipment-1',
    ...handled,
  })
  await send('POST', `/sales-orders/${order.id}/shipments`, {})
  await giveBack(send, goods, changed)
  for (const change of [{ delivery_status: 'PACKED' }, { delivery_status: 'SHIPPED' }, { status: 'DONE' }]) {
    const next = await send('POST', '/sales-orders', {
      customer: { title: 'Named', external_ref: 'customer-2' },
      items: lines.slice(1),
    })
    await send('PATCH', `/sales-orders/${next.id}`, change)
  }
  const { id: held } = await send('POST', '/reservations', {
    expires_at: new Date(Date.now() + 3_600_000),
    external_ref: 'hold-1',
    items: [{ item_variant_id: wood, quantity: 1, storage_place_id: main }],
  })
  const last = await send('POST', '/sales-orders', { customer: { title: 'Named' }, reservation_id: held, items: lines })
  await send('PATCH', `/sales-orders/${last.id}`, { status: 'CANCELLED', cancel_reason: 'Twice' })
}

async function giveBack(send: Send, { main, side }: Goods, order: Loose): Promise<void> {
  const [first, second] = order.items
  const made = await send('POST', '/sales-returns', {
    sales_order_id: order.id,
    storage_place_id: main,
    number: 'BACK-1',
    external_ref: 'return-1',
    external_return_ref: 'RMA-1',
    items: [
      { sales_order_item_id: first.id, quantity: 1, reason: 'damaged', quarantine: true, storage_place_id: side },
      { sales_order_item_id: second.id, quantity: 1, reason: 'other', unit_price: 1 },
    ],
  })
  await send('POST', `/sales-returns/${made.sales_return.id}/receive`, {})
  const other = await send('POST', '/sales-returns', {
    sales_order_id: order.id,
    items: [{ sales_order_item_id: first.id, quantity: 1, reason: 'other' }],
  })
  await send('POST', `/sales-returns/${other.sales_return.id}/cancel`, {})
}

export async function manufacture(
  { send, pool }: SendingTenant,
  { main, wood, steel, milk, table, product }: Goods,
): Promise<void> {
  const saw = await send('POST', '/operations', {
    title: 'Sawing wood',
    cost_per_hour: 31.7,
    external_ref: 'operation-1',
  })
  await send('PATCH', `/operations/${saw.id}`, {
    title: 'Sawing',
    position: 3,
    unit_name: 'saw',
    external_ref: 'operation-2',
  })
  const materials = [wood, steel, milk].map(id => ({ item_variant_id: id, quantity: 0.5 }))
  const operations = [0.1, 0.2].map(duration => ({ operation_id: saw.id, duration }))
  const recipe = await send('POST', '/recipes', {
    item_variant_id: table,
    materials,
    operations,
    external_ref: 'recipe-1',
  })
  await send('PATCH', `/recipes/${recipe.id}`, {
    materials: materials.slice(1),
    operations: [...operations, { operation_id: saw.id, duration: 0.3 }],
    external_ref: 'recipe-2',
  })
  await send('POST', '/recipes', { item_id: product.id, materials: [{ item_variant_id: milk, quantity: 1 }] })
  const sold = await send('POST', '/sales-orders', {
    customer: { title: 'Waits' },
    allow_backorder: true,
    items: [{ item_variant_id: table, quantity: 4 }],
  })
  const made = { item_variant_id: table, recipe_id: recipe.id, manufacturing_location_id: main }
  const order = await send('POST', '/manufacturing-orders', {
    ...made,
    quantity: 4,
    type: 'MAKE_TO_ORDER',
    sales_order_id: sold.id,
    number: 'MAKE-1',
    external_ref: 'make-1',
    planned_start_date: '2099-01-01T00:00:00Z',
  })
  await send('POST', `/manufacturing-orders/${order.id}/start`, { notes: 'Now' })
  // No answer of a command shows the ids of tasks.
  const task = await pool.oneFirst(rows(v.object({ id: v.string() }))`
    select id from manufacturing_order_tasks where manufacturing_order_id = ${order.id} order by id limit 1`)
  await send('POST', `/manufacturing-orders/${order.id}/complete`, {
    quantity: 1,
    quarantine: true,
    storage_place_id: main,
    tasks: [{ id: task, actual_duration: 0.7 }],
  })
  await send('POST', `/manufacturing-orders/${order.id}/complete`, { quantity: 2, is_final: true })
  const unwanted = await send('POST', '/manufacturing-orders', { ...made, quantity: 1 })
  await send('DELETE', `/manufacturing-orders/${unwanted.id}`)
  const own = await send('POST', '/manufacturing-orders', {
    item_variant_id: milk,
    quantity: 3,
    manufacturing_location_id: main,
    output_batch_number: 'M-9',
    items: [{ item_variant_id: wood, quantity: 1 }],
  })
  await send('POST', `/manufacturing-orders/${own.id}/start`, { items: [{ id: own.items[0].id, quantity: 2 }] })
  await send('POST', `/manufacturing-orders/${own.id}/complete`, { quantity: 3, output_expiry_date: '2099-03-31' })
}
