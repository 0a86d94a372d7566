/**
 * Reads receipts for answers, and the place that a new one names. It must not write; `store.ts` does.
 */
import * as v from 'valibot'
import type { Row } from '../../api/endpoint.ts'
import { pageStartDescending } from '../../api/list-page.ts'
import { type Connection, type Fragment, rows, sql } from '../../store/postgres.ts'
import { receiptDocument } from './document.ts'
import type { ReceivingPlace } from './rules.ts'

/** A page of an order's receipts, the newest first; null when the tenant has no such order. */
export async function listReceipts(
  connection: Connection,
  page: {
    readonly tenantId: string
    readonly orderId: string
    readonly after: string | null
    readonly limit: number
  },
): Promise<readonly Row[] | null> {
  const { tenantId, orderId } = page
  const found = await connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select r.id::text as id, ${receiptDocument()}::text as document
    from purchase_receipts r
    where r.tenant_id = ${tenantId}::bigint and r.purchase_order_id = ${orderId}::bigint
      and r.id < ${pageStartDescending(page.after)}::bigint
    order by r.id desc
    limit ${page.limit}
  `)
  // An order without receipts and no order look the same so far.
  return found.length > 0 || (await orderExists(connection, { tenantId, orderId })) ? found : null
}

async function orderExists(
  connection: Connection,
  { tenantId, orderId }: { readonly tenantId: string; readonly orderId: string },
): Promise<boolean> {
  const { found } = await connection.one(rows(v.object({ found: v.boolean() }))`
    select exists (
      select from purchase_orders where tenant_id = ${tenantId}::bigint and id = ${orderId}::bigint
    ) as found
  `)
  return found
}

/** A scalar for the load of a receipt: JSON of the place, or null. */
export const placeLookup = (tenantId: string, id: string): Fragment => sql.fragment`(
  select json_build_object('purchase_allowed', purchase_allowed)
  from storage_places where tenant_id = ${tenantId}::bigint and id = ${id}::bigint
)`

const FoundPlace = v.object({ purchase_allowed: v.boolean() })

/** Reads what `placeLookup` answered. */
export function placeFrom(found: string | null): ReceivingPlace {
  return found === null ? null : { purchaseAllowed: v.parse(FoundPlace, JSON.parse(found)).purchase_allowed }
}
