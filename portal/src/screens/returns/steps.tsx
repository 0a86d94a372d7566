/** The steps of a sales return that its status allows. */
import { TextInput } from '@mantine/core'
import { ReasonStep, Step } from '../../patterns/action-form.tsx'
import { field } from '../../patterns/fields.tsx'
import { EditRecord, useStepsOf } from '../../patterns/record-steps.tsx'
import type { SalesReturn } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { BackForetold } from './foretold.tsx'
import { salesReturns } from './nouns.ts'
import { backWords, bringsGoods } from './of-order.tsx'

export function SalesReturnSteps({ one }: { readonly one: SalesReturn }) {
  const api = useApi()
  const { id, number, status } = one.sales_return
  const step = useStepsOf(salesReturns, one, 'write:sales.return.update')
  if (status !== 'NOT_RETURNED') return <EditSalesReturn one={one} />
  const hasGoods = bringsGoods(one)
  return (
    <>
      <Step
        {...step(hasGoods ? 'Receive' : 'Mark as paid back', backWords(one))}
        button={{ variant: 'filled' }}
        explains={
          hasGoods
            ? `What comes back is then ${backWords(one)}, at what it cost when it left.`
            : 'No goods come back: no stock moves.'
        }
        initial={() => ({ return_date: '' })}
        fields={form => (
          <TextInput
            type="date"
            label={hasGoods ? 'Came back (now if empty)' : 'Paid back (now if empty)'}
            {...form.getInputProps('return_date')}
          />
        )}
        send={({ return_date }, sending) =>
          api.salesReturns.receive(id, { return_date: return_date || undefined }, sending)
        }
        foretells={answer => <BackForetold one={answer} />}
      />
      <EditSalesReturn one={one} />
      <ReasonStep
        {...step('Cancel return', 'cancelled')}
        title={`Cancel ${number}`}
        explains="What it holds may be returned with another one. This cannot be taken back."
        button={{ color: 'red', variant: 'outline' }}
        send={(reason, sending) => api.salesReturns.cancel(id, { reason }, sending)}
      />
    </>
  )
}

const fields = { external_ref: field.text('Reference'), notes: field.longText('Notes') }

function EditSalesReturn({ one }: { readonly one: SalesReturn }) {
  const api = useApi()
  return (
    <EditRecord
      of={salesReturns}
      record={one}
      values={one.sales_return}
      fields={fields}
      scope="write:sales.return.create"
      size="md"
      isStacked
      explains="What comes back stays as it was created: to change it, cancel the return and create another one."
      update={(changes, sending) => api.salesReturns.update(one.sales_return.id, changes, sending)}
    />
  )
}
