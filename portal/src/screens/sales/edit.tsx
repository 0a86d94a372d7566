/** The form that changes an open sales order: lines, charges, addresses, dates. */
import { Step } from '../../patterns/action-form.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import type { SalesOrder } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { changesOf, fieldOf, rules, SalesOrderFields, typedOf } from './form.tsx'
import { salesOrders } from './nouns.ts'

export function EditSalesOrder({ order }: { readonly order: SalesOrder }) {
  const api = useApi()
  const { id } = order
  const step = useStepsOf(salesOrders, order, 'write:sales.order.update')
  return (
    <Step
      {...step('Edit', 'saved')}
      submitLabel="Save"
      size="xl"
      explains="What it reserves follows its lines. What is shipped stays as it was booked."
      initial={() => typedOf(order)}
      validate={rules}
      fieldOf={fieldOf}
      fields={form => <SalesOrderFields form={form} />}
      send={(now, sending, before) => api.salesOrders.update(id, changesOf(before, now), sending)}
    />
  )
}
