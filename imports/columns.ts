/** Turns the columns of a file into fields, by the columns of its kind. Pure: no I/O and no clock. The endpoint checks the values. */
import { plainHeading } from './headings.ts'
import type { DecimalSign } from './numbers.ts'
import { withoutEmptyLast } from './records.ts'
import { type CellFault, type CellType, readRow } from './rows.ts'
import type { Fields } from './values.ts'

/** The column `metadata.*` stands for columns of any name behind the point. */
export type Column = { readonly type: CellType; readonly required?: true }
export type Columns = Readonly<Record<string, Column>>

export const text: Column = { type: 'text' }
export const number: Column = { type: 'number' }
export const flag: Column = { type: 'flag' }
export const codes: Column = { type: 'codes' }
export const required = (column: Column): Column => ({ ...column, required: true })

/** Columns of one type, by their names with spaces between them. */
export const columnsNamed = (column: Column, names: string): Columns =>
  Object.fromEntries(names.split(' ').map(name => [name, column]))

/** The same columns, none of which a file must have. */
export const optionalColumns = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).map(([name, { type }]) => [name, { type }]))

export const columnNames = (columns: Columns): readonly string[] => Object.keys(columns)

export const requiredNames = (columns: Columns): readonly string[] =>
  columnNames(columns).filter(name => columns[name]?.required)

/** Null where the kind has no such column. */
function columnOf(columns: Columns, name: string): Column | null {
  if (Object.hasOwn(columns, name)) return columns[name] ?? null
  const at = name.indexOf('.')
  const any = at < 0 || at === name.length - 1 ? '' : `${name.slice(0, at)}.*`
  return Object.hasOwn(columns, any) ? (columns[any] ?? null) : null
}

export const typeIn =
  (columns: Columns) =>
  (name: string): CellType =>
    columnOf(columns, name)?.type ?? 'text'

type Kind = { readonly columns: Columns; readonly aliases?: Readonly<Record<string, string>> | undefined }

/** The column that a cell of a header names, in any case and also with blanks, or by another heading; null where it names none. */
export function namedColumn({ columns, aliases = {} }: Kind, cell: string): string | null {
  const text = cell.trim()
  const plain = text.toLowerCase().replace(/[\s-]/g, '_')
  if (Object.hasOwn(columns, plain) && !plain.endsWith('.*')) return plain
  const heading = plainHeading(text)
  if (Object.hasOwn(aliases, heading)) return aliases[heading] ?? null
  if (Object.hasOwn(columns, heading)) return heading
  // What stands behind the point is a name of the tenant's own, as it is.
  const at = text.indexOf('.')
  const own = at < 0 ? plain : `${plain.slice(0, at)}${text.slice(at)}`
  return own.endsWith('.*') || columnOf(columns, own) === null ? null : own
}

export type Header = readonly string[]

/** What is wrong with a header or a record. */
export type Fault = { readonly fault: string }

/** The names of the columns, in any case. An unknown column is a fault, because its values would be lost unnoticed. */
export function readHeader(
  columns: Columns,
  cells: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): Header | Fault {
  const header: string[] = []
  for (const cell of withoutEmptyLast(cells)) {
    const name = namedColumn({ columns, aliases }, cell)
    if (name === null)
      return { fault: `"${cell.trim()}" is no column; the columns are ${columnNames(columns).join(', ')}` }
    header.push(name)
  }
  const repeated = header.find((name, at) => header.indexOf(name) !== at)
  if (repeated !== undefined) return { fault: `the column ${repeated} is there twice` }
  const missing = requiredNames(columns).find(name => !header.includes(name))
  if (missing !== undefined) return { fault: `the column ${missing} is missing` }
  return header
}

/**
 * A row of a kind whose rows are no bodies of requests: only known fields, all required ones, text trimmed, null or empty values left out.
 */
export function recordOf(columns: Columns, body: Fields): { readonly record: Fields } | CellFault {
  const record: Fields = Object.create(null)
  for (const [name, given] of Object.entries(body)) {
    const column = columnOf(columns, name)
    if (column === null)
      return { column: name, reason: `is no field; the fields are ${columnNames(columns).join(', ')}` }
    const value = typeof given === 'string' ? given.trim() : given
    if (value === null || value === '') continue
    if (column.type === 'text' && typeof value !== 'string') return { column: name, reason: 'must be text' }
    record[name] = value
  }
  const missing = requiredNames(columns).find(name => record[name] === undefined)
  return missing === undefined ? { record } : { column: missing, reason: 'is required' }
}

/** The body of a record. An empty cell is an absent field. */
export function bodyOf(
  columns: Columns,
  { header, sign }: { readonly header: Header; readonly sign: DecimalSign },
  cells: readonly string[],
): { readonly body: Fields } | { readonly faults: readonly CellFault[] } {
  const { body, faults } = readRow(cells, { fields: header, typeOf: typeIn(columns), sign })
  return faults.length === 0 ? { body } : { faults }
}
