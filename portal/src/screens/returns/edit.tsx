/** The form that changes what is noted on a sales return; what comes back stays as it was announced. */
import { Textarea, TextInput } from '@mantine/core'
import type { SalesReturn } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { changedFields, orNull } from '../../patterns/changes.tsx'
import { useApi } from '../../session.tsx'

export function EditSalesReturn({ one }: { readonly one: Exact<SalesReturn> }) {
  const api = useApi()
  const { id, number, external_ref, notes } = one.sales_return
  return (
    <Step
      record={one}
      reread={() => api.salesReturns.get(id)}
      label="Edit"
      title={`Edit ${number}`}
      submitLabel="Save"
      scope="write:sales.return.create"
      explains="What comes back stays as it was announced: to change it, cancel the return and announce another one."
      initial={() => ({ external_ref: external_ref ?? '', notes: notes ?? '' })}
      fields={form => (
        <>
          <TextInput label="Reference" maxLength={255} {...form.getInputProps('external_ref')} />
          <Textarea label="Notes" autosize minRows={2} maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      send={(now, sending, before) =>
        api.salesReturns.update(id, changedFields(before, now, { external_ref: orNull, notes: orNull }), sending)
      }
      done={() => `${number} is saved`}
    />
  )
}
