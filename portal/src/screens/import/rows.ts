/** Records of a file as bodies of requests: which column is which field, what each cell says, and what is wrong with it. */
import type { Decimal } from '../../exact.ts'
import type { CsvRecord } from './csv.ts'
import type { ColumnType, ImportKind } from './kinds.ts'

/** A number as the file spells it, in JSON's spelling. */
export type Figure = { readonly figure: Decimal }
export type Value = string | boolean | Figure
export type Body = Readonly<Record<string, Value | Readonly<Record<string, Value>>>>

export type Fault = {
  readonly line: number
  /** Null: of the whole line. */
  readonly column: string | null
  readonly reason: string
}

export type Row = {
  readonly line: number
  readonly cells: readonly string[]
  readonly body: Body
  /** What can be told without the service; such a line is not sent. */
  readonly faults: readonly Fault[]
}

export const withoutFault = ({ faults }: Row): boolean => faults.length === 0

/** Which field each column of the file is; null: it is left out. */
export type Mapping = readonly (string | null)[]

const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

export const guessed = (header: readonly string[], { columns }: ImportKind): Mapping =>
  header.map((name, index) => {
    const known = Object.hasOwn(columns, plain(name)) ? plain(name) : null
    const isFirst = header.findIndex(other => plain(other) === plain(name)) === index
    return isFirst ? known : null
  })

/** What keeps a file from being sent, in words; null where nothing does. */
export function mappingFault(mapping: Mapping, { required, columns }: ImportKind): string | null {
  const twice = mapping.find((name, index) => name !== null && mapping.indexOf(name) !== index)
  if (twice !== undefined) return `Two columns are ${twice}: choose another one, or leave one out.`
  const missing = required.find(name => !mapping.includes(name))
  if (missing !== undefined) return `No column is ${missing}: choose the one that is.`
  if (mapping.every(name => name === null))
    return `No column is known: choose what they are. ${Object.keys(columns).join(', ')}`
  return null
}

export type Spelling = 'point' | 'comma'

/** A file of spreadsheets that write decimals with a comma. */
export const spellingOf = (records: readonly CsvRecord[], separator: string): Spelling =>
  separator === ';' && records.slice(1, 50).some(({ cells }) => cells.some(cell => /^-?\d+,\d+$/.test(cell.trim())))
    ? 'comma'
    : 'point'

const flags: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1'].map(text => [text, true] as const),
  ...['false', 'no', '0'].map(text => [text, false] as const),
])

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eE][+-]?\d+)?)$/
/** Longer ones the service would refuse. */
const NUMBER_LENGTH_MAX = 100

/** Numbers as people and programs write them (`.50`, `007`, `+1`), with all their digits. */
function figureOf(text: string, spelling: Spelling): Figure | null {
  if (spelling === 'comma' && text.includes('.')) return null
  const pointed = spelling === 'comma' ? text.replace(',', '.') : text
  const match = pointed.length > NUMBER_LENGTH_MAX ? null : NUMBER.exec(pointed)
  const [, sign, digits = '', fraction = '', exponent = ''] = match ?? []
  if (digits + fraction === '') return null
  const whole = digits.replace(/^0+(?=.)/, '') || '0'
  return { figure: `${sign === '-' ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}${exponent}` as Decimal }
}

function readCell(type: ColumnType, text: string, spelling: Spelling): Value | null {
  if (type === 'text') return text
  return type === 'flag' ? (flags.get(text.toLowerCase()) ?? null) : figureOf(text, spelling)
}

type Reading = { readonly kind: ImportKind; readonly mapping: Mapping; readonly spelling: Spelling }

/** The lines below the header. */
export function rowsOf(records: readonly CsvRecord[], reading: Reading): readonly Row[] {
  const width = records[0]?.cells.length ?? 0
  const seen = new Map<string, number>()
  return records.slice(1).map(record => rowOf(record, width, reading, seen))
}

/** @param seen the lines of values that only one line has. */
function rowOf(
  { line, cells }: CsvRecord,
  width: number,
  { kind, mapping, spelling }: Reading,
  seen: Map<string, number>,
): Row {
  const faults: Fault[] = []
  const body: Record<string, Value | Record<string, Value>> = {}
  if (cells.length !== width)
    faults.push({ line, column: null, reason: `${cells.length} cells, but the header has ${width} columns` })
  for (const [index, name] of mapping.entries()) {
    const text = (cells[index] ?? '').trim()
    if (name === null || text === '') continue
    const type = kind.columns[name] ?? 'text'
    const value = readCell(type, text, spelling)
    if (value === null) {
      faults.push({ line, column: name, reason: `"${text}" is no ${type === 'flag' ? 'true or false' : 'number'}` })
      continue
    }
    const [field = name, part] = name.split('.')
    const before = body[field]
    if (part === undefined) body[field] = value
    else body[field] = { ...(isParts(before) ? before : {}), [part]: value }
    if (!kind.unique.includes(name)) continue
    const first = seen.get(`${name} ${text}`)
    if (first === undefined) seen.set(`${name} ${text}`, line)
    else faults.push({ line, column: name, reason: `line ${first} has ${text}, too` })
  }
  for (const name of kind.required)
    if (!Object.hasOwn(body, name) && !faults.some(({ column }) => column === name))
      faults.push({ line, column: name, reason: 'is needed' })
  return { line, cells, body, faults }
}

const isParts = (value: Body[string] | undefined): value is Record<string, Value> =>
  typeof value === 'object' && !('figure' in value)
