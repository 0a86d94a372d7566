/** The steps of a hold, as far as its status allows them. */
import { Textarea } from '@mantine/core'
import type { Customer, Reservation } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { changedFields, orNull } from '../../patterns/changes.tsx'
import { Foretold } from '../../patterns/foretold.tsx'
import { useApi } from '../../session.tsx'
import { NewSalesOrder } from '../sales/new-sales-order.tsx'
import { EndInput, endRule } from './end.tsx'

type Props = {
  readonly hold: Exact<Reservation>
  /** Undefined while it is not read. */
  readonly customer: Exact<Customer> | null | undefined
}

export function HoldSteps({ hold, customer }: Props) {
  const api = useApi()
  const { id, number, status } = hold
  const isHeld = status === 'HELD'
  const common = { record: hold, reread: () => api.reservations.get(id), scope: 'write:sales.order.create' }
  return (
    <>
      {isHeld && <NewSalesOrder hold={hold} customer={customer} />}
      <Step
        {...common}
        label="Edit"
        title={`Edit ${number}`}
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
        done={() => `${number} is saved`}
      />
      {isHeld && (
        <Step
          {...common}
          label="Release"
          title={`Release ${number}`}
          button={{ color: 'red', variant: 'outline' }}
          explains="It ends now, and its goods are available again. This cannot be taken back."
          send={(_, sending) => api.reservations.release(id, {}, sending)}
          done={() => `${number} is released`}
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
