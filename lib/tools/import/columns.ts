/**
 * How the columns of a file become fields, by what its kind declares. Pure: no I/O and no clock; whether a value is allowed is
 * the endpoint's business.
 */
import type { Fields } from '../../kit/documents/document.ts'
import type { AnyNoun } from '../../kit/documents/noun.ts'
import type { AnyField } from '../../kit/fields/field.ts'
import { JsonNumber, type JsonObject, type JsonValue, NUMBER_LENGTH_MAX } from '../../platform/json.ts'
import { isObject } from './json-values.ts'

export type Column = { readonly type: 'text' | 'number' | 'flag'; readonly required?: true }
export type Columns = Readonly<Record<string, Column>>

export const text: Column = { type: 'text' }
export const number: Column = { type: 'number' }
export const flag: Column = { type: 'flag' }
export const required = (column: Column): Column => ({ ...column, required: true })

/**
 * The columns of a file whose rows are bodies that make a record of the noun. Of an object of texts each has one: `address.city`. Other
 * objects only JSON lines hold.
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

const columnNames = (columns: Columns): readonly string[] => Object.keys(columns)

const requiredNames = (columns: Columns) => columnNames(columns).filter(name => columns[name]?.required)

export type Header = readonly string[]

/** What is wrong with a header or a record, in words. */
export type Fault = { readonly fault: string }

/** The names of the columns, in any case. A column that is not known would be lost unseen, so it is a fault. */
export function readHeader(columns: Columns, cells: readonly string[]): Header | Fault {
  const header = cells.map(cell => cell.trim().toLowerCase())
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
 * A row of a kind whose rows are no bodies of requests: only known fields, the required ones there, text trimmed, what is
 * null or empty left out.
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

/** The body of a record; an empty cell is an absent field. */
export function bodyOf(
  columns: Columns,
  header: Header,
  cells: readonly string[],
): { readonly body: JsonObject } | Fault {
  if (cells.length !== header.length)
    return { fault: `${cells.length} cells, but the header has ${header.length} columns` }
  const body: JsonObject = Object.create(null)
  for (const [at, name] of header.entries()) {
    const text = (cells[at] ?? '').trim()
    if (text === '') continue
    const type = columns[name]?.type ?? 'text'
    const value = readCell(type, text)
    if (value === undefined)
      return { fault: `${name}: "${text}" is no ${type === 'flag' ? 'true or false' : 'number'}` }
    const [field = name, part] = name.split('.')
    const before = body[field]
    body[field] = part === undefined ? value : { ...(isObject(before) ? before : {}), [part]: value }
  }
  return { body }
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['yes', true],
  ['no', false],
  ['1', true],
  ['0', false],
])

function readCell(type: Column['type'], text: string): JsonValue | undefined {
  if (type === 'text') return text
  return type === 'flag' ? flags.get(text.toLowerCase()) : numberOf(text)
}

const numberPattern = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eE][+-]?\d+)?)$/

/** Numbers as people and programs write them (`.50`, `007`, `+1`), in JSON's spelling and with all their digits. */
function numberOf(text: string): JsonNumber | undefined {
  const match = text.length > NUMBER_LENGTH_MAX ? null : numberPattern.exec(text)
  const [, sign, digits = '', fraction = '', exponent = ''] = match ?? []
  if (digits + fraction === '') return undefined
  const whole = digits.replace(/^0+(?=.)/, '') || '0'
  return new JsonNumber(`${sign === '-' ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}${exponent}`)
}
