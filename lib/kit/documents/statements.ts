/**
 * The statements of a declared document, each with a text that never changes: load by keys, insert, update, delete, for rows of any number
 * of tenants.
 *
 * Rows are looked up one by one, by their whole keys (`lateral`, `limit 1`), and not joined. The plan is made for the average tenant, and a
 * join would read all rows of a huge tenant (docs/decisions/0005).
 */

import { memoized, memoizedBy } from '../../platform/memoized.ts'
import type { Query } from '../../platform/postgres/round-trip.ts'
import { type RowArrays, rowArrays } from '../../platform/postgres/row-arrays.ts'
import { valueIn } from '../fields/field.ts'
import type { BoundColumn, Document, LineDocument } from './document.ts'
import { quoteName as name, quoteText, type Sql } from './sql.ts'

const list = (parts: readonly Sql[]): Sql => parts.join(', ')

/** Columns as texts, named after their properties. */
export const selected = (columns: readonly BoundColumn[], alias: string): Sql =>
  list(
    columns.map(({ property, column, field }) => `${field.select(valueIn(field, column, alias))} as ${name(property)}`),
  )

/** How a value (of type bigint) finds a record: `sql` selects the record's `id` for `a.tenant_id` and `a.value`. */
export type Via = { readonly name: string; readonly sql: Sql }

/** The ids of the records that the asked values find, under the name of the values. */
export const ledTo = ({ sql }: Via): Sql => `(
      select distinct a.tenant_id, found.id as value
      from unnest($1::bigint[], $2::bigint[]) as a (tenant_id, value)
      cross join lateral (${sql}) found
    ) q`

/** Rows that other processes write too are locked, always in the same order. */
const ordered = ({ shared }: { readonly shared: boolean }, from: Sql): Sql =>
  shared ? `(select * from ${from} order by tenant_id, value offset 0) q` : from
const locked = ({ shared }: { readonly shared: boolean }): Sql => (shared ? 'for no key update' : '')

/** Rows of records by a unique field. `from` gives its values as `q.value`. */
export const recordsText = (document: Document, by: string, from: Sql): Sql => `
    select q.tenant_id, ${selected(document.columns, 'r')}
    from ${ordered(document, from)}
    cross join lateral (
      select * from ${name(document.table)} where tenant_id = q.tenant_id and ${name(by)} = q.value
        ${document.removedBy === null ? '' : `and ${name(document.removedBy)} is null`}
      limit 1 ${locked(document)}
    ) r ${document.beside === undefined ? '' : `cross join lateral ${document.beside('r')}`}`

/** Rows of the lines of records by id, in their order. */
export const linesText = (line: LineDocument, from: Sql): Sql => `
    select q.tenant_id, q.value as parent, ${selected(line.columns, 'r')}
    from ${ordered(line, from)}
    cross join lateral (
      select * from ${name(line.table)} where tenant_id = q.tenant_id and ${name(line.parent)} = q.value offset 0 ${locked(line)}
    ) r
    order by r.id`

/** Another record, named in a column. */
export type Other = { readonly of: Document; readonly column: string }

/** Rows of the other records that records by id, or their lines, name in a column. */
export function othersText(table: Document | LineDocument, { of, column }: Other, asked: Sql): Sql {
  // A line is found by its parent. A record that many lines name is loaded once.
  const key = 'parent' in table ? table.parent : 'id'
  return `
    select d.tenant_id, ${selected(of.columns, 'r')}
    from (
      select distinct q.tenant_id, d.other
      from ${asked}
      cross join lateral (
        select ${name(column)} as other from ${name(table.table)} where tenant_id = q.tenant_id and ${name(key)} = q.value
        offset 0
      ) d
    ) d
    cross join lateral (
      select * from ${name(of.table)} where tenant_id = d.tenant_id and id = d.other limit 1
    ) r`
}

/** The ids of the records with these values in a unique field. */
export const holdersText = (document: Document, by: string, asked: Sql): Sql => `
    select q.tenant_id, q.value, r.id
    from ${asked}
    cross join lateral (
      select id from ${name(document.table)} where tenant_id = q.tenant_id and ${name(by)} = q.value limit 1
    ) r`

/** The fewest digits of a counted number. */
const NUMBER_DIGITS_MIN = 5

const freeText = memoizedBy(
  ({ kind, table }: Document, prefix: string) => `
    select q.tenant_id, f.count, f.number
    from unnest($1::bigint[], $2::integer[]) as q (tenant_id, wanted)
    cross join lateral (
      select coalesce((document_counts ->> ${quoteText(kind)})::integer, 0) as used
      from tenant_streams where tenant_id = q.tenant_id
    ) s
    cross join lateral (
      select n.count, n.number
      from (
        -- In the select list, where it is made row by row: as many as are looked at.
        select count, ${quoteText(`${prefix}-`)} || lpad(count::text, greatest(length(count::text), ${NUMBER_DIGITS_MIN}), '0') as number
        from (select generate_series(s.used + 1, 2147483647) as count) c
      ) n
      where (
        -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
        -- nearly empty when this was planned. It is asked for each number.
        select number from ${name(table)} where tenant_id = q.tenant_id and number >= n.number order by number limit 1
      ) is distinct from n.number
      limit q.wanted
    ) f`,
)

/** The next free counted numbers, with their counts, in order: as many as wanted for each tenant. */
export function loadFreeNumbers(document: Document, wanted: ReadonlyMap<string, number>): Query {
  if (document.prefix === null) throw new Error(`${document.kind} has no counted numbers`)
  return { text: freeText(document, document.prefix), values: [[...wanted.keys()], [...wanted.values()]] }
}

// ---- writing

type Row = Readonly<Record<string, unknown>>
const rowsOf = ({ from, names }: RowArrays): Sql => `${from} as r (${names})`

type Table = Pick<Document, 'table' | 'columns'> & { readonly parent?: string }
const bigint = 'bigint'
const keysOf = ({ parent }: Table) => ['tenant_id', ...(parent === undefined ? [] : [parent])]
const typedKeys = (table: Table) => Object.fromEntries(keysOf(table).map(column => [column, bigint]))
/** A line may show the column with its document's id. */
const allOf = memoized((table: Table) =>
  rowArrays({
    ...typedKeys(table),
    ...Object.fromEntries(table.columns.filter(isWritten).map(({ column, field }) => [column, field.type])),
  }),
)
const identityOf = memoized((table: Table) => rowArrays({ ...typedKeys(table), id: bigint }))
const isWritten = ({ field }: BoundColumn): boolean => field.source === undefined

const insertText = memoized((table: Table) => {
  const rows = allOf(table)
  return `
    insert into ${name(table.table)} (${rows.names})
    select * from ${rowsOf(rows)}`
})

const isThis = (table: Table) =>
  [...keysOf(table), 'id'].map(column => `${name('t', column)} = ${name('r', column)}`).join(' and ')

const updateText = memoized((table: Table) => {
  const changing = table.columns.filter(isWritten).filter(({ column }) => column !== 'id')
  return `
    update ${name(table.table)} t set ${list(changing.map(({ column }) => `${name(column)} = ${name('r', column)}`))}
    from ${rowsOf(allOf(table))} where ${isThis(table)}`
})

const deleteText = memoized(
  (table: Table) =>
    `
    delete from ${name(table.table)} t
    using ${rowsOf(identityOf(table))} where ${isThis(table)}`,
)

const texts = { insert: insertText, update: updateText, delete: deleteText }

/** Writes rows that `rowOf` made. A delete uses only the keys. */
export const write = (what: keyof typeof texts, table: Table, rows: readonly Row[]): Query => ({
  text: texts[what](table),
  values: (what === 'delete' ? identityOf : allOf)(table).valuesOf(rows),
})

/** A record, or a line of the record `parentId`, as a row for `write`. */
export function rowOf(
  table: Table,
  tenantId: string,
  record: Readonly<Record<string, unknown>>,
  parentId?: string,
): Row {
  const row: Record<string, unknown> = { tenant_id: tenantId }
  if (table.parent !== undefined) row[table.parent] = parentId
  for (const { property, column, field } of table.columns)
    if (field.source === undefined) row[column] = field.write(record[property])
  return row
}

/** A record of a loaded row. */
export function recordFrom(
  columns: readonly BoundColumn[],
  row: Readonly<Record<string, string | null>>,
): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const { property, field } of columns) {
    const text = row[property] ?? null
    record[property] = text === null ? null : field.read(text)
  }
  return record
}
