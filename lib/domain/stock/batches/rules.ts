/** Decides what a PATCH makes of a batch. Pure: no I/O and no clock (docs/rules/batches.md). */
import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import { merged } from '../../../kit/documents/merging.ts'
import type * as stock from '../stock.ts'
import { Batch, type BatchChange } from './noun.ts'

type ChangeFacts = {
  /** The batch of the variant that has the number now; null: none has. */
  readonly holder: string | null
  /** Batches, of any variant, that earlier commands of the unit of work made. */
  readonly made: readonly stock.Batch[]
  readonly today: string
}

/** The batch after the PATCH, or the same one where nothing changes. Refuses `validation_failed` for a number that another batch has. */
export function decideChange(before: Batch, body: BatchChange, { holder, made, today }: ChangeFacts): Batch | Refusal {
  const next = merged(Batch, before, body)
  if (next === before) return before
  const isNumbered = ({ itemVariantId, number }: stock.Batch) =>
    itemVariantId === next.item_variant_id && number === next.number
  const other = holder ?? made.find(isNumbered)?.id ?? next.id
  if (other !== next.id) return invalid('number', `is taken by ${other}`)
  return { ...next, is_expired: next.expiry_date !== null && next.expiry_date < today }
}
