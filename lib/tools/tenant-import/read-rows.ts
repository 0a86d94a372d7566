/** Reads the rows of an export (lib/tools/export/rows.ts), in batches of a table. It writes nothing. */
import { createReadStream } from 'node:fs'
import * as v from 'valibot'

const PORTION_ROWS = 500

const First = v.object({ migrations: v.array(v.string()) })
const Head = v.object({ table: v.string(), columns: v.array(v.string()) })
const Values = v.array(v.nullable(v.string()))

/** The values of a row, in the order of the columns. */
export type Values = (string | null)[]
export type RowBatch = { readonly table: string; readonly columns: readonly string[]; readonly rows: readonly Values[] }

/** The migrations of the rows' schema. */
export async function readMigrations(path: string): Promise<readonly string[]> {
  for await (const line of linesOf(path)) return v.parse(First, JSON.parse(line)).migrations
  return []
}

/** Every table comes at least once, also without rows. */
export async function* readBatches(path: string): AsyncGenerator<RowBatch> {
  let head: v.InferOutput<typeof Head> | undefined
  let rows: Values[] = []
  for await (const line of linesOf(path)) {
    const value: unknown = JSON.parse(line)
    if (Array.isArray(value)) rows.push(v.parse(Values, value))
    if (head !== undefined && (!Array.isArray(value) || rows.length === PORTION_ROWS)) {
      yield { ...head, rows }
      rows = []
    }
    if (v.is(Head, value)) head = value
  }
  if (head !== undefined) yield { ...head, rows }
}

/** Splits only at `\n`: texts may contain other line ends. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const bytes of createReadStream(path) as AsyncIterable<Uint8Array>) {
    const [end = '', ...lines] = decoder.decode(bytes, { stream: true }).split('\n')
    rest += end
    for (const line of lines) {
      yield rest
      rest = line
    }
  }
}
