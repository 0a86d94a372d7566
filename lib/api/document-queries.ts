/** Reads pages of documents for answers. */
import * as v from 'valibot'
import { type Connection, type Fragment, rows, sql } from '../postgres/postgres.ts'
import type { Row } from './endpoint.ts'
import { type PageQuestion, pageRows } from './list-page.ts'

/** Documents of one kind: where their rows stand, and how one is rendered. */
export type Documents = {
  readonly table: string
  /** What `document` calls the row. */
  readonly alias: string
  /** JSON of the row. */
  readonly document: Fragment
}

/** What a list's query is asked. */
export type DocumentPage<Filters> = {
  readonly tenantId: string
  readonly filters: Filters
  readonly after: string | null
  readonly limit: number
}

/** A page of documents in id order. The ids are chosen first, so that documents are rendered for the page's rows only. */
export async function listDocuments(
  connection: Connection,
  { table, alias, document }: Documents,
  question: Omit<PageQuestion, 'table'>,
): Promise<readonly Row[]> {
  const row = sql.identifier([alias])
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select ${row}.id::text as id, ${document}::text as document
    from ${pageRows({ table, ...question }, alias)}
    order by ${row}.id
  `)
}
