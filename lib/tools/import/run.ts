/** Runs an import of a file, and counts the results of its rows. */
import type { Importer, RowOutcome } from '../../../imports/kind.ts'
import { faultText, ImportStopped } from '../../../imports/service.ts'
import { takeRows } from '../../../imports/take-rows.ts'
import { type ReadRow, UnreadableFile } from './rows.ts'

type RowFault = { readonly line: number; readonly message: string }

export type ImportReport = {
  readonly created: number
  readonly changed: number
  /** Already there, with the row's values. */
  readonly known: number
  readonly failed: number
  /** In the order of the lines, at most `FAULTS_MAX`. */
  readonly faults: readonly RowFault[]
  /** Why the import ended before the file did; null when it did not. */
  readonly stopped: string | null
}

type ImportProgress = {
  /** The finished share of the work, 0 to 1. */
  readonly share: number
  /** Rows read. */
  readonly rows: number
  readonly failed: number
}

/** The service runs a tenant's writes one after the other, but up to 32 in one transaction. So many keep it busy. */
const AT_ONCE = 32
const FAULTS_MAX = 10_000

/** Takes every row, then does the writes of the kept rows. `sizeBytes` is the file's size. `onProgress` is called for each step. */
export async function runImport(
  {
    rows,
    sizeBytes,
    importer,
  }: { readonly rows: AsyncGenerator<ReadRow>; readonly sizeBytes: number; readonly importer: Importer },
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportReport> {
  const count = { created: 0, changed: 0, known: 0, failed: 0 }
  const faults: RowFault[] = []
  let read = 0
  const settle = ({ line, outcome }: RowOutcome) => {
    if (typeof outcome === 'string') count[outcome]++
    else {
      count.failed++
      if (faults.length < FAULTS_MAX) faults.push({ line, message: faultText(outcome.faults) })
    }
  }
  const progress = (share: number) => onProgress({ share, rows: read, failed: count.failed })
  let settled = 0
  /** Where rows are kept, reading them is half of the work. */
  const readingShare = () => (settled < read ? 0.5 : 1)
  const stopped = await takeRows(rows, {
    ...{ importer, atOnce: AT_ONCE },
    onOutcomes: outcomes => {
      for (const outcome of outcomes) settle(outcome)
      settled += outcomes.length
    },
    onTaken: record => {
      read += record.length
      progress(((record.at(-1)?.bytesRead ?? 0) / sizeBytes) * readingShare())
    },
    onWritten: share => progress(0.5 + share / 2),
  }).then(() => null, whyStopped)
  if (stopped === null) progress(1)
  return { ...count, faults: faults.sort((a, b) => a.line - b.line), stopped }
}

function whyStopped(error: unknown): string {
  if (error instanceof ImportStopped || error instanceof UnreadableFile) return error.message
  throw error
}
