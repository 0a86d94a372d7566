/** Owns the fixtures of the purchasing tests: a stockroom with a supplier, and short ways to order, receive and look. */
import { supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { changeOrder, closeOrder, createOrder } from '../../lib/domain/purchasing/orders/commands.ts'
import { getOrder, listOrders } from '../../lib/domain/purchasing/orders/endpoints.ts'
import { createReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { listReceipts } from '../../lib/domain/purchasing/receipts/endpoints.ts'
import { type Stockroom, stockroom } from '../stock/stockroom.ts'
import type { Bench, Loose, Outcome } from '../support/command-context.ts'

export type Buying = Stockroom & {
  readonly supplier: string
  /** An order of these lines; `extra` are further fields of the document. */
  order(items: Loose[], extra?: Record<string, unknown>): Promise<Loose>
  tryOrder(items: Loose[], extra?: Record<string, unknown>): Promise<Outcome>
  /** `code message` of the refusal, or `done`. */
  refusedOrder(items: Loose[], extra?: Record<string, unknown>): Promise<string>
  change(order: Loose, body: Record<string, unknown>): Promise<Loose>
  tryChange(order: Loose, body: Record<string, unknown>): Promise<Outcome>
  refusedChange(order: Loose, body: Record<string, unknown>): Promise<string>
  receive(order: Loose, body: Record<string, unknown>): Promise<Loose>
  tryReceive(order: Loose, body: Record<string, unknown>): Promise<Outcome>
  refusedReceipt(order: Loose, body: Record<string, unknown>): Promise<string>
  close(order: Loose, body?: Record<string, unknown>): Promise<Outcome>
  read(order: Loose): Promise<Loose>
  orders(filters?: Record<string, string>): Promise<Loose[]>
  receipts(order: Loose): Promise<Loose[]>
  /** `place/sku: on hand (quarantined) expected`, one per stock entry with its batch. */
  shelf(): Promise<string[]>
}

export async function buying(
  bench: Bench,
  options: { plan?: 'free' | 'pro'; closedThrough?: string } = {},
): Promise<Buying> {
  const room = await stockroom(bench, options)
  const { tenant } = room
  const supplier = (await tenant.done(supplierEndpoints.create, { title: 'Nordic Timber', country_code: 'NO' })).id
  const body = (items: Loose[], extra: Record<string, unknown> = {}) =>
    'supplier' in extra ? { items, ...extra } : { supplier_id: supplier, items, ...extra }
  const of = (order: Loose) => ({ id: order.id as string })
  return {
    ...room,
    supplier,
    order: (items, extra) => tenant.done(createOrder, body(items, extra)),
    tryOrder: (items, extra) => tenant.run(createOrder, body(items, extra)),
    refusedOrder: (items, extra) => tenant.refusal(createOrder, body(items, extra)),
    change: (order, given) => tenant.done(changeOrder, given, of(order)),
    tryChange: (order, given) => tenant.run(changeOrder, given, of(order)),
    refusedChange: (order, given) => tenant.refusal(changeOrder, given, of(order)),
    receive: (order, given) => tenant.done(createReceipt, given, of(order)),
    tryReceive: (order, given) => tenant.run(createReceipt, given, of(order)),
    refusedReceipt: (order, given) => tenant.refusal(createReceipt, given, of(order)),
    close: (order, given = {}) => tenant.run(closeOrder, given, of(order)),
    read: order => tenant.read(getOrder, of(order)),
    orders: (filters = {}) => tenant.page(listOrders, { filters, limit: 200 }),
    receipts: order => tenant.page(listReceipts, { params: of(order) }),
    shelf: async () =>
      (await room.stock()).map(row => {
        const batch = row.batch_number === null ? '' : ` ${row.batch_number}`
        const expiry = row.expiry_date === null ? '' : ` until ${row.expiry_date}`
        return `${row.sku}${batch}${expiry}: ${row.quantity} (${row.quarantine_quantity}) +${row.expected_quantity} = ${row.stock_value}`
      }),
  }
}
