/** The fixtures of the sales tests: a tenant with a customer, and short functions to order, change, ship, pack and return. */

import { changeOrder, createOrder } from '../../lib/domain/sales/orders/commands.ts'
import { getOrder, listOrders } from '../../lib/domain/sales/orders/endpoints.ts'
import { cancelReturn, createReturn, receiveReturn } from '../../lib/domain/sales/returns/commands.ts'
import { getReturn, listReturns } from '../../lib/domain/sales/returns/endpoints.ts'
import { createPacking, createShipment } from '../../lib/domain/sales/shipments/commands.ts'
import { listPackings, listShipments } from '../../lib/domain/sales/shipments/endpoints.ts'
import type { Endpoint } from '../../lib/kit/api/endpoint.ts'
import { type Body, stockroom } from '../stock/stockroom.ts'
import type { Bench, Loose, PageOptions } from '../support/command-context.ts'

export type Salesroom = Awaited<ReturnType<typeof salesroom>>

export const customer = { title: 'Harbour Furniture', country_code: 'DE' }

/** A salesroom of a new tenant, without places. `refused...` answers `code message` of the refusal, or `done`. */
export async function salesroom(bench: Bench, options: Parameters<typeof stockroom>[1] = {}) {
  const room = await stockroom(bench, options)
  const { tenant } = room
  const bodyOf = (items: Loose[], extra: Body = {}) => ({
    ...('customer_id' in extra ? {} : { customer }),
    ...extra,
    items,
  })
  const of = (record: Loose) => ({ id: (record.sales_return ?? record).id as string })
  const doing = (endpoint: Endpoint) => ({
    done: (order: Loose, body: Body = {}) => tenant.done(endpoint, body, of(order)),
    run: (order: Loose, body: Body = {}) => tenant.run(endpoint, body, of(order)),
    refused: (order: Loose, body: Body = {}) => tenant.refusal(endpoint, body, of(order)),
  })
  const change = doing(changeOrder)
  const [ship, pack] = [doing(createShipment), doing(createPacking)]
  const [receive, cancel] = [doing(receiveReturn), doing(cancelReturn)]
  const returnOf = (order: Loose, items: Loose[], extra: Body = {}) => ({ sales_order_id: order.id, ...extra, items })
  return {
    ...room,
    /** An order of these lines for a customer of its own; `extra` are further fields. */
    order: (items: Loose[], extra?: Body) => tenant.done(createOrder, bodyOf(items, extra)),
    tryOrder: (items: Loose[], extra?: Body) => tenant.run(createOrder, bodyOf(items, extra)),
    refusedOrder: (items: Loose[], extra?: Body) => tenant.refusal(createOrder, bodyOf(items, extra)),
    change: change.done,
    tryChange: change.run,
    refusedChange: change.refused,
    ship: ship.done,
    tryShip: ship.run,
    refusedShip: ship.refused,
    pack: pack.done,
    tryPack: pack.run,
    refusedPack: pack.refused,
    read: (order: Loose) => tenant.read(getOrder, of(order)),
    orders: (options?: PageOptions) => tenant.page(listOrders, options),
    shipments: (order: Loose) => tenant.page(listShipments, { params: of(order) }),
    packings: (order: Loose) => tenant.page(listPackings, { params: of(order) }),
    /** A return of lines of the order, as `sales_order_item_id` and the rest of a line. */
    giveBack: (order: Loose, items: Loose[], extra?: Body) => tenant.done(createReturn, returnOf(order, items, extra)),
    tryGiveBack: (order: Loose, items: Loose[], extra?: Body) =>
      tenant.run(createReturn, returnOf(order, items, extra)),
    refusedGiveBack: (order: Loose, items: Loose[], extra?: Body) =>
      tenant.refusal(createReturn, returnOf(order, items, extra)),
    receive: receive.done,
    tryReceive: receive.run,
    refusedReceive: receive.refused,
    cancel: cancel.done,
    tryCancel: cancel.run,
    refusedCancel: cancel.refused,
    readReturn: (made: Loose) => tenant.read(getReturn, of(made)),
    returns: (options?: PageOptions) => tenant.page(listReturns, options),
  }
}
