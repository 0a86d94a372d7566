/**
 * THE list of what leads to an event of each kind, over the public interface. A new kind is one more entry. Each run makes records of its
 * own, so that it changes nothing that is there.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ManufacturingOrder, Millrace, PurchaseOrder, SalesOrder, SalesReturn } from '../../../client/src/index.ts'

type Trigger = (millrace: Millrace) => Promise<unknown>

const partner = { title: 'Triggered partner' }

/** The id of a new product's variant. */
async function variant(millrace: Millrace): Promise<string> {
  const product = { title: 'Triggered mug', unit_name: 'pcs', price: 12.5, purchase_price: 4.2 }
  const { variants } = await millrace.products.create(product)
  return idOf(variants[0])
}

function idOf(record: { readonly id: string } | undefined): string {
  if (record === undefined) throw new Error('the service answered no id')
  return record.id
}

/** A place that is there, or a new one for a tenant without places. */
async function place(millrace: Millrace): Promise<string> {
  const { data } = await millrace.storagePlaces.list({ archived: false, limit: 200 })
  const found = data.find(({ is_main }) => is_main) ?? data[0]
  return found?.id ?? (await millrace.storagePlaces.create({ title: 'Triggered place' })).id
}

async function stocked(millrace: Millrace) {
  const item_variant_id = await variant(millrace)
  const storage_place_id = await place(millrace)
  const items = [{ item_variant_id, quantity: 10, unit_cost: 4.2 }]
  const { id } = await millrace.stockAdjustments.create({ storage_place_id, reason: 'INITIAL', items })
  return { item_variant_id, storage_place_id, id }
}

async function quarantined(millrace: Millrace): Promise<string> {
  const { item_variant_id, storage_place_id } = await stocked(millrace)
  const { id } = await millrace.stockTransfers.create({
    from_storage_place_id: storage_place_id,
    to_storage_place_id: storage_place_id,
    items: [{ item_variant_id, quantity: 1, to_quarantine: true }],
  })
  return id
}

async function count(millrace: Millrace): Promise<string> {
  const { item_variant_id, storage_place_id } = await stocked(millrace)
  return (await millrace.stockCounts.create({ storage_place_id, items: [{ item_variant_id, counted_quantity: 9 }] })).id
}

async function batch(millrace: Millrace): Promise<string> {
  const { variants } = await millrace.products.create({ title: 'Triggered beans', batch_tracked: true })
  const item_variant_id = idOf(variants[0])
  const items = [{ item_variant_id, quantity: 10, batch_number: 'TRIGGERED-1' }]
  await millrace.stockAdjustments.create({ storage_place_id: await place(millrace), reason: 'INITIAL', items })
  const { data } = await millrace.batches.list({ item_variant_id })
  return idOf(data[0])
}

const supplierItem = async (millrace: Millrace) => {
  const supplier_id = (await millrace.suppliers.create(partner)).id
  const item_variant_id = await variant(millrace)
  return millrace.supplierItems.create({ supplier_id, item_variant_id, conversion_rate: 12, price: 48 })
}

async function purchase(millrace: Millrace): Promise<PurchaseOrder> {
  const items = [{ item_variant_id: await variant(millrace), quantity: 2 }]
  return millrace.purchaseOrders.create({ supplier: partner, items })
}

async function received(millrace: Millrace): Promise<string> {
  const { id } = await purchase(millrace)
  return (await millrace.purchaseOrders.createReceipt(id, { storage_place_id: await place(millrace) })).id
}

async function landed(millrace: Millrace): Promise<string> {
  const items = [{ title: 'Triggered freight', amount: 12.5 }]
  return (await millrace.landedCosts.create({ purchase_receipt_id: await received(millrace), items })).id
}

async function sale(millrace: Millrace): Promise<SalesOrder> {
  const { item_variant_id, storage_place_id } = await stocked(millrace)
  return millrace.salesOrders.create({ customer: partner, items: [{ item_variant_id, storage_place_id, quantity: 2 }] })
}

const HOLD_MS = { long: 3_600_000, short: 3_000, patience: 20_000 }

async function held(millrace: Millrace, ms = HOLD_MS.long) {
  const { item_variant_id, storage_place_id } = await stocked(millrace)
  const items = [{ item_variant_id, storage_place_id, quantity: 2 }]
  const { id } = await millrace.reservations.create({ expires_at: new Date(Date.now() + ms).toISOString(), items })
  return { id, items }
}

/** A hold that ends by itself: soon after its time. */
async function expired(millrace: Millrace): Promise<void> {
  const { id } = await held(millrace, HOLD_MS.short)
  const until = Date.now() + HOLD_MS.patience
  while ((await millrace.reservations.get(id)).status === 'HELD' && Date.now() < until) await delay(500)
}

async function shipped(millrace: Millrace): Promise<SalesOrder> {
  const order = await sale(millrace)
  await millrace.salesOrders.createShipment(order.id)
  return order
}

async function shipment(millrace: Millrace): Promise<string> {
  const { data } = await millrace.salesOrders.listShipments((await shipped(millrace)).id)
  return idOf(data[0])
}

async function returned(millrace: Millrace): Promise<SalesReturn['sales_return']> {
  const order = await shipped(millrace)
  const items = [{ sales_order_item_id: idOf(order.items[0]), quantity: 1, reason: 'Triggered' }]
  return (await millrace.salesReturns.create({ sales_order_id: order.id, items })).sales_return
}

async function production(millrace: Millrace): Promise<ManufacturingOrder> {
  await place(millrace)
  return millrace.manufacturingOrders.create({ item_variant_id: await variant(millrace), quantity: 2 })
}

async function started(millrace: Millrace): Promise<string> {
  const { id } = await production(millrace)
  await millrace.manufacturingOrders.start(id)
  return id
}

async function blocked(millrace: Millrace): Promise<string> {
  const { id } = await production(millrace)
  await millrace.manufacturingOrders.block(id, { reason: 'Triggered' })
  return id
}

async function recipe(millrace: Millrace): Promise<string> {
  const materials = [{ item_variant_id: await variant(millrace), quantity: 1 }]
  return (await millrace.recipes.create({ item_variant_id: await variant(millrace), materials })).id
}

const operation = (millrace: Millrace) =>
  millrace.operations.create({ title: 'Triggered operation', cost_per_hour: 36 })

export const triggers: Readonly<Record<string, Trigger>> = {
  'product.created': variant,
  'product.updated': async millrace => {
    const { id } = await millrace.products.create({ title: 'Triggered mug' })
    await millrace.products.update(id, { title: 'Triggered cup' })
  },
  'storage_place.created': millrace => millrace.storagePlaces.create({ title: 'Triggered place' }),
  'storage_place.updated': async millrace => {
    const { id } = await millrace.storagePlaces.create({ title: 'Triggered place' })
    await millrace.storagePlaces.update(id, { archived: true })
  },
  'supplier.created': millrace => millrace.suppliers.create(partner),
  'supplier.updated': async millrace => {
    const { id } = await millrace.suppliers.create(partner)
    await millrace.suppliers.update(id, { phone: '+49 421 123456' })
  },
  'customer.created': millrace => millrace.customers.create(partner),
  'customer.updated': async millrace => {
    const { id } = await millrace.customers.create(partner)
    await millrace.customers.update(id, { phone: '+49 421 123456' })
  },
  'stock.changed': stocked,
  'stock_adjustment.created': stocked,
  'stock_adjustment.updated': async millrace =>
    millrace.stockAdjustments.update((await stocked(millrace)).id, { notes: 'Triggered' }),
  'stock_adjustment.reversed': async millrace =>
    millrace.stockAdjustments.reverse((await stocked(millrace)).id, { reason: 'Triggered' }),
  'stock_transfer.created': quarantined,
  'stock_transfer.updated': async millrace =>
    millrace.stockTransfers.update(await quarantined(millrace), { notes: 'Triggered' }),
  'stock_transfer.reversed': async millrace =>
    millrace.stockTransfers.reverse(await quarantined(millrace), { reason: 'Triggered' }),
  'stock_count.created': count,
  'stock_count.updated': async millrace => millrace.stockCounts.update(await count(millrace), { notes: 'Triggered' }),
  'stock_count.completed': async millrace => millrace.stockCounts.complete(await count(millrace)),
  'stock_count.cancelled': async millrace => millrace.stockCounts.cancel(await count(millrace)),
  'batch.updated': async millrace => millrace.batches.update(await batch(millrace), { expiry_date: '2031-06-30' }),
  'operation.created': operation,
  'operation.updated': async millrace => {
    const { id } = await operation(millrace)
    await millrace.operations.update(id, { cost_per_hour: 38 })
  },
  'recipe.created': recipe,
  'recipe.updated': async millrace => {
    const id = await recipe(millrace)
    await millrace.recipes.update(id, { materials: [{ item_variant_id: await variant(millrace), quantity: 2 }] })
  },
  'manufacturing_order.created': production,
  'manufacturing_order.updated': async millrace => {
    const { id } = await production(millrace)
    await millrace.manufacturingOrders.update(id, { notes: 'Triggered' })
  },
  'manufacturing_order.started': started,
  'manufacturing_order.partially_done': async millrace =>
    millrace.manufacturingOrders.complete(await started(millrace), { quantity: 1 }),
  'manufacturing_order.done': async millrace => millrace.manufacturingOrders.complete(await started(millrace)),
  'manufacturing_order.blocked': blocked,
  'manufacturing_order.unblocked': async millrace => millrace.manufacturingOrders.unblock(await blocked(millrace)),
  'manufacturing_order.deleted': async millrace => {
    const { id } = await production(millrace)
    await millrace.manufacturingOrders.delete(id)
  },
  'supplier_item.created': supplierItem,
  'supplier_item.updated': async millrace => {
    const { id } = await supplierItem(millrace)
    await millrace.supplierItems.update(id, { price: 50 })
  },
  'purchase_order.created': purchase,
  'purchase_order.updated': async millrace => {
    const { id } = await purchase(millrace)
    await millrace.purchaseOrders.update(id, { notes: 'Triggered' })
  },
  'purchase_order.done': async millrace => {
    const { id } = await purchase(millrace)
    await millrace.purchaseOrders.close(id, { reason: 'Triggered' })
  },
  'purchase_receipt.created': received,
  'purchase_receipt.updated': async millrace =>
    millrace.purchaseReceipts.update(await received(millrace), { notes: 'Triggered' }),
  'purchase_receipt.reversed': async millrace =>
    millrace.purchaseReceipts.reverse(await received(millrace), { reason: 'Triggered' }),
  'landed_cost.created': landed,
  'landed_cost.updated': async millrace => millrace.landedCosts.update(await landed(millrace), { notes: 'Triggered' }),
  'landed_cost.reversed': async millrace =>
    millrace.landedCosts.reverse(await landed(millrace), { reason: 'Triggered' }),
  'reservation.created': held,
  'reservation.updated': async millrace =>
    millrace.reservations.update((await held(millrace)).id, { notes: 'Triggered' }),
  'reservation.released': async millrace => millrace.reservations.release((await held(millrace)).id),
  'reservation.expired': expired,
  'reservation.consumed': async millrace => {
    const { id, items } = await held(millrace)
    await millrace.salesOrders.create({ customer: partner, reservation_id: id, items })
  },
  'sales_order.created': sale,
  'sales_order.updated': async millrace => {
    const { id } = await sale(millrace)
    await millrace.salesOrders.update(id, { notes: 'Triggered' })
  },
  'sales_order.shipped': shipped,
  'sales_shipment.created': shipped,
  'sales_shipment.updated': async millrace =>
    millrace.salesShipments.update(await shipment(millrace), { carrier: 'Triggered carrier' }),
  'sales_shipment.reversed': async millrace =>
    millrace.salesShipments.reverse(await shipment(millrace), { reason: 'Triggered' }),
  'sales_order.done': async millrace => {
    const { id } = await sale(millrace)
    await millrace.salesOrders.update(id, { status: 'DONE' })
  },
  'sales_order.cancelled': async millrace => {
    const { id } = await sale(millrace)
    await millrace.salesOrders.update(id, { status: 'CANCELLED', cancel_reason: 'Triggered' })
  },
  'sales_return.created': returned,
  'sales_return.updated': async millrace => {
    const { id } = await returned(millrace)
    await millrace.salesReturns.update(id, { notes: 'Triggered' })
  },
  'sales_return.returned': async millrace => {
    const { id } = await returned(millrace)
    await millrace.salesReturns.receive(id)
  },
  'sales_return.cancelled': async millrace => {
    const { id } = await returned(millrace)
    await millrace.salesReturns.cancel(id, { reason: 'Triggered' })
  },
}
