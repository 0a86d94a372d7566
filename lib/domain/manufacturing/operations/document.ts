/** What an operation is: a step of work, and what an hour of it costs. */

import { document, fieldOfOptional, type RecordOf } from '../../../kit/documents/document.ts'
import { instant, key, price, reference, text, whole } from '../../../kit/fields/kinds.ts'
import { Unit } from '../../catalogue/units/document.ts'

export const Operation = document({
  kind: 'operation',
  noun: 'operation',
  table: 'operations',
  fields: {
    id: key(),
    title: text(),
    position: whole().words('its place in the technology; several may share one'),
    cost_per_hour: price().words("in the tenant's currency"),
    unit_id: reference(Unit).orNull(),
    unit_name: fieldOfOptional('unit_id', Unit, 'name'),
    external_ref: text().orNull(),
    created_at: instant(),
    updated_at: instant(),
  },
  unique: ['external_ref'],
})

export type Operation = RecordOf<typeof Operation>
