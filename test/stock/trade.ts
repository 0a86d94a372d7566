/** Owns the fixtures of traces: a workshop whose tenant also buys, sells and takes back, and short ways to trace. */

import { createOrder as buy } from '../../lib/domain/purchasing/orders/commands.ts'
import { createReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { createOrder as sell } from '../../lib/domain/sales/orders/commands.ts'
import { createReturn, receiveReturn } from '../../lib/domain/sales/returns/commands.ts'
import { createShipment } from '../../lib/domain/sales/shipments/commands.ts'
import { listBatches } from '../../lib/domain/stock/batches/endpoints.ts'
import { type Workshop, workshop } from '../manufacturing/workshop.ts'
import type { Bench, Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'

type Body = Record<string, unknown>

export type Trade = Workshop & {
  /** A purchase of so many of a batch at 2 each, received into the place by these parts. */
  bought(variant: string, batch: string, place: string, parts: number[]): Promise<void>
  /** An order of a customer: answers it. */
  sold(customer: string, items: Loose[]): Promise<Loose>
  ship(order: Loose, items?: Loose[]): Promise<Loose>
  /** So many of the order's first line come back. */
  returned(order: Loose, quantity: number, line?: Body): Promise<Loose>
  /** An order, started and completed at once: `order` are its further fields. */
  made(variant: string, quantity: number, order?: Body, complete?: Body): Promise<Loose>
  batch(number: string): Promise<Loose>
  trace(batch: string, direction: 'forward' | 'backward'): Promise<Loose>
}

export async function trade(bench: Bench, options: Parameters<Bench['tenant']>[0] = {}): Promise<Trade> {
  const shop = await workshop(bench, options)
  const { tenant } = shop
  const of = (order: Loose) => ({ id: String(order.id) })
  return {
    ...shop,
    bought: async (variant, batch, place, parts) => {
      const quantity = parts.reduce((sum, part) => sum + part, 0)
      const line = { item_variant_id: variant, quantity, price: 2, batch_number: batch }
      const order = await tenant.done(buy, {
        supplier: { title: 'Santos', country_code: 'BR', external_ref: 'santos' },
        items: [line],
      })
      for (const part of parts)
        await tenant.done(
          createReceipt,
          { storage_place_id: place, items: [{ purchase_order_item_id: order.items[0].id, quantity: part }] },
          of(order),
        )
    },
    sold: (customer, items) => tenant.done(sell, { customer: { title: customer, external_ref: customer }, items }),
    ship: (order, items) => tenant.done(createShipment, items === undefined ? {} : { items }, of(order)),
    returned: async (order, quantity, line = {}) => {
      const { sales_return: made } = await tenant.done(createReturn, {
        sales_order_id: order.id,
        items: [{ sales_order_item_id: order.items[0].id, quantity, ...line }],
      })
      return tenant.done(receiveReturn, {}, of(made))
    },
    made: async (variant, quantity, order = {}, complete = {}) => {
      const made = await shop.order(variant, quantity, order)
      await shop.start(made)
      return shop.complete(made, complete)
    },
    batch: async number => (await tenant.page(listBatches, { filters: { number } }))[0],
    trace: (batch, direction) => tenant.read(endpointOf('traceBatch'), { id: batch }, { direction }),
  }
}

/** A row in words: `1 SHIPPED P-1 PACK 3 at North by SH-00001 to Hotel`. `names` of places by id. */
export function inWords(row: Loose, names: Readonly<Record<string, string>>): string {
  const { level, kind, batch_number: batch, sku, quantity, storage_place_id: place, source_number, partner } = row
  const source = source_number === null ? '' : ` by ${source_number}`
  const other = partner === null ? '' : ` with ${partner.title}`
  return `${level} ${kind} ${sku} ${batch ?? '-'} ${quantity} at ${names[place] ?? place}${source}${other}`
}
