/**
 * Reads rows of a file as bodies of requests: which cell is which field, and what each says. Pure; the command line and the portal read rows
 * with it. Whether a value is allowed is the service's business.
 */
import { type DecimalSign, type NumberCell, readNumber } from './numbers.ts'
import { type CsvRecord, withoutEmptyLast } from './records.ts'

export type CellType = 'text' | 'number' | 'flag'

/** A number in JSON's spelling, with all its digits. */
export type Figure = { readonly figure: `${number}` }
export type CellValue = string | boolean | Figure
type Parts = Readonly<Record<string, CellValue>>
/** Fields by their names; `address.city` stands in the object `address`. An empty cell is an absent field. */
export type RowBody = Readonly<Record<string, CellValue | Parts>>

/** `column` is null where the whole row is meant. */
export type CellFault = { readonly column: string | null; readonly reason: string }

export type Reading = {
  /** The field of each column; null: the column is left out. */
  readonly fields: readonly (string | null)[]
  readonly typeOf: (field: string) => CellType
  readonly sign: DecimalSign
}

/** The numbers of a row, for finding the sign before their decimals. */
export const numbersOf = (
  { line, cells }: CsvRecord,
  { fields, typeOf }: Pick<Reading, 'fields' | 'typeOf'>,
): readonly NumberCell[] =>
  fields.flatMap((column, at) =>
    column === null || typeOf(column) !== 'number' ? [] : [{ line, column, text: (cells[at] ?? '').trim() }],
  )

export function readRow(
  given: readonly string[],
  { fields, typeOf, sign }: Reading,
): { body: RowBody; faults: CellFault[] } {
  const cells = withoutEmptyLast(given, fields.length)
  const faults: CellFault[] = []
  const body: Record<string, CellValue | Parts> = Object.create(null)
  if (cells.length !== fields.length)
    faults.push({ column: null, reason: `${cells.length} cells, but the header has ${fields.length} columns` })
  for (const [at, column] of fields.entries()) {
    const text = (cells[at] ?? '').trim()
    if (column === null || text === '') continue
    const read = readCell(text, { column, type: typeOf(column), sign })
    if ('fault' in read) {
      faults.push({ column, reason: read.fault })
      continue
    }
    const [field = column, part] = column.split('.')
    const before = body[field]
    body[field] = part === undefined ? read.value : { ...(isParts(before) ? before : {}), [part]: read.value }
  }
  return { body, faults }
}

export const isFigure = (value: RowBody[string]): value is Figure => typeof value === 'object' && 'figure' in value
export const isParts = (value: RowBody[string] | undefined): value is Parts =>
  typeof value === 'object' && !('figure' in value)

const flags: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1'].map(text => [text, true] as const),
  ...['false', 'no', '0'].map(text => [text, false] as const),
])

type Cell = { readonly column: string; readonly type: CellType; readonly sign: DecimalSign }

function readCell(
  text: string,
  { column, type, sign }: Cell,
): { readonly value: CellValue } | { readonly fault: string } {
  if (type === 'text') {
    const fault = codeFault(column, text)
    return fault === null ? { value: text } : { fault }
  }
  if (type === 'flag') {
    const value = flags.get(text.toLowerCase())
    return value === undefined ? { fault: `"${text}" is no true or false` } : { value }
  }
  const figure = readNumber(text, sign)
  return figure === null ? { fault: `"${text}" is no number` } : { value: { figure: figure as `${number}` } }
}

/** Columns of codes: digits in them are no amounts. */
const codes: ReadonlySet<string> = new Set([
  ...['barcode', 'sku', 'material_sku', 'supplier_sku', 'external_ref', 'supplier_ref'],
  ...['batch_number', 'tax_number', 'phone'],
])

/** How spreadsheets show and save a long number: its last digits are lost. */
const SCIENTIFIC = /^\d[.,]\d+E\+\d+$/i
/** `4E+12` may be a sku, and is no barcode. */
const SCIENTIFIC_BARCODE = /^\d(?:[.,]\d+)?E\+\d+$/i

/** Why the text is no code; null where nothing is wrong with it. */
export function codeFault(column: string, text: string): string | null {
  const name = column.slice(column.lastIndexOf('.') + 1)
  if (!codes.has(name) || !(name === 'barcode' ? SCIENTIFIC_BARCODE : SCIENTIFIC).test(text)) return null
  return `"${text}" is what a spreadsheet makes of a long number, whose last digits are lost: format the column as text`
}
