/** What an operation is: a step of work, and what an hour of it costs (docs/rules/manufacturing.md). */
import { changes, filtersOf, uniqueText } from '../../../kit/api/list-filters.ts'
import { fieldOfOptional, type RecordOf } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import { identifier, instant, key, price, reference, text, whole } from '../../../kit/fields/kinds.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { Unit } from '../../catalogue/units/document.ts'

const sent = { unit_name: text().orNull() }

export const Operation = noun({
  name: 'operation',
  table: 'operations',
  path: '/operations',
  tag: ['Operations', 'Steps of work, and what an hour of each costs.'],
  events: { created: 'An operation was created.', updated: 'An operation was changed.' },
  scopes: {
    read: 'read:manufacturing',
    create: 'write:manufacturing.operation.create',
    update: 'write:manufacturing.operation.update',
  },
  fields: {
    id: key(),
    title: text().writable(),
    position: whole().default(0).writable(),
    cost_per_hour: price().writable().words("in the tenant's currency"),
    unit_id: reference(Unit).orNull(),
    unit_name: fieldOfOptional('unit_id', Unit, 'name'),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    created_at: instant(),
    updated_at: instant(),
  },
  create: sent,
  change: sent,
  unique: ['external_ref'],
  filters: filtersOf({ external_ref: uniqueText(), ...changes }),
})

export type Operation = RecordOf<typeof Operation>
