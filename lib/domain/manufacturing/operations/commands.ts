/** The commands that make and change operations (docs/rules/manufacturing.md). */

import { changes } from '../../../kit/documents/acts.ts'
import { given, made, updated } from '../../../kit/documents/command.ts'
import { creates } from '../../../kit/documents/creates.ts'
import type { RecordOf } from '../../../kit/documents/document.ts'
import { recordBy } from '../../../kit/documents/needs.ts'
import type { Work } from '../../../kit/documents/work.ts'
import { Unit } from '../../catalogue/units/document.ts'
import { Operation } from './noun.ts'

/** Refuses `validation_failed` for a taken external_ref. */
export const createOperation = creates(Operation, {
  description:
    'A `unit_name` that is new makes the unit; without one the operation has no unit. `position` is 0 if not given.',
  example: { title: 'Labelling', cost_per_hour: 18.5, position: 40, unit_name: 'bench' },
  ids: () => 2,
  needs: body => ({ unit: recordBy(Unit, 'name', body.unit_name) }),
  decide: ({ unit_name: unitName, ...values }, facts, { now, work }) => {
    const refused = facts.refuseTaken()
    if (refused) return refused
    const id = work.newId()
    const unit_id = unitId(work, { found: facts.unit, name: unitName })
    return made(work, Operation, work.make(Operation, { ...values, id, unit_id, created_at: now, updated_at: now }))
  },
})

/** Refuses as `createOperation` does. A body that changes nothing writes nothing and has no event. */
export const changeOperation = changes(Operation, {
  description:
    'What is omitted stays; null clears a nullable field. Recipes and orders keep the `cost_per_hour` that they were written with.',
  example: { cost_per_hour: 19.2 },
  ids: body => (body.unit_name == null ? 0 : 1),
  needs: body => ({ unit: recordBy(Unit, 'name', body.unit_name) }),
  decide: ({ record: before, body }, { unit, refuseTaken }, { work }) => {
    const refused = refuseTaken(before.id)
    if (refused) return refused
    const { unit_name: unitName, ...values } = given(body)
    const unit_id = unitName === undefined ? before.unit_id : unitId(work, { found: unit, name: unitName })
    return updated(work, Operation, { before, next: { ...before, ...values, unit_id } })
  },
})

/** The id of the unit with this name, which is made if it is new; null without a name. */
function unitId(
  work: Work,
  { found, name }: { readonly found: RecordOf<typeof Unit> | null; readonly name: string | null },
): string | null {
  if (name === null) return null
  return (found ?? work.make(Unit, { id: work.newId(), name })).id
}
