/** The form that changes an open sales order: lines, charges, addresses, dates. */
import type { SalesOrder } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { useApi } from '../../session.tsx'
import { changesOf, fieldOf, rules, SalesOrderFields, valuesOf } from './form.tsx'

export function EditSalesOrder({ order }: { readonly order: Exact<SalesOrder> }) {
  const api = useApi()
  const { id, number } = order
  return (
    <Step
      record={order}
      reread={() => api.salesOrders.get(id)}
      label="Edit"
      title={`Edit ${number}`}
      submitLabel="Save"
      size="xl"
      scope="write:sales.order.update"
      explains="What it reserves follows its lines. What is shipped stays as it was booked."
      initial={() => valuesOf(order)}
      validate={rules}
      fieldOf={fieldOf}
      fields={form => <SalesOrderFields form={form} />}
      send={(now, sending, before) => api.salesOrders.update(id, changesOf(before, now), sending)}
      done={() => `${number} is saved`}
    />
  )
}
