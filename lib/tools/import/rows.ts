/** Reads a file row by row, CSV or JSON lines by its name, without keeping the file in memory. */
import { createReadStream } from 'node:fs'
import { type DecimalSign, signFaultText, signFinder } from '../../../csv/numbers.ts'
import { CsvError, type CsvRecord, csvReader, isEmptyRow } from '../../../csv/records.ts'
import { codeFault, numbersOf } from '../../../csv/rows.ts'
import { invalid } from '../../kit/api/errors.ts'
import { type JsonObject, JsonSyntaxError, parseJson } from '../../platform/json.ts'
import { bodyOf, type Columns, type Fault, type Header, readHeader, typeIn } from './columns.ts'
import { isObject, objectsOf } from './json-values.ts'
import type { ImportKind } from './kind.ts'

/** The file as a whole cannot be read. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}

export type Row = {
  /** The line on which it begins; the first is 1. */
  readonly line: number
  /** How much of the file has been read, in bytes. */
  readonly bytesRead: number
  /** Its fields, or what is wrong with the row. */
  readonly content: { readonly body: JsonObject } | Fault
}

/** `csv` or `jsonl` by the end of the name; undefined for any other. */
export function formatOf(path: string): 'csv' | 'jsonl' | undefined {
  if (/\.csv$/i.test(path)) return 'csv'
  return /\.(?:jsonl|ndjson)$/i.test(path) ? 'jsonl' : undefined
}

export type RowFormat = {
  readonly format: 'csv' | 'jsonl'
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
export async function* readRows(
  path: string,
  { format, columns, aliases, sign: asked }: RowFormat,
): AsyncGenerator<Row> {
  const progress = { bytesRead: 0 }
  try {
    if (format === 'jsonl') yield* jsonRows(textOf(path, progress), progress)
    else {
      const sign = await signOf(textOf(path, { bytesRead: 0 }), { columns, aliases })
      yield* csvRows(textOf(path, progress), { columns, aliases, sign: asked ?? sign(), progress })
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

type Named = Pick<RowFormat, 'columns'> & { readonly aliases: RowFormat['aliases'] | undefined }

/** The records of a CSV file with its header. Empty rows are skipped. */
async function* tableOf(
  pieces: AsyncIterable<string>,
  { columns, aliases }: Named,
): AsyncGenerator<{ readonly header: Header; readonly record: CsvRecord }> {
  const reader = csvReader()
  let header: Header | undefined
  function* table(records: readonly CsvRecord[]) {
    for (const record of records) {
      if (isEmptyRow(record)) continue
      if (header !== undefined) {
        yield { header, record }
        continue
      }
      const read = readHeader(columns, record.cells, aliases)
      if ('fault' in read) throw new UnreadableFile(`line ${record.line}: ${read.fault}`)
      header = read
    }
  }
  for await (const piece of pieces) yield* table(reader.read(piece))
  yield* table(reader.end())
  if (header === undefined) throw new UnreadableFile('the file is empty')
}

/** @returns the decimal sign of the file's numbers; it throws UnreadableFile where the numbers do not show it */
async function signOf(pieces: AsyncIterable<string>, named: Named): Promise<() => DecimalSign> {
  const finder = signFinder()
  const typeOf = typeIn(named.columns)
  let fault: ReturnType<typeof finder.hear> = null
  for await (const { header, record } of tableOf(pieces, named))
    for (const cell of numbersOf(record, { fields: header, typeOf })) fault ??= finder.hear(cell)
  return () => {
    if (fault === null) return finder.found()
    throw new UnreadableFile(`${signFaultText(fault)}: say which with --decimal comma or --decimal point`)
  }
}

type Reading = Named & { readonly sign: DecimalSign; readonly progress: Progress }

async function* csvRows(pieces: AsyncIterable<string>, { sign, progress, ...named }: Reading): AsyncGenerator<Row> {
  const { columns } = named
  for await (const { header, record } of tableOf(pieces, named)) {
    const { line, cells } = record
    yield { line, bytesRead: progress.bytesRead, content: bodyOf(columns, { header, sign }, cells) }
  }
}

async function* jsonRows(pieces: AsyncIterable<string>, progress: Progress): AsyncGenerator<Row> {
  let line = 0
  let rest = ''
  const rowOf = (text: string): Row[] => {
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

function objectOf(text: string): Row['content'] {
  try {
    const value = parseJson(text)
    if (!isObject(value)) return { fault: 'must be a JSON object' }
    const fault = codeFaultIn(value)
    return fault === null ? { body: value } : { fault }
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { fault: invalid(error.field, error.message).message }
    throw error
  }
}

/** The fault of a code in the record, or in an object or list inside it. */
function codeFaultIn(record: JsonObject): string | null {
  for (const [name, value] of Object.entries(record)) {
    const inner = isObject(value) ? [value] : objectsOf(value)
    const fault = typeof value === 'string' ? codeFault(name, value.trim()) : null
    if (fault !== null) return `${name}: ${fault}`
    for (const each of inner) {
      const fault = codeFaultIn(each)
      if (fault !== null) return `${name}.${fault}`
    }
  }
  return null
}
