/** The form that changes the number and the days of a batch. */

import { TextInput } from '@mantine/core'
import type { Batch } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { changedFields, dayInput, orNull } from '../../patterns/changes.tsx'
import { DateWarnings, isBefore } from '../../patterns/date-warnings.tsx'
import { useApi } from '../../session.tsx'

export function EditBatch({ batch }: { readonly batch: Exact<Batch> }) {
  const api = useApi()
  const { id } = batch
  return (
    <Step
      record={batch}
      reread={() => api.batches.get(id)}
      label="Edit"
      title={`Edit batch ${batch.number}`}
      submitLabel="Save"
      scope="write:stock.batch.update"
      explains="Picking, stock and traces follow at once. Documents keep what they showed."
      initial={() => ({
        number: batch.number,
        manufacture_date: dayInput(batch.manufacture_date),
        expiry_date: dayInput(batch.expiry_date),
      })}
      validate={{ number: value => (value.trim() === '' ? 'a batch has a number' : null) }}
      fields={form => (
        <>
          <TextInput label="Number" withAsterisk maxLength={64} {...form.getInputProps('number')} />
          <TextInput type="date" label="Made" {...form.getInputProps('manufacture_date')} />
          <TextInput type="date" label="Expires" {...form.getInputProps('expiry_date')} />
          <DateWarnings
            of={[[isBefore(form.values.expiry_date, form.values.manufacture_date), 'it expires before it is made']]}
          />
        </>
      )}
      send={(now, sending, before) =>
        api.batches.update(
          id,
          changedFields(before, now, {
            number: (number: string) => number.trim(),
            manufacture_date: orNull,
            expiry_date: orNull,
          }),
          sending,
        )
      }
      done={({ number }) => `Batch ${number} is saved`}
    />
  )
}
