/**
 * Runs an import: rows of a file through a sender, several at once, and counts what became of them. It must not print.
 */
import type { JsonObject } from '../../api/json.ts'
import { type Row, UnreadableFile } from './rows.ts'
import { ImportStopped, type Outcome } from './send.ts'

export type RowFault = { readonly line: number; readonly message: string }

export type ImportReport = {
  readonly created: number
  /** There already, as the row asks. */
  readonly known: number
  readonly failed: number
  /** In the order of the lines, at most `FAULTS_MAX`. */
  readonly faults: readonly RowFault[]
  /** Why the import ended before the file did; null when it did not. */
  readonly stopped: string | null
}

/** The service runs a tenant's writes one after the other, but up to 32 in one transaction: so many keep it busy. */
const ROWS_AT_ONCE = 32
const FAULTS_MAX = 10_000

/** Sends every row. `onProgress` hears of each that is done. */
export async function runImport(
  rows: AsyncGenerator<Row>,
  send: (body: JsonObject) => Promise<Outcome>,
  onProgress: (progress: { readonly bytesRead: number; readonly rows: number; readonly failed: number }) => void,
): Promise<ImportReport> {
  const count = { created: 0, known: 0, failed: 0 }
  const faults: RowFault[] = []
  let stopped: string | null = null
  const take = async () => {
    while (stopped === null) {
      const { value: row, done } = await rows.next()
      if (done) return
      const outcome = 'fault' in row.content ? row.content : await send(row.content.body)
      if (typeof outcome === 'string') count[outcome]++
      else {
        count.failed++
        if (faults.length < FAULTS_MAX) faults.push({ line: row.line, message: outcome.fault })
      }
      onProgress({ bytesRead: row.bytesRead, rows: count.created + count.known + count.failed, failed: count.failed })
    }
  }
  const takeUntilStopped = async () => {
    try {
      await take()
    } catch (error) {
      if (!(error instanceof ImportStopped || error instanceof UnreadableFile)) throw error
      stopped ??= error.message
    }
  }
  // All of them end before an error is passed on: none may go on sending unseen.
  const ends = await Promise.allSettled(Array.from({ length: ROWS_AT_ONCE }, takeUntilStopped))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return { ...count, faults: faults.sort((a, b) => a.line - b.line), stopped }
}
