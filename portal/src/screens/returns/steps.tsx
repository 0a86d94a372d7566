/** The steps of a sales return, as far as its status allows them. */
import { TextInput } from '@mantine/core'
import type { SalesReturn } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { useSession } from '../../session.tsx'

export function SalesReturnSteps({ one }: { readonly one: Exact<SalesReturn> }) {
  const { api, can } = useSession()
  const { id, number, status } = one.sales_return
  if (status !== 'NOT_RETURNED') return null
  const closed = can('write:sales.return.update') ? undefined : 'The key lacks the scope write:sales.return.update'
  const common = { record: one, reread: () => api.salesReturns.get(id), closed }
  return (
    <>
      <Step
        {...common}
        label="Receive"
        title={`Receive ${number}`}
        button={{ variant: 'filled' }}
        explains="All of its lines go back into the stock, at what they cost when they left."
        initial={() => ({ return_date: '' })}
        fields={form => (
          <TextInput type="date" label="Came back (now if empty)" {...form.getInputProps('return_date')} />
        )}
        send={({ return_date }, sending) =>
          api.salesReturns.receive(id, return_date === '' ? {} : { return_date }, sending)
        }
        done={() => `${number} is back in stock`}
      />
      <Step
        {...common}
        label="Cancel return"
        title={`Cancel ${number}`}
        explains="What it holds may be returned with another one. This cannot be taken back."
        button={{ color: 'red', variant: 'outline' }}
        initial={() => ({ reason: '' })}
        fields={form => <TextInput label="Reason" maxLength={255} {...form.getInputProps('reason')} />}
        send={({ reason }, sending) => api.salesReturns.cancel(id, { reason: reason.trim() || null }, sending)}
        done={() => `${number} is cancelled`}
      />
    </>
  )
}
