/** The steps of operations. */
import { field, numbers } from '../../patterns/fields.tsx'
import { EditRecord, NewRecord } from '../../patterns/record-steps.tsx'
import type { Operation } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { operations } from './nouns.ts'

const fields = {
  title: field.title('Name'),
  cost_per_hour: field.figure('Cost per hour'),
  position: field.figure('Step number', { rule: numbers.whole, begins: '0' }),
  unit_name: field.text('Unit'),
  external_ref: field.text('Reference'),
  metadata: field.metadata(),
}

type NewProps = {
  /** Told of the new one, where the person stays. */
  readonly onMade?: (made: Operation) => void
}

export const NewOperation = ({ onMade }: NewProps) => (
  <NewRecord
    of={operations}
    fields={fields}
    scope="write:manufacturing.operation.create"
    endpoint={useApi().operations}
    {...(onMade ? { onMade, stays: true, buttonSize: 'xs' } : {})}
  />
)

export function EditOperation({ operation }: { readonly operation: Operation }) {
  const api = useApi()
  return (
    <EditRecord
      of={operations}
      record={operation}
      fields={fields}
      scope="write:manufacturing.operation.update"
      explains="Recipes and orders keep the cost that they were written with."
      update={(changes, sending) => api.operations.update(operation.id, changes, sending)}
    />
  )
}
