/** The steps of a hold, as far as its status allows them. */
import { Textarea } from '@mantine/core'
import { Step } from '../../patterns/action-form.tsx'
import { changedFields, orNull } from '../../patterns/changes.tsx'
import { Foretold } from '../../patterns/foretold.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import type { Reservation } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { NewSalesOrder } from '../sales/new-sales-order.tsx'
import { EndInput, endRule } from './end.tsx'
import { holds } from './nouns.ts'

export function HoldSteps({ hold }: { readonly hold: Reservation }) {
  const api = useApi()
  const { id, status } = hold
  const isHeld = status === 'HELD'
  const step = useStepsOf(holds, hold, 'write:sales.order.create')
  return (
    <>
      {isHeld && <NewSalesOrder holdId={id} />}
      <Step
        {...step('Edit', 'saved')}
        submitLabel="Save"
        initial={() => ({ expires_at: hold.expires_at, notes: hold.notes ?? '' })}
        validate={{ expires_at: endRule }}
        fields={form => (
          <>
            {isHeld && <EndInput {...form.getInputProps('expires_at')} />}
            <Textarea label="Notes" autosize minRows={3} maxLength={10_000} {...form.getInputProps('notes')} />
          </>
        )}
        send={(values, sending, before) =>
          api.reservations.update(
            id,
            changedFields(before, values, { expires_at: (end: string) => end, notes: orNull }),
            sending,
          )
        }
      />
      {isHeld && (
        <Step
          {...step('Release', 'released')}
          button={{ color: 'red', variant: 'outline' }}
          explains="It ends now, and its goods are available again. This cannot be taken back."
          send={(_, sending) => api.reservations.release(id, {}, sending)}
          foretells={({ items }) => (
            <Foretold
              begins="These goods are available again:"
              lines={items.map(item => ({ ...item, batch_id: null }))}
            >
              No stock moves.
            </Foretold>
          )}
        />
      )}
    </>
  )
}
