/** The form that changes a purchase order and its lines; of one that is done only what is noted on it. */
import { Step } from '../../patterns/action-form.tsx'
import { RecordFields } from '../../patterns/record-fields.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import type { PurchaseOrder } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { changesOf, fieldOf, notedFields, PurchaseOrderFields, rules, typedOf } from './form.tsx'
import { purchaseOrders } from './nouns.ts'

export function EditPurchaseOrder({ order }: { readonly order: PurchaseOrder }) {
  const api = useApi()
  const { id } = order
  const step = useStepsOf(purchaseOrders, order, 'write:purchase.order.update')
  const isOpen = order.status === 'OPEN'
  return (
    <Step
      {...step('Edit', 'saved')}
      submitLabel="Save"
      size={isOpen ? 'xl' : 'md'}
      explains={
        isOpen
          ? 'What has arrived stays as it was booked. Later receipts take the prices as they then are.'
          : 'The order is done: only its notes and its reference can change.'
      }
      initial={() => typedOf(order)}
      validate={rules}
      fieldOf={fieldOf}
      fields={form =>
        isOpen ? (
          <PurchaseOrderFields form={form} order={order} />
        ) : (
          <RecordFields form={form} fields={notedFields} isStacked />
        )
      }
      send={(now, sending, before) => api.purchaseOrders.update(id, changesOf(before, now), sending)}
    />
  )
}
