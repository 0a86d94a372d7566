/** Takes the lines of a file into the service, or asks what would become of them. */
import { inOrder } from '../../../../imports/in-order.ts'
import { joinedRecords, namesOf } from '../../../../imports/joined.ts'
import type { Importer, RowOutcome } from '../../../../imports/kind.ts'
import { sideBySide } from '../../../../imports/side-by-side.ts'
import type { Row } from './rows.ts'

/**
 * Lines that can be read, in the order of the file.
 * @param onOutcomes gets what became of some lines, once it is known
 * @throws what ended the run: the key's day or the plan is spent, the service is away, the signal
 */
export async function takeRows(
  rows: readonly Row[],
  { importer, atOnce }: { readonly importer: Importer; readonly atOnce: number },
  onOutcomes: (outcomes: readonly RowOutcome[]) => void,
): Promise<void> {
  const recordInOrder = inOrder()
  const records = joinedRecords(rows, importer, ({ body }) => body)
  await sideBySide(atOnce, async isStopped => {
    const { value: record, done } = await records.next()
    if (done) return false
    const outcomes = await recordInOrder(namesOf(importer, record), async () =>
      isStopped() ? null : importer.take(record),
    )
    if (outcomes === null) return false
    onOutcomes(outcomes)
    return true
  })
}
