/** The fixtures of traces: a workshop whose tenant also buys, sells and takes returns, and short functions to trace. */

import { createOrder as buy } from '../../lib/domain/purchasing/orders/commands.ts'
import { createReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { createOrder as sell } from '../../lib/domain/sales/orders/commands.ts'
import { createReturn, receiveReturn } from '../../lib/domain/sales/returns/commands.ts'
import { createShipment } from '../../lib/domain/sales/shipments/commands.ts'
import { listBatches } from '../../lib/domain/stock/batches/endpoints.ts'
import { workshop } from '../manufacturing/workshop.ts'
import type { Bench, Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import type { Body } from './stockroom.ts'

export type Trade = Awaited<ReturnType<typeof trade>>

export async function trade(bench: Bench, options: Parameters<typeof workshop>[1] = {}) {
  const shop = await workshop(bench, options)
  const { tenant } = shop
  const of = (order: Loose) => ({ id: String(order.id) })
  return {
    ...shop,
    /** A purchase of so many of a batch at 2 each, received into the place by these parts. */
    bought: async (variant: string, batch: string, place: string, parts: number[]) => {
      const quantity = parts.reduce((sum, part) => sum + part, 0)
      const order = await tenant.done(buy, {
        supplier: { title: 'Santos', country_code: 'BR', external_ref: 'santos' },
        items: [{ item_variant_id: variant, quantity, price: 2, batch_number: batch }],
      })
      for (const part of parts)
        await tenant.done(
          createReceipt,
          { storage_place_id: place, items: [{ purchase_order_item_id: order.items[0].id, quantity: part }] },
          of(order),
        )
    },
    /** An order of a customer: answers it. */
    sold: (customer: string, items: Loose[]) =>
      tenant.done(sell, { customer: { title: customer, external_ref: customer }, items }),
    ship: (order: Loose, items?: Loose[]) =>
      tenant.done(createShipment, items === undefined ? {} : { items }, of(order)),
    /** So many of the order's first line come back. */
    returned: async (order: Loose, quantity: number, line: Body = {}) => {
      const { sales_return: made } = await tenant.done(createReturn, {
        sales_order_id: order.id,
        items: [{ sales_order_item_id: order.items[0].id, quantity, ...line }],
      })
      return tenant.done(receiveReturn, {}, of(made))
    },
    /** An order, started and completed at once: `order` are its further fields. */
    made: async (variant: string, quantity: number, order: Body = {}, complete: Body = {}) => {
      const made = await shop.order(variant, quantity, order)
      await shop.start(made)
      return shop.complete(made, complete)
    },
    batch: async (number: string) => (await tenant.page(listBatches, { filters: { number } }))[0],
    trace: (batch: string, direction: 'forward' | 'backward') =>
      tenant.read(endpointOf('traceBatch'), { id: batch }, { direction }),
  }
}

/** A row in words: `1 SHIPPED P-1 PACK 3 at North by SH-00001 to Hotel`. `names`: the names of places by id. */
export function inWords(row: Loose, names: Readonly<Record<string, string>>): string {
  const { level, kind, batch_number: batch, sku, quantity, storage_place_id: place, source_number, partner } = row
  const source = source_number === null ? '' : ` by ${source_number}`
  const other = partner === null ? '' : ` with ${partner.title}`
  return `${level} ${kind} ${sku} ${batch ?? '-'} ${quantity} at ${names[place] ?? place}${source}${other}`
}
