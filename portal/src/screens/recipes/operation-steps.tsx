/** The steps of operations. */
import type { Operation } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { field, numbers } from '../../patterns/fields.tsx'
import { EditRecord, NewRecord } from '../../patterns/record-steps.tsx'
import { useApi } from '../../session.tsx'

const fields = {
  title: field.title('Title'),
  cost_per_hour: field.figure('Cost per hour'),
  position: field.figure('Position in the technology', { rule: numbers.whole, begins: '0' }),
  unit_name: field.text('Unit'),
  external_ref: field.text('Reference'),
  metadata: field.metadata(),
}

type NewProps = {
  /** Told of the new one, where the person stays. */
  readonly onMade?: (made: Exact<Operation>) => void
}

export function NewOperation({ onMade }: NewProps) {
  const { operations } = useApi()
  return (
    <NewRecord
      kind="operation"
      fields={fields}
      scope="write:manufacturing.operation.create"
      create={(body, sending) => operations.create(body, sending)}
      {...(onMade ? { onMade, buttonSize: 'xs' } : { path: '/operations' })}
    />
  )
}

export function EditOperation({ operation }: { readonly operation: Exact<Operation> }) {
  const { operations } = useApi()
  const { id } = operation
  return (
    <EditRecord
      record={operation}
      reread={() => operations.get(id)}
      fields={fields}
      scope="write:manufacturing.operation.update"
      explains="Recipes and orders keep the cost that they were written with."
      update={(changes, sending) => operations.update(id, changes, sending)}
    />
  )
}
