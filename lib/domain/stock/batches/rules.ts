/** Decides how a PATCH changes a batch. Pure: no I/O and no clock (docs/rules/batches.md). */
import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import type { Day } from '../../../kit/days.ts'
import { merged } from '../../../kit/documents/merging.ts'
import type * as stock from '../stock.ts'
import { Batch, type BatchChange } from './noun.ts'

type ChangeFacts = {
  /** The id of the variant's batch that has the number now; null: none has. */
  readonly holder: string | null
  /** Batches of any variant that earlier commands of the unit of work made. */
  readonly made: readonly stock.Batch[]
  readonly today: Day
}

/** The batch with `is_expired` as of this day. */
export function judgedOn(today: Day, batch: Batch): Batch {
  const isExpired = batch.expiry_date !== null && batch.expiry_date < today
  return batch.is_expired === isExpired ? batch : { ...batch, is_expired: isExpired }
}

/** The batch after the PATCH, or the same batch if nothing changes. Refuses `validation_failed` for a number that another batch has. */
export function decideChange(before: Batch, body: BatchChange, { holder, made, today }: ChangeFacts): Batch | Refusal {
  const next = merged(Batch, before, body)
  if (next === before) return before
  const isNumbered = ({ itemVariantId, number }: stock.Batch) =>
    itemVariantId === next.item_variant_id && number === next.number
  const other = holder ?? made.find(isNumbered)?.id ?? next.id
  if (other !== next.id) return invalid('number', `is taken by ${other}`)
  if (next.expiry_date === before.expiry_date) return next
  const judged = judgedOn(today, next)
  // A caller who moves the date into the past gets `batch.updated`, and no event of the expiry. A batch that had expired before still gets
  // the event of its expiry.
  return { ...judged, expired: judged.is_expired && (before.expired || !before.is_expired) }
}
