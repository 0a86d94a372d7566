/** The steps of a sales return, as far as its status allows them. */
import { TextInput } from '@mantine/core'
import type { SalesReturn } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { ReasonStep, Step } from '../../patterns/action-form.tsx'
import { useApi } from '../../session.tsx'
import { EditSalesReturn } from './edit.tsx'

export function SalesReturnSteps({ one }: { readonly one: Exact<SalesReturn> }) {
  const api = useApi()
  const { id, number, status } = one.sales_return
  if (status !== 'NOT_RETURNED') return <EditSalesReturn one={one} />
  const common = { record: one, reread: () => api.salesReturns.get(id), scope: 'write:sales.return.update' }
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
          api.salesReturns.receive(id, { return_date: return_date || undefined }, sending)
        }
        done={() => `${number} is back in stock`}
      />
      <EditSalesReturn one={one} />
      <ReasonStep
        {...common}
        label="Cancel return"
        title={`Cancel ${number}`}
        explains="What it holds may be returned with another one. This cannot be taken back."
        button={{ color: 'red', variant: 'outline' }}
        send={(reason, sending) => api.salesReturns.cancel(id, { reason }, sending)}
        done={() => `${number} is cancelled`}
      />
    </>
  )
}
