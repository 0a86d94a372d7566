/**
 * Reads rows of a file as bodies of requests: which cell is which field, and what each says. Pure. Whether a value is allowed is the service's
 * business.
 */
import { type DecimalSign, type NumberCell, readNumber } from './numbers.ts'
import { type CsvRecord, withoutEmptyLast } from './records.ts'
import { type Fields, Figure, isFields, type Value } from './values.ts'

/** `codes`: several texts in a cell. */
export type CellType = 'text' | 'number' | 'flag' | 'codes'

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

/** Fields by their names; `address.city` stands in the object `address`. An empty cell is an absent field. */
export function readRow(
  given: readonly string[],
  { fields, typeOf, sign }: Reading,
): { body: Fields; faults: CellFault[] } {
  const cells = withoutEmptyLast(given, fields.length)
  const faults: CellFault[] = []
  const body: Fields = Object.create(null)
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
    const [field = column, part] = partsOf(column)
    const before = body[field]
    body[field] = part === undefined ? read.value : { ...(isFields(before) ? before : {}), [part]: read.value }
  }
  return { body, faults }
}

/** The field of a column, and the name within it: `metadata.a.b` is `a.b` of `metadata`. */
function partsOf(column: string): readonly [field: string, part?: string] {
  const at = column.indexOf('.')
  return at < 0 ? [column] : [column.slice(0, at), column.slice(at + 1)]
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1'].map(text => [text, true] as const),
  ...['false', 'no', '0'].map(text => [text, false] as const),
])

type Cell = { readonly column: string; readonly type: CellType; readonly sign: DecimalSign }

function readCell(text: string, { column, type, sign }: Cell): { readonly value: Value } | { readonly fault: string } {
  if (type === 'text') {
    const fault = codeFault(column, text)
    return fault === null ? { value: text } : { fault }
  }
  if (type === 'codes') {
    const codes = text.split(BETWEEN_CODES).flatMap(code => code.trim() || [])
    const fault = codes.map(code => codeFault(column, code)).find(fault => fault !== null)
    return fault === undefined ? { value: codes } : { fault }
  }
  if (type === 'flag') {
    const value = flags.get(text.toLowerCase())
    return value === undefined ? { fault: `"${text}" is no true or false` } : { value }
  }
  const figure = readNumber(text, sign)
  return figure === null ? { fault: `"${text}" is no number` } : { value: new Figure(figure) }
}

/** What stands between the codes of a cell. */
const BETWEEN_CODES = /[,;|\n]/

/** Columns of codes: digits in them are no amounts. */
const codes: ReadonlySet<string> = new Set([
  ...[
    'barcode',
    'barcodes',
    'sku',
    'material_sku',
    'component_sku',
    'supplier_sku',
    'external_ref',
    'variant_external_ref',
  ],
  ...['supplier_ref', 'batch_number', 'tax_number', 'phone'],
])

/** How spreadsheets show and save a long number: its last digits are lost. */
const SCIENTIFIC = /^\d[.,]\d+E\+\d+$/i
/** `4E+12` may be a sku, and is no barcode. */
const SCIENTIFIC_BARCODE = /^\d(?:[.,]\d+)?E\+\d+$/i

/** Why the text is no code; null where nothing is wrong with it. */
export function codeFault(column: string, text: string): string | null {
  const name = column.slice(column.lastIndexOf('.') + 1)
  const isBarcode = name === 'barcode' || name === 'barcodes'
  if (!codes.has(name) || !(isBarcode ? SCIENTIFIC_BARCODE : SCIENTIFIC).test(text)) return null
  return `"${text}" is what a spreadsheet makes of a long number, whose last digits are lost: format the column as text`
}
