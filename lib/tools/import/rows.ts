/** Reads a file row by row, CSV or JSON lines by its name, without holding it in memory. */
import { createReadStream } from 'node:fs'
import { invalid } from '../../kit/api/errors.ts'
import { type JsonObject, JsonSyntaxError, parseJson } from '../../platform/json.ts'
import { bodyOf, type Columns, type Fault, type Header, readHeader } from './columns.ts'
import { CsvError, csvRecords } from './csv.ts'
import { isObject } from './json-values.ts'

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

/** @throws UnreadableFile when the file is not there, is not UTF-8, is no CSV or has too long a line (naming the line). */
export async function* readRows(
  path: string,
  { format, columns }: { readonly format: 'csv' | 'jsonl'; readonly columns: Columns },
): AsyncGenerator<Row> {
  const progress = { bytesRead: 0 }
  const pieces = textOf(path, progress)
  try {
    yield* format === 'csv' ? csvRows(pieces, columns, progress) : jsonRows(pieces, progress)
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableFile(`line ${error.line}: ${error.message}`)
    throw error
  }
}

/** Small, so that progress moves: sending the rows takes far longer than reading them. */
const PIECE_BYTES = 2_048
/** A longer line of JSON could not be sent anyway: the body of a request ends at 1 MiB. */
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

async function* csvRows(pieces: AsyncIterable<string>, columns: Columns, progress: Progress): AsyncGenerator<Row> {
  let header: Header | undefined
  for await (const { line, cells } of csvRecords(pieces)) {
    const { bytesRead } = progress
    if (header !== undefined) {
      yield { line, bytesRead, content: bodyOf(columns, header, cells) }
      continue
    }
    const read = readHeader(columns, cells)
    if ('fault' in read) throw new UnreadableFile(`line ${line}: ${read.fault}`)
    header = read
  }
  if (header === undefined) throw new UnreadableFile('the file is empty')
}

async function* jsonRows(pieces: AsyncIterable<string>, progress: Progress): AsyncGenerator<Row> {
  let line = 0
  let rest = ''
  const rowOf = (text: string): Row[] => {
    line++
    return text.trim() === '' ? [] : [{ line, bytesRead: progress.bytesRead, content: objectOf(text) }]
  }
  for await (const piece of pieces) {
    // Only the new piece is searched: a long line would be gone through again with each.
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
    return isObject(value) ? { body: value } : { fault: 'must be a JSON object' }
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { fault: invalid(error.field, error.message).message }
    throw error
  }
}
