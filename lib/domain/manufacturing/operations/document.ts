/** What an operation is: a step of work, and what an hour of it costs. */

import { document, fieldOfOptional, type RecordOf } from '../../../kit/documents/document.ts'
import { explained, instant, key, nullable, price, reference, text, whole } from '../../../kit/documents/field.ts'
import { Unit } from '../../catalogue/units/document.ts'

export const Operation = document({
  kind: 'operation',
  noun: 'operation',
  table: 'operations',
  fields: {
    id: key(),
    title: text(),
    position: explained(whole(), 'its place in the technology; several may share one'),
    cost_per_hour: explained(price(), "in the tenant's currency"),
    unit_id: nullable(reference(Unit)),
    unit_name: fieldOfOptional('unit_id', Unit, 'name'),
    external_ref: nullable(text()),
    created_at: instant(),
    updated_at: instant(),
  },
  unique: ['external_ref'],
})

export type Operation = RecordOf<typeof Operation>
