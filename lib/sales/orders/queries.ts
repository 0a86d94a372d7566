/**
 * Reads sales orders for answers: one by id, and pages of the list. It must not write; `store.ts` does.
 */
import { type DocumentPage, type Documents, findDocument, listDocuments } from '../../api/document-queries.ts'
import type { Json, Row } from '../../api/endpoint.ts'
import { sameKey, sameMany, sameManyText } from '../../api/list-page.ts'
import type { Connection } from '../../store/postgres.ts'
import { orderDocument } from './order-document.ts'
import type { OrderFilters } from './schemas.ts'

const orders: Documents = { table: 'sales_orders', alias: 'o', document: orderDocument() }

/** The order's document, or null when the tenant has no such order. */
export const findOrder = (
  connection: Connection,
  wanted: { readonly tenantId: string; readonly id: string },
): Promise<Json | null> => findDocument(connection, orders, wanted)

/** A page of orders in id order. */
export const listOrders = (
  connection: Connection,
  { filters, ...of }: DocumentPage<OrderFilters>,
): Promise<readonly Row[]> =>
  listDocuments(connection, orders, {
    ...of,
    same: [
      ...sameKey('number', filters.number),
      ...sameKey('external_ref', filters.external_ref),
      ...sameMany('customer_id', filters.customer_id),
      ...sameManyText('status', filters.status),
      ...sameManyText('delivery_status', filters.delivery_status),
    ],
    created: { from: filters.created_after, until: filters.created_before },
  })
