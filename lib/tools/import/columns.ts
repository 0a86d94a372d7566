/** Turns the columns of a file into fields, by the declaration of its kind. Pure: no I/O and no clock. The endpoint checks the values. */
import type { DecimalSign } from '../../../csv/numbers.ts'
import { withoutEmptyLast } from '../../../csv/records.ts'
import { type CellType, isFigure, isParts, type RowBody, readRow } from '../../../csv/rows.ts'
import type { Fields } from '../../kit/documents/document.ts'
import type { AnyNoun } from '../../kit/documents/noun.ts'
import type { AnyField } from '../../kit/fields/field.ts'
import { JsonNumber, type JsonObject } from '../../platform/json.ts'

export type Column = { readonly type: CellType; readonly required?: true }
export type Columns = Readonly<Record<string, Column>>

export const text: Column = { type: 'text' }
export const number: Column = { type: 'number' }
export const flag: Column = { type: 'flag' }
export const required = (column: Column): Column => ({ ...column, required: true })

/**
 * The columns of a file whose rows are bodies that make a record of the noun. Each text of an object of texts has a column: `address.city`.
 * Only JSON lines can contain other objects.
 */
export const columnsOf = ({ fields, create }: AnyNoun): Columns =>
  Object.fromEntries(
    Object.entries({ ...fields, ...create } as Fields).flatMap(([name, field]) => {
      if (field.is !== 'column' || !('sent' in field)) return []
      const { sent, type, parts } = field as AnyField
      const isSent = name in create || sent.on === 'create' || sent.on === 'both'
      if (!isSent) return []
      if (parts) return parts.map(part => [`${name}.${part}`, text])
      if (type === 'jsonb') return []
      const column = type === 'boolean' ? flag : type === 'integer' || type === 'numeric' ? number : text
      return [[name, sent.absent === 'refused' ? required(column) : column]]
    }),
  )

/** The same columns, none of which a file must have. */
export const optionalColumns = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).map(([name, { type }]) => [name, { type }]))

const columnNames = (columns: Columns): readonly string[] => Object.keys(columns)

const requiredNames = (columns: Columns) => columnNames(columns).filter(name => columns[name]?.required)

export type Header = readonly string[]

/** What is wrong with a header or a record. */
export type Fault = { readonly fault: string }

/** The names of the columns, in any case. An unknown column is a fault, because its values would be lost unnoticed. */
export function readHeader(
  columns: Columns,
  cells: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): Header | Fault {
  const header = withoutEmptyLast(cells).map(cell => {
    const name = cell.trim().toLowerCase()
    return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name
  })
  const unknown = header.find(name => !Object.hasOwn(columns, name))
  if (unknown !== undefined)
    return { fault: `"${unknown}" is no column; the columns are ${columnNames(columns).join(', ')}` }
  const repeated = header.find((name, at) => header.indexOf(name) !== at)
  if (repeated !== undefined) return { fault: `the column ${repeated} is there twice` }
  const missing = requiredNames(columns).find(name => !header.includes(name))
  if (missing !== undefined) return { fault: `the column ${missing} is missing` }
  return header
}

/**
 * A row of a kind whose rows are no bodies of requests: only known fields, all required ones, text trimmed, null or empty values left out.
 */
export function recordOf(columns: Columns, body: JsonObject): { readonly record: JsonObject } | Fault {
  const record: JsonObject = Object.create(null)
  for (const [name, given] of Object.entries(body)) {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined
    if (column === undefined)
      return { fault: `${name}: is no field; the fields are ${columnNames(columns).join(', ')}` }
    const value = typeof given === 'string' ? given.trim() : given
    if (value === null || value === '') continue
    if (column.type === 'text' && typeof value !== 'string') return { fault: `${name}: must be text` }
    record[name] = value
  }
  const missing = requiredNames(columns).find(name => record[name] === undefined)
  return missing === undefined ? { record } : { fault: `${missing}: is required` }
}

/** The body of a record. An empty cell is an absent field. */
export function bodyOf(
  columns: Columns,
  { header, sign }: { readonly header: Header; readonly sign: DecimalSign },
  cells: readonly string[],
): { readonly body: JsonObject } | Fault {
  const { body, faults } = readRow(cells, { fields: header, typeOf: typeIn(columns), sign })
  const [fault] = faults
  if (fault === undefined) return { body: jsonOf(body) }
  return { fault: fault.column === null ? fault.reason : `${fault.column}: ${fault.reason}` }
}

export const typeIn =
  (columns: Columns) =>
  (name: string): CellType =>
    columns[name]?.type ?? 'text'

function jsonOf(body: RowBody): JsonObject {
  const json: JsonObject = Object.create(null)
  for (const [name, value] of Object.entries(body))
    json[name] = isFigure(value) ? new JsonNumber(value.figure) : isParts(value) ? jsonOf(value) : value
  return json
}
