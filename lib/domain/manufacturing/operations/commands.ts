/**
 * What happens to operations: they are made and changed (docs/rules/manufacturing.md).
 */

import { command, given, made, updated } from '../../../kit/documents/command.ts'
import type { RecordOf } from '../../../kit/documents/document.ts'
import { free, recordBy, theRecord } from '../../../kit/documents/needs.ts'
import { notFound } from '../../../kit/documents/reads.ts'
import { replyOf } from '../../../kit/documents/reply.ts'
import type { Work } from '../../../kit/documents/work.ts'
import { parseMicro } from '../../../platform/decimal.ts'
import { Unit } from '../../catalogue/units/document.ts'
import { Operation } from './document.ts'
import { NewOperation, OperationChange } from './schemas.ts'

const tag = 'Operations'

/** Refuses `validation_failed` for a taken external_ref. */
export const createOperationEndpoint = command({
  id: 'createOperation',
  method: 'POST',
  path: '/operations',
  tag,
  scope: 'write:manufacturing.operation.create',
  summary: 'Create an operation',
  description:
    'A `unit_name` that is new makes the unit; without one the operation has no unit. `position` is 0 if not given.',
  body: NewOperation,
  example: { title: 'Labelling', cost_per_hour: 18.5, position: 40, unit_name: 'bench' },
  success: 201,
  countsAsDocument: false,
  refusals: [],
  reply: replyOf(Operation),
  ids: () => 2,
  needs: ({ body }) => ({
    unit: recordBy(Unit, 'name', body.unit_name),
    refuseTaken: free(Operation, { external_ref: body.external_ref }),
  }),
  decide: ({ body }, facts, { now, work }) => {
    const refused = facts.refuseTaken()
    if (refused) return refused
    const { unit_name: unitName, ...values } = body
    const operation = work.make(Operation, {
      ...values,
      id: work.newId(),
      cost_per_hour: parseMicro(body.cost_per_hour),
      unit_id: unitId(work, { found: facts.unit, name: unitName }),
      created_at: now,
      updated_at: now,
    })
    return made(work, Operation, operation)
  },
})

/** Refuses as `createOperationEndpoint` does, and `not_found`. A body that changes nothing writes and tells nothing. */
export const changeOperationEndpoint = command({
  id: 'updateOperation',
  method: 'PATCH',
  path: '/operations/{id}',
  tag,
  scope: 'write:manufacturing.operation.update',
  summary: 'Update an operation',
  description:
    'What is omitted stays; null clears a nullable field. Recipes and orders keep the `cost_per_hour` that they were written with.',
  body: OperationChange,
  example: { cost_per_hour: 19.2 },
  success: 200,
  countsAsDocument: false,
  refusals: [],
  reply: replyOf(Operation),
  ifMatch: Operation,
  ids: ({ body }) => (body.unit_name == null ? 0 : 1),
  needs: ({ params, body }) => ({
    before: theRecord(Operation, params['id']),
    unit: recordBy(Unit, 'name', body.unit_name),
    refuseTaken: free(Operation, { external_ref: body.external_ref }),
  }),
  decide: ({ body }, { before, unit, refuseTaken }, { work }) => {
    if (before === null) return notFound(Operation)
    const refused = refuseTaken(before.id)
    if (refused) return refused
    const { cost_per_hour: cost, unit_name: unitName, ...values } = given(body)
    const next = {
      ...before,
      ...values,
      cost_per_hour: cost === undefined ? before.cost_per_hour : parseMicro(cost),
      unit_id: unitName === undefined ? before.unit_id : unitId(work, { found: unit, name: unitName }),
    }
    return updated(work, Operation, { before, next })
  },
})

/** The unit of this name, made where there is none yet; without a name, none. */
function unitId(
  work: Work,
  { found, name }: { readonly found: RecordOf<typeof Unit> | null; readonly name: string | null },
): string | null {
  if (name === null) return null
  return (found ?? work.make(Unit, { id: work.newId(), name })).id
}
