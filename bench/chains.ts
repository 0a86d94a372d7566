import type { Answer, BenchTenant } from './types.ts'
/**
 * The writes that are measured, as chains of requests at the public API: each is sent over HTTP to the service, and recorded
 * for the bare run. Bodies are those that a caller sends.
 */

export type Step = {
  readonly endpoint: string
  /** Which answer's id stands in the path. */
  readonly of?: number
  readonly body: (tenant: BenchTenant, before: readonly Answer[]) => unknown
}

export type Chain = { readonly name: string; readonly steps: readonly Step[] }

const lines = <T>(tenant: BenchTenant, count: number, rest: T) =>
  tenant.materialIds.slice(0, count).map(id => ({ item_variant_id: id, quantity: 1, ...rest }))

/** The nth line of the first answer. */
const lineId = ([made]: readonly Answer[], nth: number) => (made?.['items'] as { id: string }[] | undefined)?.[nth]?.id

const count = (lines: number) => `${lines} line${lines === 1 ? '' : 's'}`

export const adjust: Chain = {
  name: 'POST /stock-adjustments',
  steps: [
    {
      endpoint: 'createStockAdjustment',
      body: tenant => ({
        storage_place_id: tenant.placeId,
        items: [{ item_variant_id: tenant.variantId, quantity: 1, unit_cost: 2.5 }],
      }),
    },
  ],
}

/** A sales order of so many lines, each of another variant. */
export const sell = (of: number): Chain => ({
  name: `POST /sales-orders, ${count(of)}`,
  steps: [
    {
      endpoint: 'createSalesOrder',
      body: tenant => ({ customer_id: tenant.customerId, items: lines(tenant, of, { price: 9.99, tax_rate: 19 }) }),
    },
  ],
})

/** The same, each line with two taxes as a shop computed them. */
export const sellTaxed = (of: number): Chain => ({
  name: `POST /sales-orders, ${count(of)} with taxes of their own`,
  steps: [
    {
      endpoint: 'createSalesOrder',
      body: tenant => ({
        customer_id: tenant.customerId,
        items: lines(tenant, of, {
          price: 9.99,
          taxes: [
            { title: 'GST', rate: 5, amount: 0.5 },
            { title: 'QST', rate: 9.975, amount: 1 },
          ],
        }),
      }),
    },
  ],
})

/** A hold of one line, which outlasts the bench. */
export const hold: Chain = {
  name: 'POST /reservations, 1 line',
  steps: [
    {
      endpoint: 'createReservation',
      body: tenant => ({
        expires_at: new Date(Date.now() + 86_400_000).toISOString(),
        items: lines(tenant, 1, {}),
      }),
    },
  ],
}

/** A hold, and the one-line order that takes it. */
export const holdAndSell: Chain = {
  name: 'A hold, and an order of 1 line that takes it',
  steps: [
    ...hold.steps,
    {
      endpoint: 'createSalesOrder',
      body: (tenant, before) => ({
        customer_id: tenant.customerId,
        reservation_id: before[0]?.['id'],
        items: lines(tenant, 1, { price: 9.99, tax_rate: 19 }),
      }),
    },
  ],
}

/** An order of so many materials, from creation to done. */
export const make = (materials: number): Chain => ({
  name: `A manufacturing order of ${materials} materials created, started, completed`,
  steps: [
    {
      endpoint: 'createManufacturingOrder',
      body: tenant => ({ item_variant_id: tenant.variantId, quantity: 1, items: lines(tenant, materials, {}) }),
    },
    { endpoint: 'startManufacturingOrder', of: 0, body: () => ({}) },
    { endpoint: 'completeManufacturingOrder', of: 0, body: () => ({}) },
  ],
})

export const receive: Chain = {
  name: 'A purchase order of 3 lines created, received',
  steps: [
    {
      endpoint: 'createPurchaseOrder',
      body: tenant => ({ supplier_id: tenant.supplierId, items: lines(tenant, 3, { price: 2.5, tax_rate: 19 }) }),
    },
    { endpoint: 'createPurchaseReceipt', of: 0, body: tenant => ({ storage_place_id: tenant.placeId }) },
  ],
}

/** The same in boxes of 12. */
export const receiveBoxes: Chain = {
  name: 'A purchase order of 3 lines in boxes created, received',
  steps: [
    {
      endpoint: 'createPurchaseOrder',
      body: tenant => ({
        supplier_id: tenant.supplierId,
        items: tenant.materialIds.slice(0, 3).map(id => ({
          ...{ item_variant_id: id, purchase_quantity: 1, purchase_price: 30, conversion_rate: 12 },
          ...{ purchase_unit_name: 'box of 12', tax_rate: 19 },
        })),
      }),
    },
    { endpoint: 'createPurchaseReceipt', of: 0, body: tenant => ({ storage_place_id: tenant.placeId }) },
  ],
}

export const receiveAndReverse: Chain = {
  name: 'A purchase order of 3 lines created, received, its receipt reversed',
  steps: [...receive.steps, { endpoint: 'reversePurchaseReceipt', of: 1, body: () => ({ reason: 'Booked twice' }) }],
}

const CHANGES = 9

/** Mostly changes: what one costs shows beside a new order. */
export const reschedule: Chain = {
  name: `A purchase order of 1 line created, its date changed ${CHANGES} times`,
  steps: [
    {
      endpoint: 'createPurchaseOrder',
      body: tenant => ({ supplier_id: tenant.supplierId, items: lines(tenant, 1, { price: 2.5, tax_rate: 19 }) }),
    },
    ...Array.from({ length: CHANGES }, (_, at) => ({
      endpoint: 'updatePurchaseOrder',
      of: 0,
      body: () => ({ expected_date: `2030-01-0${at + 1}` }),
    })),
  ],
}

export const ship: Chain = {
  name: 'A sales order of 3 lines created, packed, shipped',
  steps: [
    ...sell(3).steps,
    { endpoint: 'createPacking', of: 0, body: () => ({}) },
    { endpoint: 'createShipment', of: 0, body: () => ({}) },
  ],
}

const change: Chain = {
  name: 'A sales order of 3 lines created, changed twice',
  steps: [
    ...sell(3).steps,
    { endpoint: 'updateSalesOrder', of: 0, body: () => ({ priority: 5, notes: 'Call before delivery' }) },
    {
      endpoint: 'updateSalesOrder',
      of: 0,
      body: (_tenant, before) => ({ items: [{ id: lineId(before, 0), quantity: 2 }] }),
    },
  ],
}

const giveBack: Chain = {
  name: 'A sales order of 1 line created, shipped, given back, received',
  steps: [
    ...sell(1).steps,
    { endpoint: 'createShipment', of: 0, body: () => ({}) },
    {
      endpoint: 'createSalesReturn',
      body: (_tenant, before) => ({
        sales_order_id: before[0]?.id,
        items: [{ sales_order_item_id: lineId(before, 0), quantity: 1, reason: 'damaged' }],
      }),
    },
    { endpoint: 'receiveSalesReturn', of: 2, body: () => ({}) },
  ],
}

/** What a tenant's shop, store and workshop write at the same time. */
export const mixed: readonly Chain[] = [ship, change, giveBack, receive, make(3)]
