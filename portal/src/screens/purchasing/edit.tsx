/** The form that changes a purchase order and its lines; of one that is done only what is noted on it. */
import { Textarea, TextInput } from '@mantine/core'
import type { PurchaseOrder } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { useApi } from '../../session.tsx'
import { changesOf, fieldOf, PurchaseOrderFields, rules, valuesOf } from './form.tsx'

export function EditPurchaseOrder({ order }: { readonly order: Exact<PurchaseOrder> }) {
  const api = useApi()
  const { id, number } = order
  const isOpen = order.status === 'OPEN'
  return (
    <Step
      record={order}
      reread={() => api.purchaseOrders.get(id)}
      label="Edit"
      title={`Edit ${number}`}
      submitLabel="Save"
      size={isOpen ? 'xl' : 'md'}
      scope="write:purchase.order.update"
      explains={
        isOpen
          ? 'What has arrived stays as it was booked. Later receipts take the prices as they then are.'
          : 'The order is done: only its notes and its reference can change.'
      }
      initial={() => valuesOf(order)}
      validate={rules}
      fieldOf={fieldOf}
      fields={form =>
        isOpen ? (
          <PurchaseOrderFields form={form} order={order} />
        ) : (
          <>
            <TextInput label="Reference" maxLength={255} {...form.getInputProps('external_ref')} />
            <Textarea label="Notes" autosize minRows={2} maxLength={10_000} {...form.getInputProps('notes')} />
          </>
        )
      }
      send={(now, sending, before) => api.purchaseOrders.update(id, changesOf(before, now), sending)}
      done={() => `${number} is saved`}
    />
  )
}
