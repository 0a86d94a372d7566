/**
 * Decides on new and changed operations. Pure: no I/O and no clock (contract 2, "Operation, recipe").
 */
import { refuseTakenBy } from '../../accounting/taken.ts'
import type { Refusal } from '../../api/errors.ts'
import { parseMicro } from '../../decimal.ts'
import type { NewOperation, OperationChange } from './schemas.ts'

/** `external_ref_taken_by`: the other operation that has the external_ref, or null. */
export type OperationSurroundings = { readonly external_ref_taken_by: string | null }

/** Refuses `validation_failed` for a taken external_ref. */
export function refuseOperation(surroundings: OperationSurroundings): Refusal | null {
  return refuseTakenBy('external_ref', surroundings.external_ref_taken_by)
}

/** The values after a PATCH; null when it changes nothing. Refuses as `refuseOperation` does. */
export function decideOperationChange(
  { stored, body }: { readonly stored: NewOperation; readonly body: OperationChange },
  surroundings: OperationSurroundings,
): NewOperation | null | Refusal {
  const refused = refuseOperation(surroundings)
  if (refused !== null) return refused
  const values: NewOperation = {
    title: body.title ?? stored.title,
    cost_per_hour: body.cost_per_hour ?? stored.cost_per_hour,
    position: body.position ?? stored.position,
    unit_name: body.unit_name === undefined ? stored.unit_name : body.unit_name,
    external_ref: body.external_ref === undefined ? stored.external_ref : body.external_ref,
  }
  return isSame(stored, values) ? null : values
}

function isSame(stored: NewOperation, values: NewOperation): boolean {
  return (
    stored.title === values.title &&
    parseMicro(stored.cost_per_hour) === parseMicro(values.cost_per_hour) &&
    stored.position === values.position &&
    stored.unit_name === values.unit_name &&
    stored.external_ref === values.external_ref
  )
}
