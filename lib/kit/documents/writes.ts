/** Makes the statements that write a unit of work's changed records: by document, referenced documents first. */
import type { Query } from '../../platform/postgres/round-trip.ts'
import type { Document, LineDocument } from './document.ts'
import { rowOf, write } from './statements.ts'
import type { Entry, Work } from './work.ts'

type Row = Readonly<Record<string, unknown>>
type Rows = { readonly insert: Row[]; readonly update: Row[]; readonly delete: Row[] }
const noRows = (): Rows => ({ insert: [], update: [], delete: [] })

/**
 * Updates and inserts, then deletes in the reverse order. In each table updates come first: a new record may take a unique text that a
 * change freed in the same unit of work.
 */
export function writesOf(works: readonly Work[]): Query[] {
  const changes = new Map<Document, TableRows>()
  for (const work of works) {
    for (const { document, entries } of work.changes()) {
      const rows = changes.get(document) ?? tablesOf(document)
      changes.set(document, rows)
      for (const entry of entries) addRows(work.tenant.id, document, entry, rows)
    }
  }
  const ranked = [...changes].sort(([a], [b]) => a.rank - b.rank)
  const put = ranked.flatMap(([, tables]) =>
    [...tables].flatMap(([table, rows]) => [...some('update', table, rows), ...some('insert', table, rows)]),
  )
  const removed = ranked
    .reverse()
    .flatMap(([, tables]) => [...tables].reverse().flatMap(([table, rows]) => some('delete', table, rows)))
  return [...put, ...removed]
}

/** The document's own rows, then those of its lines. */
type TableRows = ReadonlyMap<Document | LineDocument, Rows>
const tablesOf = (document: Document): TableRows =>
  new Map([document, ...document.lines.map(({ of }) => of)].map(table => [table, noRows()]))

const some = (what: keyof Rows, table: Document | LineDocument, rows: Rows): Query[] =>
  rows[what].length === 0 ? [] : [write(what, table, rows[what])]

function addRows(tenantId: string, document: Document, { loaded, now }: Entry, tables: TableRows): void {
  const head = now ?? loaded
  if (head === null) return
  const what = loaded === null ? 'insert' : now === null ? 'delete' : 'update'
  tables.get(document)?.[what].push(rowOf(document, tenantId, head))
  for (const { property, of } of document.lines) {
    type Line = { readonly id: string } & Row
    const rows = tables.get(of) ?? noRows()
    const before = new Map(((loaded?.[property] ?? []) as Line[]).map(line => [line.id, line]))
    for (const line of (now?.[property] ?? []) as Line[]) {
      const known = before.get(line.id)
      if (known !== line) rows[known ? 'update' : 'insert'].push(rowOf(of, tenantId, line, head.id))
      before.delete(line.id)
    }
    for (const line of before.values()) rows.delete.push(rowOf(of, tenantId, line, head.id))
  }
}
