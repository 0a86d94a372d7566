/**
 * Reads sales returns for answers: one by id, and pages of the list. It must not write; `store.ts` does.
 */
import { type DocumentPage, type Documents, findDocument, listDocuments } from '../../api/document-queries.ts'
import type { Json, Row } from '../../api/endpoint.ts'
import { sameFew, sameFewText, sameKey, sameMany, sameManyText } from '../../api/list-page.ts'
import type { Connection } from '../../store/postgres.ts'
import { returnDocument } from './return-document.ts'
import type { ReturnFilters } from './schemas.ts'

const returns: Documents = { table: 'sales_returns', alias: 'r', document: returnDocument() }

/** The return's document, or null when the tenant has no such return. */
export const findReturn = (
  connection: Connection,
  wanted: { readonly tenantId: string; readonly id: string },
): Promise<Json | null> => findDocument(connection, returns, wanted)

/** A page of returns in id order. */
export const listReturns = (
  connection: Connection,
  { filters, ...of }: DocumentPage<ReturnFilters>,
): Promise<readonly Row[]> =>
  listDocuments(connection, returns, {
    ...of,
    same: [
      ...sameKey('number', filters.number),
      ...sameKey('external_ref', filters.external_ref),
      ...sameFew('sales_order_id', filters.sales_order_id),
      ...sameFewText('external_return_ref', filters.external_return_ref),
      ...sameMany('customer_id', filters.customer_id),
      ...sameManyText('status', filters.status),
    ],
    created: { from: filters.created_after, until: filters.created_before },
  })
