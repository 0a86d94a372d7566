/** Reads a file row by row, CSV or JSON lines by its name, without keeping the file in memory. */
import { createReadStream } from 'node:fs'
import {
  bodyOf,
  type Columns,
  columnNames,
  type Fault,
  type Header,
  readHeader,
  typeIn,
} from '../../../imports/columns.ts'
import { type ImportKind, type Refused, refused } from '../../../imports/kind.ts'
import { type DecimalSign, signFaultText, signFinder } from '../../../imports/numbers.ts'
import { CsvError, type CsvRecord, csvReader, isEmptyRow } from '../../../imports/records.ts'
import { codeFault, numbersOf } from '../../../imports/rows.ts'
import type { ShopReader } from '../../../imports/shop-reader.ts'
import { type ShopFormat, shopReader } from '../../../imports/shops.ts'
import type { FileRow } from '../../../imports/take-rows.ts'
import { type Fields, Figure, fieldsIn, isFields, type Value } from '../../../imports/values.ts'
import { invalid } from '../../kit/api/errors.ts'
import { JsonNumber, JsonSyntaxError, type JsonValue, parseJson } from '../../platform/json.ts'

/** The file as a whole cannot be read. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}

/** `bytesRead`: how much of the file has been read. */
export type ReadRow = FileRow & { readonly bytesRead: number }

/** `csv` or `jsonl` by the end of the name; undefined for any other. */
export function formatOf(path: string): 'csv' | 'jsonl' | undefined {
  if (/\.csv$/i.test(path)) return 'csv'
  return /\.(?:jsonl|ndjson)$/i.test(path) ? 'jsonl' : undefined
}

export type RowFormat = {
  readonly format: 'csv' | 'jsonl'
  /** Whose export of products a CSV file is; undefined: its columns are the kind's. */
  readonly shop?: ShopFormat | undefined
  readonly columns: Columns
  /** Other names of columns. */
  readonly aliases?: ImportKind['aliases']
  /** The decimal sign of a CSV file; undefined: as its numbers show. */
  readonly sign?: DecimalSign | undefined
}

/**
 * A CSV file is read twice, so that an unreadable file gives no row at all.
 * @throws UnreadableFile when the file is missing, is not UTF-8, is no CSV, has too long a line, or ambiguous numbers (naming the line)
 */
export async function* readRows(path: string, { format, sign: asked, ...named }: RowFormat): AsyncGenerator<ReadRow> {
  const progress = { bytesRead: 0 }
  try {
    if (format === 'jsonl') yield* jsonRows(textOf(path, progress), progress)
    else {
      const table = named.shop === undefined ? plainTable(named) : await shopTable(path, named.shop)
      const sign = await signOf(table(textOf(path, { bytesRead: 0 })), named.columns)
      // Shopify's decimals always have a point.
      const said = named.shop === 'shopify' ? 'point' : asked
      yield* csvRows(table(textOf(path, progress)), { ...named, sign: said ?? sign(), progress })
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableFile(`line ${error.line}: ${error.message}`)
    throw error
  }
}

/** Small, so that progress moves: sending rows takes far longer than reading them. */
const PIECE_BYTES = 2_048
/** A longer line of JSON could not be sent: the body of a request has at most 1 MiB. */
const LINE_CHARACTERS_MAX = 1_048_576

type Progress = { bytesRead: number }

async function* textOf(path: string, progress: Progress): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch {
      throw new UnreadableFile('the file is not UTF-8')
    }
  }
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Uint8Array>) {
      progress.bytesRead += bytes.length
      yield decode(bytes)
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile((error as Error).message)
  }
  yield decode()
}

type Named = Pick<RowFormat, 'columns' | 'aliases'>

/** The records of a CSV file, the header first. Empty rows are skipped. */
async function* recordsOf(pieces: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const reader = csvReader()
  let isEmpty = true
  function* filled(records: readonly CsvRecord[]) {
    for (const record of records) {
      if (isEmptyRow(record)) continue
      isEmpty = false
      yield record
    }
  }
  for await (const piece of pieces) yield* filled(reader.read(piece))
  yield* filled(reader.end())
  if (isEmpty) throw new UnreadableFile('the file is empty')
}

/** The records of a text below its header, each with the columns of its cells. */
type Table = (pieces: AsyncIterable<string>) => AsyncGenerator<{ readonly header: Header; readonly record: CsvRecord }>

const plainTable = ({ columns, aliases }: Named): Table =>
  async function* (pieces) {
    let header: Header | undefined
    for await (const record of recordsOf(pieces)) {
      if (header === undefined) header = headerOf(record, readHeader(columns, record.cells, aliases))
      else yield { header, record }
    }
  }

function headerOf<Read>({ line }: CsvRecord, read: Read | Fault): Read {
  if (typeof read === 'object' && read !== null && 'fault' in read)
    throw new UnreadableFile(`line ${line}: ${(read as Fault).fault}`)
  return read as Read
}

/** The columns of a file that could be read; of JSON lines all that the kind has, since any line may have them. */
export async function columnsIn(path: string, { format, shop, columns, aliases = {} }: RowFormat): Promise<Header> {
  if (format === 'jsonl') return columnNames(columns)
  if (shop !== undefined) return []
  try {
    for await (const { cells } of recordsOf(textOf(path, { bytesRead: 0 }))) {
      const header = readHeader(columns, cells, aliases)
      return 'fault' in header ? [] : header
    }
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof UnreadableFile)) throw error
  }
  return []
}

/** The rows of a shop's export: all of it is looked at before the first one. */
async function shopTable(path: string, shop: ShopFormat): Promise<Table> {
  const open = (first: CsvRecord) => headerOf(first, shopReader(shop, first.cells))
  let learned: ShopReader | undefined
  for await (const record of recordsOf(textOf(path, { bytesRead: 0 }))) {
    if (learned === undefined) learned = open(record)
    else learned.learn(record)
  }
  const reader = learned
  return async function* (pieces) {
    if (reader === undefined) return
    const header = reader.header()
    let isHeader = true
    for await (const record of recordsOf(pieces)) {
      const row = isHeader ? null : reader.read(record)
      isHeader = false
      if (row !== null) yield { header, record: row }
    }
  }
}

/** @returns the decimal sign of the file's numbers; it throws UnreadableFile where the numbers do not show it */
async function signOf(rows: ReturnType<Table>, columns: Columns): Promise<() => DecimalSign> {
  const finder = signFinder()
  const typeOf = typeIn(columns)
  let fault: ReturnType<typeof finder.hear> = null
  for await (const { header, record } of rows)
    for (const cell of numbersOf(record, { fields: header, typeOf })) fault ??= finder.hear(cell)
  return () => {
    if (fault === null) return finder.found()
    throw new UnreadableFile(`${signFaultText(fault)}: say which with --decimal comma or --decimal point`)
  }
}

type Reading = Named & { readonly sign: DecimalSign; readonly progress: Progress }

async function* csvRows(rows: ReturnType<Table>, { columns, sign, progress }: Reading): AsyncGenerator<ReadRow> {
  for await (const { header, record } of rows) {
    const { line, cells } = record
    yield { line, bytesRead: progress.bytesRead, content: bodyOf(columns, { header, sign }, cells) }
  }
}

async function* jsonRows(pieces: AsyncIterable<string>, progress: Progress): AsyncGenerator<ReadRow> {
  let line = 0
  let rest = ''
  const rowOf = (text: string): ReadRow[] => {
    line++
    return text.trim() === '' ? [] : [{ line, bytesRead: progress.bytesRead, content: objectOf(text) }]
  }
  for await (const piece of pieces) {
    // Only the new piece is searched: otherwise a long line would be searched again with each piece.
    const [end = '', ...lines] = piece.split('\n')
    rest += end
    for (const text of lines) {
      yield* rowOf(rest)
      rest = text
    }
    if (rest.length > LINE_CHARACTERS_MAX) throw new UnreadableFile(`line ${line + 1}: is longer than 1 MiB`)
  }
  yield* rowOf(rest)
}

function objectOf(text: string): ReadRow['content'] {
  try {
    const value = valueIn(parseJson(text))
    if (!isFields(value)) return refused(null, 'must be a JSON object')
    return codeFaultIn(value) ?? { body: value }
  } catch (error) {
    if (error instanceof JsonSyntaxError) return refused(null, invalid(error.field, error.message).message)
    throw error
  }
}

function valueIn(json: JsonValue): Value {
  if (json instanceof JsonNumber) return new Figure(json.text)
  if (Array.isArray(json)) return json.map(valueIn)
  if (json === null || typeof json !== 'object') return json
  const fields: Fields = Object.create(null)
  for (const [name, value] of Object.entries(json)) fields[name] = valueIn(value)
  return fields
}

/** The fault of a code in the record, or in an object or list inside it; null if there is none. */
function codeFaultIn(record: Fields, path = ''): Refused | null {
  for (const [name, value] of Object.entries(record)) {
    const inner = isFields(value) ? [value] : fieldsIn(value)
    const fault = typeof value === 'string' ? codeFault(name, value.trim()) : null
    if (fault !== null) return refused(`${path}${name}`, fault)
    for (const each of inner) {
      const fault = codeFaultIn(each, `${path}${name}.`)
      if (fault !== null) return fault
    }
  }
  return null
}
