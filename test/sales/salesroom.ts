/**
 * Owns the fixtures of the sales tests: a stockroom with a customer, and short ways to order, change, ship, pack and return.
 * It must not assert anything.
 */
import type { Endpoint } from '../../lib/api/endpoint.ts'
import {
  changeOrderEndpoint,
  createOrderEndpoint,
  getOrderEndpoint,
  listOrdersEndpoint,
} from '../../lib/sales/orders/endpoints.ts'
import { packingEndpoints, shipmentEndpoints } from '../../lib/sales/shipments/endpoints.ts'
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
  const of = (order: Loose) => ({ id: order.id as string })
  const doing = (endpoint: Endpoint) => ({
    done: (order: Loose, body: Record<string, unknown> = {}) => tenant.done(endpoint, body, of(order)),
    run: (order: Loose, body: Record<string, unknown> = {}) => tenant.run(endpoint, body, of(order)),
    refused: (order: Loose, body: Record<string, unknown> = {}) => tenant.refusal(endpoint, body, of(order)),
  })
  const [change, ship, pack] = [
    doing(changeOrderEndpoint),
    doing(shipmentEndpoints.create),
    doing(packingEndpoints.create),
  ]
  return {
    ...room,
    order: (items, extra) => tenant.done(createOrderEndpoint, bodyOf(items, extra)),
    tryOrder: (items, extra) => tenant.run(createOrderEndpoint, bodyOf(items, extra)),
    refusedOrder: (items, extra) => tenant.refusal(createOrderEndpoint, bodyOf(items, extra)),
    change: change.done,
    tryChange: change.run,
    refusedChange: change.refused,
    ship: ship.done,
    tryShip: ship.run,
    refusedShip: ship.refused,
    pack: pack.done,
    tryPack: pack.run,
    refusedPack: pack.refused,
    read: order => tenant.read(getOrderEndpoint, of(order)),
    orders: options => tenant.page(listOrdersEndpoint, options),
    shipments: order => tenant.page(shipmentEndpoints.list, { params: of(order) }),
  }
}
