/** Reads pages of documents for answers. */
import * as v from 'valibot'
import { type Connection, type Fragment, rows } from '../../platform/postgres/postgres.ts'
import type { Row } from './endpoint.ts'
import { pageRows } from './list-page.ts'
import { rowOrder, rowPosition } from './page-order.ts'
import type { PageQuestion } from './page-question.ts'

/** Documents of one kind: where their rows stand, and how one is rendered. */
export type Documents = {
  readonly table: string
  /** What `document` calls the row. */
  readonly alias: string
  /** JSON of the row. */
  readonly document: Fragment
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
