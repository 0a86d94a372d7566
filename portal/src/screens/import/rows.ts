/** Records of a file as bodies of requests: which column is which field, what each cell says, and what is wrong with it. */
import {
  columnNames,
  type Fault as FileFault,
  namedColumn,
  requiredNames,
  typeIn,
} from '../../../../imports/columns.ts'
import { isComponentRow } from '../../../../imports/components.ts'
import type { ImportKind } from '../../../../imports/kind.ts'
import { type DecimalSign, type SignFault, signFinder } from '../../../../imports/numbers.ts'
import { partedRow } from '../../../../imports/product-stock.ts'
import type { CsvRecord } from '../../../../imports/records.ts'
import { type CellFault, numbersOf, readRow } from '../../../../imports/rows.ts'
import { type ShopFormat, shopReader } from '../../../../imports/shops.ts'
import { type Fields, sameValue } from '../../../../imports/values.ts'

export type Fault = CellFault & { readonly line: number }

export type Row = {
  readonly line: number
  readonly cells: readonly string[]
  readonly body: Fields
  /** Faults that are found without the service. A line with one is not sent. */
  readonly faults: readonly CellFault[]
}

/** The field of each column of the file; null: the column is left out. */
export type Mapping = readonly (string | null)[]

/** Maps columns by their headings. If two columns could be one field, the one with the field's exact name is taken. */
export function guessed(header: readonly string[], kind: ImportKind): Mapping {
  const names = header.map(cell => namedColumn(kind, cell))
  const own = header.map(cell => namedColumn({ columns: kind.columns }, cell))
  return names.map((name, at) => {
    const first = own.includes(name) ? own.indexOf(name) : names.indexOf(name)
    return first === at ? name : null
  })
}

/** Why the file cannot be sent; null if it can. */
export function mappingFault(mapping: Mapping, { columns }: ImportKind, { update }: How): string | null {
  const twice = mapping.find((name, index) => name !== null && mapping.indexOf(name) !== index)
  if (twice !== undefined) return `Two columns are ${twice}: choose another one, or leave one out.`
  // A change of an existing record keeps what the file leaves out.
  const missing = update ? undefined : requiredNames(columns).find(name => !mapping.includes(name))
  if (missing !== undefined) return `No column is ${missing}: choose the one that is.`
  if (mapping.every(name => name === null))
    return `No column is known: choose what they are. ${columnNames(columns).join(', ')}`
  return null
}

type How = { readonly update: boolean }
type Reading = How & { readonly kind: ImportKind; readonly mapping: Mapping; readonly sign: DecimalSign }

/** The decimal sign of the numbers, or why it is unknown. */
export function signOf(
  records: readonly CsvRecord[],
  { kind, mapping }: Pick<Reading, 'kind' | 'mapping'>,
): DecimalSign | SignFault {
  const finder = signFinder()
  for (const record of records.slice(1))
    for (const cell of numbersOf(record, { fields: mapping, typeOf: typeIn(kind.columns) })) {
      const fault = finder.hear(cell)
      if (fault !== null) return fault
    }
  return finder.found()
}

export function rowsOf(records: readonly CsvRecord[], reading: Reading): readonly Row[] {
  const seen = new Map<string, Pick<Row, 'line' | 'body'>>()
  return records.slice(1).map(record => rowOf(record, reading, seen))
}

/** @param seen the first line of each value that must be unique. */
function rowOf(
  { line, cells }: CsvRecord,
  { kind, mapping, sign, update }: Reading,
  seen: Map<string, Pick<Row, 'line' | 'body'>>,
): Row {
  const { body, faults } = readRow(cells, { fields: mapping, typeOf: typeIn(kind.columns), sign })
  const isUnread = faults.length > 0
  // Lines with the same values are one record. Lines of a change apply one after the other.
  for (const name of update ? [] : kind.unique) {
    const text = body[name]
    if (typeof text !== 'string') continue
    const first = seen.get(`${name} ${text}`)
    if (first === undefined) seen.set(`${name} ${text}`, { line, body })
    // Several rows may have the same record at different places.
    else if (!sameValue(partedRow(body).goods, partedRow(first.body).goods) && !isComponentRow(body))
      faults.push({ column: name, reason: `line ${first.line} has ${text}, too` })
  }
  if (!update && !isUnread)
    for (const name of requiredNames(kind.columns))
      if (!Object.hasOwn(body, name) && !isVariantRow(body)) faults.push({ column: name, reason: 'is needed' })
  return { line, cells, body, faults }
}

/** A further row of a product need not repeat the product's fields. */
const isVariantRow = ({ external_ref: ref, variant_title: title, sku, ...row }: Fields): boolean =>
  isComponentRow(row) ? ref !== undefined || sku !== undefined : ref !== undefined && (title ?? sku) !== undefined

/** The records of a shop's export as records with the columns of products; the header comes first, as in the file. */
export function shopRecords(records: readonly CsvRecord[], shop: ShopFormat): readonly CsvRecord[] | FileFault {
  const [header, ...lines] = records
  const reader = shopReader(shop, header?.cells ?? [])
  if ('fault' in reader) return reader
  for (const record of lines) reader.learn(record)
  return [{ line: header?.line ?? 1, cells: reader.header() }, ...lines.flatMap(record => reader.read(record) ?? [])]
}
