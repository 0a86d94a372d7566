/** The fixtures of the purchasing tests: a tenant with a supplier, and short functions to order, receive and read. */
import { supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { changeOrder, closeOrder, createOrder } from '../../lib/domain/purchasing/orders/commands.ts'
import { getOrder, listOrders } from '../../lib/domain/purchasing/orders/endpoints.ts'
import { createReceipt } from '../../lib/domain/purchasing/receipts/commands.ts'
import { listReceipts } from '../../lib/domain/purchasing/receipts/endpoints.ts'
import { type Body, stockroom } from '../stock/stockroom.ts'
import type { Bench, Loose } from '../support/command-context.ts'

export type Buying = Awaited<ReturnType<typeof buying>>

/** `refused...` answers `code message` of the refusal, or `done`. */
export async function buying(bench: Bench, options: Parameters<typeof stockroom>[1] = {}) {
  const room = await stockroom(bench, options)
  const { tenant } = room
  const supplier: string = (await tenant.done(supplierEndpoints.create, { title: 'Nordic Timber', country_code: 'NO' }))
    .id
  const body = (items: Loose[], extra: Body = {}) =>
    'supplier' in extra ? { items, ...extra } : { supplier_id: supplier, items, ...extra }
  const of = (order: Loose) => ({ id: order.id as string })
  return {
    ...room,
    supplier,
    /** An order of these lines; `extra` are further fields of the document. */
    order: (items: Loose[], extra?: Body) => tenant.done(createOrder, body(items, extra)),
    tryOrder: (items: Loose[], extra?: Body) => tenant.run(createOrder, body(items, extra)),
    refusedOrder: (items: Loose[], extra?: Body) => tenant.refusal(createOrder, body(items, extra)),
    change: (order: Loose, given: Body) => tenant.done(changeOrder, given, of(order)),
    tryChange: (order: Loose, given: Body) => tenant.run(changeOrder, given, of(order)),
    refusedChange: (order: Loose, given: Body) => tenant.refusal(changeOrder, given, of(order)),
    receive: (order: Loose, given: Body) => tenant.done(createReceipt, given, of(order)),
    tryReceive: (order: Loose, given: Body) => tenant.run(createReceipt, given, of(order)),
    refusedReceipt: (order: Loose, given: Body) => tenant.refusal(createReceipt, given, of(order)),
    close: (order: Loose, given: Body = {}) => tenant.run(closeOrder, given, of(order)),
    read: (order: Loose) => tenant.read(getOrder, of(order)),
    orders: (filters: Record<string, string> = {}): Promise<Loose[]> =>
      tenant.page(listOrders, { filters, limit: 200 }),
    receipts: (order: Loose): Promise<Loose[]> => tenant.page(listReceipts, { params: of(order) }),
    /** `sku batch until expiry: on hand (quarantined) +expected = value`, one per stock entry with its batch. */
    shelf: async () =>
      (await room.stock()).map((row): string => {
        const batch = row.batch_number === null ? '' : ` ${row.batch_number}`
        const expiry = row.expiry_date === null ? '' : ` until ${row.expiry_date}`
        return `${row.sku}${batch}${expiry}: ${row.quantity} (${row.quarantine_quantity}) +${row.expected_quantity} = ${row.stock_value}`
      }),
  }
}
