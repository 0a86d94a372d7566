/** Runs an import: passes the records of a file to an importer, several at once, and counts the results of rows. */
import { inOrder } from '../../../imports/in-order.ts'
import { joinedRecords, namesOf } from '../../../imports/joined.ts'
import type { Importer, RowOutcome, Write } from '../../../imports/kind.ts'
import { faultText, ImportStopped } from '../../../imports/service.ts'
import { sideBySide } from '../../../imports/side-by-side.ts'
import { type FileRow, UnreadableFile } from './rows.ts'

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
  }: { readonly rows: AsyncGenerator<FileRow>; readonly sizeBytes: number; readonly importer: Importer },
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
  const tell = (share: number) => onProgress({ share, rows: read, failed: count.failed })

  // Where rows are kept, reading them is half of the work.
  const readingShare = importer.rest === undefined ? 1 : 0.5
  const recordInOrder = inOrder()
  const records = joinedRecords(rows, importer, ({ content }) => ('body' in content ? content.body : null))
  let stopped = await untilStopped(async isStopped => {
    // Nothing is awaited between two records: `recordInOrder` must get them in the order of the file.
    const { value: record, done } = await records.next()
    if (done) return false
    const readable = record.flatMap(({ line, content }) => ('body' in content ? [{ line, body: content.body }] : []))
    for (const { line, content } of record) {
      if ('body' in content) continue
      importer.onUnreadable?.(line)
      settle({ line, outcome: content })
    }
    if (readable.length > 0) {
      const outcomes = await recordInOrder(namesOf(importer, readable), async () =>
        isStopped() ? null : importer.take(readable),
      )
      if (outcomes === null) return false
      for (const outcome of outcomes) settle(outcome)
    }
    read += record.length
    tell(((record.at(-1)?.bytesRead ?? 0) / sizeBytes) * readingShare)
    return true
  })
  if (stopped === null && importer.rest !== undefined) {
    const { rest } = importer
    const writeInOrder = inOrder()
    let writes: readonly Write[] | undefined
    let [begun, ended] = [0, 0]
    stopped = await untilStopped(async isStopped => {
      writes ??= rest()
      const next = writes[begun++]
      if (next === undefined) return false
      const outcomes = await writeInOrder(next.names, async () => (isStopped() ? null : next.write()))
      if (outcomes === null) return false
      for (const outcome of outcomes) settle(outcome)
      tell(readingShare + (++ended / writes.length) * (1 - readingShare))
      return true
    })
  }
  if (stopped === null) tell(1)
  return { ...count, faults: faults.sort((a, b) => a.line - b.line), stopped }
}

async function untilStopped(step: (isStopped: () => boolean) => Promise<boolean>): Promise<string | null> {
  try {
    await sideBySide(AT_ONCE, step)
    return null
  } catch (error) {
    if (error instanceof ImportStopped || error instanceof UnreadableFile) return error.message
    throw error
  }
}
