/**
 * Owns the fixtures of the sales tests: a stockroom with a customer, and short ways to order, change, ship, pack and return.
 */

import { changeOrder, createOrder } from '../../lib/domain/sales/orders/commands.ts'
import { getOrder, listOrders } from '../../lib/domain/sales/orders/endpoints.ts'
import { cancelReturn, createReturn, receiveReturn } from '../../lib/domain/sales/returns/commands.ts'
import { getReturn, listReturns } from '../../lib/domain/sales/returns/endpoints.ts'
import { createPacking, createShipment } from '../../lib/domain/sales/shipments/commands.ts'
import { listPackings, listShipments } from '../../lib/domain/sales/shipments/endpoints.ts'
import type { Endpoint } from '../../lib/kit/api/endpoint.ts'
import { type Stockroom, stockroom } from '../stock/stockroom.ts'
import type { Bench, Loose, Outcome, PageOptions } from '../support/command-context.ts'

export type Salesroom = Stockroom & {
  /** An order of these lines for a customer of its own; `extra` are further fields. */
  order(items: Loose[], extra?: Record<string, unknown>): Promise<Loose>
  tryOrder(items: Loose[], extra?: Record<string, unknown>): Promise<Outcome>
  refusedOrder(items: Loose[], extra?: Record<string, unknown>): Promise<string>
  change(order: Loose, body: Record<string, unknown>): Promise<Loose>
  tryChange(order: Loose, body: Record<string, unknown>): Promise<Outcome>
  refusedChange(order: Loose, body: Record<string, unknown>): Promise<string>
  ship(order: Loose, body?: Record<string, unknown>): Promise<Loose>
  tryShip(order: Loose, body?: Record<string, unknown>): Promise<Outcome>
  refusedShip(order: Loose, body?: Record<string, unknown>): Promise<string>
  pack(order: Loose, body?: Record<string, unknown>): Promise<Loose>
  tryPack(order: Loose, body?: Record<string, unknown>): Promise<Outcome>
  refusedPack(order: Loose, body?: Record<string, unknown>): Promise<string>
  read(order: Loose): Promise<Loose>
  orders(options?: PageOptions): Promise<Loose>
  shipments(order: Loose): Promise<Loose>
  packings(order: Loose): Promise<Loose>
  /** A return of lines of the order, as `sales_order_item_id` and the rest of a line. */
  giveBack(order: Loose, items: Loose[], extra?: Record<string, unknown>): Promise<Loose>
  tryGiveBack(order: Loose, items: Loose[], extra?: Record<string, unknown>): Promise<Outcome>
  refusedGiveBack(order: Loose, items: Loose[], extra?: Record<string, unknown>): Promise<string>
  receive(made: Loose, body?: Record<string, unknown>): Promise<Loose>
  tryReceive(made: Loose, body?: Record<string, unknown>): Promise<Outcome>
  refusedReceive(made: Loose, body?: Record<string, unknown>): Promise<string>
  cancel(made: Loose, body?: Record<string, unknown>): Promise<Loose>
  tryCancel(made: Loose, body?: Record<string, unknown>): Promise<Outcome>
  refusedCancel(made: Loose, body?: Record<string, unknown>): Promise<string>
  readReturn(made: Loose): Promise<Loose>
  returns(options?: PageOptions): Promise<Loose>
}

export const customer = { title: 'Harbour Furniture', country_code: 'DE' }

/** A salesroom of a new tenant, without places. */
export async function salesroom(
  bench: Bench,
  options: { plan?: 'free' | 'pro'; closedThrough?: string } = {},
): Promise<Salesroom> {
  const room = await stockroom(bench, options)
  const { tenant } = room
  const bodyOf = (items: Loose[], extra: Record<string, unknown> = {}) => ({
    ...('customer_id' in extra ? {} : { customer }),
    ...extra,
    items,
  })
  const of = (record: Loose) => ({ id: (record.sales_return ?? record).id as string })
  const doing = (endpoint: Endpoint) => ({
    done: (order: Loose, body: Record<string, unknown> = {}) => tenant.done(endpoint, body, of(order)),
    run: (order: Loose, body: Record<string, unknown> = {}) => tenant.run(endpoint, body, of(order)),
    refused: (order: Loose, body: Record<string, unknown> = {}) => tenant.refusal(endpoint, body, of(order)),
  })
  const change = doing(changeOrder)
  const [ship, pack] = [doing(createShipment), doing(createPacking)]
  const [receive, cancel] = [doing(receiveReturn), doing(cancelReturn)]
  const returnOf = (order: Loose, items: Loose[], extra: Record<string, unknown> = {}) => ({
    sales_order_id: order.id,
    ...extra,
    items,
  })
  return {
    ...room,
    order: (items, extra) => tenant.done(createOrder, bodyOf(items, extra)),
    tryOrder: (items, extra) => tenant.run(createOrder, bodyOf(items, extra)),
    refusedOrder: (items, extra) => tenant.refusal(createOrder, bodyOf(items, extra)),
    change: change.done,
    tryChange: change.run,
    refusedChange: change.refused,
    ship: ship.done,
    tryShip: ship.run,
    refusedShip: ship.refused,
    pack: pack.done,
    tryPack: pack.run,
    refusedPack: pack.refused,
    read: order => tenant.read(getOrder, of(order)),
    orders: options => tenant.page(listOrders, options),
    shipments: order => tenant.page(listShipments, { params: of(order) }),
    packings: order => tenant.page(listPackings, { params: of(order) }),
    giveBack: (order, items, extra) => tenant.done(createReturn, returnOf(order, items, extra)),
    tryGiveBack: (order, items, extra) => tenant.run(createReturn, returnOf(order, items, extra)),
    refusedGiveBack: (order, items, extra) => tenant.refusal(createReturn, returnOf(order, items, extra)),
    receive: receive.done,
    tryReceive: receive.run,
    refusedReceive: receive.refused,
    cancel: cancel.done,
    tryCancel: cancel.run,
    refusedCancel: cancel.refused,
    readReturn: made => tenant.read(getReturn, of(made)),
    returns: options => tenant.page(listReturns, options),
  }
}
