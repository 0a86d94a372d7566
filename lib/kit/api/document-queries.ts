/** Reads pages of documents for answers. */
import * as v from 'valibot'
import { memoizedBy } from '../../platform/memoized.ts'
import { type Connection, type Fragment, fixedFragment, rows } from '../../platform/postgres/postgres.ts'
import type { Order } from './endpoint.ts'
import { pageRows } from './list-page.ts'
import { idOf, rowOrder, rowPosition } from './page-order.ts'
import type { PageQuestion } from './page-question.ts'

/** Documents of one kind: their table, and the SQL that renders one. */
export type Documents = {
  readonly table: string
  /** The alias of the row in `document`. */
  readonly alias: string
  /** The SQL of the row's JSON, without bound values. */
  readonly document: string
  /** A condition on the row `r` for every page, without bound values. */
  readonly and: Fragment
}

const DocumentRow = v.object({ id: v.string(), document: v.string() })

/** Placeholder for the row's JSON while the rest of a statement is built. */
const DOCUMENT = fixedFragment('{document}')
/** The common part of the text is made for each page. The rendering is ten times as long, and is made once for each of the few texts. */
const withDocument = memoizedBy(({ document }: Documents, text: string) => text.replace(DOCUMENT.sql, () => document))

/** A page of documents. The ids are selected first, so that only the page's rows are rendered. */
export const listDocuments = (connection: Connection, documents: Documents, question: Question) =>
  connection.any(pageOf(documents, question))

/** As `listDocuments`, without filters. The text of such pages is made once for each order. */
export function listUnfiltered(connection: Connection, documents: Documents, { order, ...given }: Unfiltered) {
  const page = unfilteredOf(documents, order)
  const values = { tenantId: given.tenantId, after: idOf(given.after, order), limit: given.limit }
  return connection.any({ ...page, values: page.values.map(place => values[place as keyof typeof values]) })
}

type Question = Omit<PageQuestion, 'table' | 'and'>
type Unfiltered = Pick<Question, 'tenantId' | 'after' | 'limit' | 'order'>

function pageOf(documents: Documents, question: Question) {
  const { table, alias, and } = documents
  const page = rows(DocumentRow)`
    select ${rowPosition(alias, question)} as id, ${DOCUMENT}::text as document
    from ${pageRows({ table, and, ...question }, alias)}
    order by ${rowOrder(alias, question)}
  `
  return { ...page, sql: withDocument(documents, page.sql) }
}

/** Names replace the values that are bound later. */
const unfilteredOf = memoizedBy((documents: Documents, order: Order) =>
  pageOf(documents, { tenantId: 'tenantId', after: 'after', limit: 'limit' as never, order }),
)
