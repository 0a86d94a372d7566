/** Reads pages of documents for answers. */
import * as v from 'valibot'
import { memoizedBy } from '../../platform/memoized.ts'
import { type Connection, fixedFragment, rows } from '../../platform/postgres/postgres.ts'
import type { Row } from './endpoint.ts'
import { pageRows } from './list-page.ts'
import { rowOrder, rowPosition } from './page-order.ts'
import type { PageQuestion } from './page-question.ts'

/** Documents of one kind: where their rows stand, and how one is rendered. */
export type Documents = {
  readonly table: string
  /** What `document` calls the row. */
  readonly alias: string
  /** SQL of the row's JSON, without values. */
  readonly document: string
}

const DocumentRow = v.object({ id: v.string(), document: v.string() })

/** Stands for the JSON of the row while the rest of a statement is put together. */
const DOCUMENT = fixedFragment('{document}')
/** What lists share is put together for each page, and the rendering, ten times as long, only for each of the few texts. */
const withDocument = memoizedBy(({ document }: Documents, text: string) => text.replace(DOCUMENT.sql, () => document))

/** A page of documents. The ids are chosen first, so that documents are rendered for the page's rows only. */
export async function listDocuments(
  connection: Connection,
  documents: Documents,
  question: Omit<PageQuestion, 'table'>,
): Promise<readonly Row[]> {
  const { table, alias } = documents
  const page = rows(DocumentRow)`
    select ${rowPosition(alias, question)} as id, ${DOCUMENT}::text as document
    from ${pageRows({ table, ...question }, alias)}
    order by ${rowOrder(alias, question)}
  `
  return connection.any({ ...page, sql: withDocument(documents, page.sql) })
}
