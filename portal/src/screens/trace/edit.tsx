/** The form that changes the number and the days of a batch. */
import { Step } from '../../patterns/action-form.tsx'
import { DateWarnings, isBefore } from '../../patterns/date-warnings.tsx'
import { field } from '../../patterns/fields.tsx'
import { changesOf, RecordFields, rulesOf, valuesOf } from '../../patterns/record-fields.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import type { Batch } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { batches } from './nouns.ts'

const fields = {
  number: field.title('Number', { maxLength: 64 }),
  manufacture_date: field.day('Made on'),
  expiry_date: field.day('Expires'),
}

export function EditBatch({ batch }: { readonly batch: Batch }) {
  const api = useApi()
  const step = useStepsOf(batches, batch, 'write:stock.batch.update')
  return (
    <Step
      {...step('Edit', 'saved')}
      title={`Edit batch ${batch.number}`}
      submitLabel="Save"
      explains="Picking, stock and traces follow at once. Documents keep what they showed."
      initial={() => valuesOf(fields, batch)}
      validate={{ ...rulesOf(fields), number: value => (value.trim() === '' ? 'a batch has a number' : null) }}
      fields={form => (
        <>
          <RecordFields form={form} fields={fields} isStacked />
          <DateWarnings
            of={[[isBefore(form.values.expiry_date, form.values.manufacture_date), 'it expires before it is made']]}
          />
        </>
      )}
      send={(now, sending, before) => api.batches.update(batch.id, changesOf(fields, before, now), sending)}
      done={({ number }) => `Batch ${number} is saved`}
    />
  )
}
