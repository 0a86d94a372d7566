/** Runs an import: passes rows of a file to an importer, several at once, and counts the results. */
import { inOrder } from './in-order.ts'
import type { Importer, RowOutcome, Write } from './kind.ts'
import { type Row, UnreadableFile } from './rows.ts'
import { ImportStopped } from './service.ts'

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
  }: { readonly rows: AsyncGenerator<Row>; readonly sizeBytes: number; readonly importer: Importer },
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportReport> {
  const count = { created: 0, changed: 0, known: 0, failed: 0 }
  const faults: RowFault[] = []
  let read = 0
  const settle = ({ line, outcome }: RowOutcome) => {
    if (typeof outcome === 'string') count[outcome]++
    else {
      count.failed++
      if (faults.length < FAULTS_MAX) faults.push({ line, message: outcome.fault })
    }
  }
  const tell = (share: number) => onProgress({ share, rows: read, failed: count.failed })

  // Where rows are kept, reading them is half of the work.
  const readingShare = importer.rest === undefined ? 1 : 0.5
  const rowInOrder = inOrder()
  const takeRow = async (isStopped: () => boolean) => {
    // Nothing is awaited between two rows: `rowInOrder` must get them in the order of the file.
    const { value: row, done } = await rows.next()
    if (done) return false
    const { line, bytesRead, content } = row
    if ('fault' in content) importer.onUnreadable?.(line)
    const outcome =
      'fault' in content
        ? content
        : await rowInOrder(importer.names?.(content.body) ?? [], async () =>
            isStopped() ? undefined : importer.take({ line, body: content.body }),
          )
    if (outcome === undefined) return false
    if (outcome !== null) settle({ line, outcome })
    read++
    tell((bytesRead / sizeBytes) * readingShare)
    return true
  }
  let stopped = await sideBySide(takeRow)
  if (stopped === null && importer.rest !== undefined) {
    const { rest } = importer
    const writeInOrder = inOrder()
    let writes: readonly Write[] = []
    let [begun, ended] = [0, 0]
    stopped = await untilStopped(async () => {
      writes = rest()
    })
    stopped ??= await sideBySide(async isStopped => {
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

/**
 * Runs steps, several at once, until one returns that there is no more or cannot continue. The result is the reason. A step may ask whether
 * another one stopped.
 */
async function sideBySide(step: (isStopped: () => boolean) => Promise<boolean>): Promise<string | null> {
  let stopped: string | null = null
  const isStopped = () => stopped !== null
  const take = async () => {
    const why = await untilStopped(async () => {
      while (!isStopped() && (await step(isStopped))) {}
    })
    stopped ??= why
  }
  // All steps end before an error is passed on: none may continue to send unnoticed.
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, take))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return stopped
}

async function untilStopped(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof ImportStopped || error instanceof UnreadableFile) return error.message
    throw error
  }
}
