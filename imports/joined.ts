/** Rows of a file as records: which of them are one, and by which names others know it. */
import type { Importer, Row } from './kind.ts'
import type { Fields } from './values.ts'

/** Rows of one record beyond these are a record of their own, which goes on with it. */
const RECORD_ROWS_MAX = 1_000

/** Rows that follow each other and are of one record, together. A row without a body cannot be read, and stands alone. */
export async function* joinedRecords<Given>(
  rows: AsyncIterable<Given> | Iterable<Given>,
  { joins }: Importer,
  bodyOf: (row: Given) => Fields | null,
): AsyncGenerator<readonly Given[]> {
  let record: Given[] = []
  for await (const row of rows) {
    const body = bodyOf(row)
    const before = record[0] === undefined ? null : bodyOf(record[0])
    const isJoined = body !== null && before !== null && record.length < RECORD_ROWS_MAX && joins?.(body, before)
    if (isJoined) record.push(row)
    else {
      if (record.length > 0) yield record
      record = [row]
    }
  }
  if (record.length > 0) yield record
}

/** The names of the records that some rows find or make. */
export async function namesOf({ names }: Importer, record: readonly Row[]): Promise<readonly string[]> {
  const all = await Promise.all(record.map(({ body }) => names?.(body) ?? []))
  return [...new Set(all.flat())]
}
