/**
 * The references of records: columns that name a record of the same tenant. The database has no foreign keys for them
 * (docs/decisions/0006). `reconcile` checks that the named records exist.
 */
import type { Document, Field, Fields, LineDocument } from './document.ts'

/** `key`: the columns of the named table that they refer to. */
export type Reference = { readonly table: string; readonly columns: string; readonly of: string; readonly key: string }

/** The references of these documents and of their lines, each once. */
export function referencesOf(documents: readonly Document[]): readonly Reference[] {
  const all = documents.flatMap(document => [
    ...inTable(document),
    ...document.lines.flatMap(({ of }) => [
      ...inTable(of),
      { table: of.table, columns: of.parent, of: document.table, key: 'id' },
    ]),
  ])
  return [...new Map(all.map(each => [`${each.table} ${each.columns}`, each])).values()]
}

const inTable = ({ table, fields }: Document | LineDocument): readonly Reference[] => inFields(table, fields, fields)

function inFields(table: string, fields: Fields, all: Fields): readonly Reference[] {
  return Object.entries(fields).flatMap(([name, field]): readonly Reference[] => {
    if (field.is === 'group') return inFields(table, field.fields, all)
    if (field.is === 'shown') return [{ table, columns: field.column, of: field.of.table, key: 'id' }]
    if (field.is !== 'column' || field.refersTo === undefined || field.source) return []
    const { table: of, parent } = field.refersTo
    const column = field.column ?? name
    // A line is named by its document's id and its own.
    return parent !== undefined && hasColumn(all, parent)
      ? [{ table, columns: `${parent}, ${column}`, of, key: `${parent}, id` }]
      : [{ table, columns: column, of, key: 'id' }]
  })
}

const hasColumn = (fields: Fields, column: string): boolean =>
  Object.entries(fields).some(
    ([name, field]: [string, Field]) => field.is === 'column' && (field.column ?? name) === column,
  )
