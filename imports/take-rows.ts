/** Takes the rows of a file: passes its records to an importer, several at once, then does the writes of the rows that it kept. */
import { inOrder } from './in-order.ts'
import { joinedRecords, namesOf } from './joined.ts'
import type { Importer, Refused, RowOutcome, Write } from './kind.ts'
import { sideBySide } from './side-by-side.ts'
import type { Fields } from './values.ts'

/** A row of a file: its fields, or what is wrong with it. */
export type FileRow = { readonly line: number; readonly content: { readonly body: Fields } | Refused }

type Taking<Given> = {
  readonly importer: Importer
  /** Records that are taken at once. */
  readonly atOnce: number
  /** Gets what became of some rows, once it is known. */
  readonly onOutcomes: (outcomes: readonly RowOutcome[]) => void
  /** Gets each record once it is taken or kept. */
  readonly onTaken?: (record: readonly Given[]) => void
  /** Gets the share of the writes of kept rows that are done, 0 to 1. */
  readonly onWritten?: (share: number) => void
}

/** Rejects with what ended the run: what an importer or a reader of rows threw. */
export async function takeRows<Given extends FileRow>(
  rows: AsyncIterable<Given> | Iterable<Given>,
  { importer, atOnce, onOutcomes, onTaken, onWritten }: Taking<Given>,
): Promise<void> {
  const recordInOrder = inOrder()
  const records = joinedRecords(rows, importer, ({ content }) => ('body' in content ? content.body : null))
  await sideBySide(atOnce, async isStopped => {
    // Nothing is awaited between two records: `recordInOrder` must get them in the order of the file.
    const { value: record, done } = await records.next()
    if (done) return false
    const readable = record.flatMap(({ line, content }) => ('body' in content ? [{ line, body: content.body }] : []))
    for (const { line, content } of record) {
      if ('body' in content) continue
      importer.onUnreadable?.(line)
      onOutcomes([{ line, outcome: content }])
    }
    if (readable.length > 0) {
      const outcomes = await recordInOrder(namesOf(importer, readable), async () =>
        isStopped() ? null : importer.take(readable),
      )
      if (outcomes === null) return false
      onOutcomes(outcomes)
    }
    onTaken?.(record)
    return true
  })
  if (importer.rest === undefined) return
  const writes: readonly Write[] = importer.rest()
  const writeInOrder = inOrder()
  let [begun, ended] = [0, 0]
  await sideBySide(atOnce, async isStopped => {
    const next = writes[begun++]
    if (next === undefined) return false
    const outcomes = await writeInOrder(next.names, async () => (isStopped() ? null : next.write()))
    if (outcomes === null) return false
    onOutcomes(outcomes)
    onWritten?.(++ended / writes.length)
    return true
  })
}
