/**
 * The writes that are measured, as chains of requests at the public API: each is sent over HTTP to the service, and recorded
 * for the bare run. Bodies are those that a caller sends.
 */
import type { BenchTenant } from './world.ts'

/** What the steps before answered. */
type Before = readonly Answer[]
type Answer = Readonly<Record<string, unknown>> & { readonly id: string }

export type Step = {
  readonly endpoint: string
  readonly path: (before: Before) => string
  readonly params?: (before: Before) => Readonly<Record<string, string>>
  readonly body: (tenant: BenchTenant) => unknown
  readonly status: number
}

export type Chain = { readonly name: string; readonly steps: readonly Step[] }

const firstId = (before: Before) => before[0]?.id ?? ''

export const adjust: Chain = {
  name: 'POST /stock-adjustments',
  steps: [
    {
      endpoint: 'createStockAdjustment',
      path: () => '/stock-adjustments',
      body: tenant => ({
        storage_place_id: tenant.placeId,
        items: [{ item_variant_id: tenant.variantId, quantity: 1, unit_cost: 2.5 }],
      }),
      status: 201,
    },
  ],
}

/** A sales order of so many lines, each of another variant. */
export const sell = (lines: number): Chain => ({
  name: `POST /sales-orders, ${lines} line${lines === 1 ? '' : 's'}`,
  steps: [
    {
      endpoint: 'createSalesOrder',
      path: () => '/sales-orders',
      body: tenant => ({
        customer_id: tenant.customerId,
        items: tenant.materialIds
          .slice(0, lines)
          .map(id => ({ item_variant_id: id, quantity: 1, price: 9.99, tax_rate: 19 })),
      }),
      status: 201,
    },
  ],
})

/** An order of 20 materials, from creation to done. */
export const make: Chain = {
  name: 'A manufacturing order of 20 materials created, started, completed',
  steps: [
    {
      endpoint: 'createManufacturingOrder',
      path: () => '/manufacturing-orders',
      body: tenant => ({
        item_variant_id: tenant.variantId,
        quantity: 1,
        items: tenant.materialIds.map(id => ({ item_variant_id: id, quantity: 1 })),
      }),
      status: 201,
    },
    {
      endpoint: 'startManufacturingOrder',
      path: before => `/manufacturing-orders/${firstId(before)}/start`,
      params: before => ({ id: firstId(before) }),
      body: () => ({}),
      status: 200,
    },
    {
      endpoint: 'completeManufacturingOrder',
      path: before => `/manufacturing-orders/${firstId(before)}/complete`,
      params: before => ({ id: firstId(before) }),
      body: () => ({}),
      status: 200,
    },
  ],
}
