/** Records of a file as bodies of requests: which column is which field, what each cell says, and what is wrong with it. */
import { type DecimalSign, type SignFault, signFinder } from '../../../../csv/numbers.ts'
import type { CsvRecord } from '../../../../csv/records.ts'
import { type CellType, numbersOf, type RowBody, readRow } from '../../../../csv/rows.ts'
import type { ImportKind } from './kinds.ts'

export type Fault = {
  readonly line: number
  /** Null: of the whole line. */
  readonly column: string | null
  readonly reason: string
}

export type Row = {
  readonly line: number
  readonly cells: readonly string[]
  readonly body: RowBody
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

type Reading = { readonly kind: ImportKind; readonly mapping: Mapping; readonly sign: DecimalSign }

const typeIn =
  ({ columns }: ImportKind) =>
  (name: string): CellType =>
    columns[name] ?? 'text'

/** What stands before the decimals of the numbers that are read, or why that is not known. */
export function signOf(
  records: readonly CsvRecord[],
  { kind, mapping }: Omit<Reading, 'sign'>,
): DecimalSign | SignFault {
  const finder = signFinder()
  for (const record of records.slice(1))
    for (const cell of numbersOf(record, { fields: mapping, typeOf: typeIn(kind) })) {
      const fault = finder.hear(cell)
      if (fault !== null) return fault
    }
  return finder.found()
}

/** The lines below the header. */
export function rowsOf(records: readonly CsvRecord[], reading: Reading): readonly Row[] {
  const seen = new Map<string, number>()
  return records.slice(1).map(record => rowOf(record, reading, seen))
}

/** @param seen the lines of values that only one line has. */
function rowOf({ line, cells }: CsvRecord, { kind, mapping, sign }: Reading, seen: Map<string, number>): Row {
  const { body, faults: found } = readRow(cells, { fields: mapping, typeOf: typeIn(kind), sign })
  const faults: Fault[] = found.map(fault => ({ line, ...fault }))
  for (const name of kind.unique) {
    const text = body[name]
    if (text === undefined) continue
    const first = seen.get(`${name} ${text}`)
    if (first === undefined) seen.set(`${name} ${text}`, line)
    else faults.push({ line, column: name, reason: `line ${first} has ${text}, too` })
  }
  for (const name of kind.required)
    if (!Object.hasOwn(body, name) && !faults.some(({ column }) => column === name))
      faults.push({ line, column: name, reason: 'is needed' })
  return { line, cells, body, faults }
}
