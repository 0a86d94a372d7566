/** The steps of operations, and all of them for choices. */
import { useQuery } from '@tanstack/react-query'
import { field, numbers } from '../../patterns/fields.tsx'
import { EditRecord, NewRecord } from '../../patterns/record-steps.tsx'
import type { Operation } from '../../records.ts'
import { useApi, useSession } from '../../session.tsx'
import { operations } from './nouns.ts'

const fields = {
  title: field.title('Name'),
  cost_per_hour: field.figure('Cost per hour'),
  position: field.figure('Step number', { rule: numbers.whole, begins: '0' }),
  unit_name: field.text('Unit'),
  external_ref: field.text('Reference'),
  metadata: field.metadata(),
}

/** @param onMade told of the new one, where the person stays. */
export const NewOperation = ({ onMade }: { readonly onMade?: (made: Operation) => void }) => (
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

const OPERATIONS_MAX = 2_000

/** None until they are read, and for a key that may not read them. */
export function useOperations(): readonly Operation[] {
  const { api, can } = useSession()
  const { data = [] } = useQuery({
    queryKey: ['operations', 'all'],
    queryFn: ({ signal }) => api.operations.list({ limit: 200 }, { signal }).toArray({ max: OPERATIONS_MAX }),
    enabled: can('read:manufacturing'),
  })
  return data
}
