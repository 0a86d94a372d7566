/** Reads documents for answers: one by its id, and pages of a list. */
import * as v from 'valibot'
import { type Connection, type Fragment, rows, sql } from '../postgres/postgres.ts'
import type { Json, Row } from './endpoint.ts'
import { type PageQuestion, pageRows } from './list-page.ts'
import { rowOrder, rowPosition } from './page-order.ts'

/** Documents of one kind: where their rows stand, and how one is rendered. */
export type Documents = {
  readonly table: string
  /** What `document` calls the row. */
  readonly alias: string
  /** JSON of the row. */
  readonly document: Fragment
  /** A further condition on the row. */
  readonly isThere: Fragment
}

/** The document, or null when the tenant has none with this id. */
export async function findDocument(
  connection: Connection,
  { table, alias, document, isThere }: Documents,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<Json | null> {
  const row = sql.identifier([alias])
  const found = await connection.maybeOne(rows(v.object({ document: v.string() }))`
    select ${document}::text as document
    from ${sql.identifier([table])} ${row}
    where ${row}.tenant_id = ${tenantId}::bigint and ${row}.id = ${id}::bigint ${isThere}
  `)
  return found?.document ?? null
}

/** A page of documents. The ids are chosen first, so that documents are rendered for the page's rows only. */
export async function listDocuments(
  connection: Connection,
  { table, alias, document }: Documents,
  question: Omit<PageQuestion, 'table'>,
): Promise<readonly Row[]> {
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select ${rowPosition(alias, question)} as id, ${document}::text as document
    from ${pageRows({ table, ...question }, alias)}
    order by ${rowOrder(alias, question)}
  `)
}
