/** The steps of a purchase order, as far as its status allows them, and of its receipts. */
import { ReasonStep, Step } from '../../patterns/action-form.tsx'
import { RecordFields } from '../../patterns/record-fields.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import { ReverseStep } from '../../patterns/reversal.tsx'
import type { PurchaseOrder, PurchaseReceipt } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { changesOf, fieldOf, notedFields, PurchaseOrderFields, rules, typedOf } from './form.tsx'
import { purchaseOrders } from './nouns.ts'
import { Receive } from './receive.tsx'

type Props = { readonly order: PurchaseOrder }

export function PurchaseOrderSteps({ order }: Props) {
  const api = useApi()
  const { id, number, status } = order
  const step = useStepsOf(purchaseOrders, order, 'write:purchase.order.update')
  if (status !== 'OPEN') return <Edit order={order} />
  return (
    <>
      <Receive order={order} />
      <Edit order={order} />
      <ReasonStep
        {...step('Close order', 'closed')}
        title={`Close ${number}`}
        explains="What has not arrived is not expected any more. What has arrived stays; this cannot be taken back."
        button={{ color: 'red', variant: 'outline' }}
        send={(reason, sending) => api.purchaseOrders.close(id, { reason }, sending)}
      />
    </>
  )
}

/** Of an order that is done only what is noted on it can change. */
function Edit({ order }: Props) {
  const api = useApi()
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
      send={(now, sending, before) => api.purchaseOrders.update(order.id, changesOf(before, now), sending)}
    />
  )
}

export function ReverseReceipt({ receipt, order }: Props & { readonly receipt: PurchaseReceipt }) {
  const api = useApi()
  const { number, status, delivery_status } = order
  const after =
    status === 'OPEN'
      ? 'expects it again'
      : delivery_status === 'RECEIVED'
        ? 'is open again and expects it'
        : 'was closed and stays done'
  return (
    <ReverseStep
      of={receipt}
      size="compact-xs"
      scope="write:purchase.receipt.reverse"
      source="PURCHASE_RECEIPT"
      lines={receipt.items}
      follows={`${number} ${after}. Services are only counted back.`}
      send={(body, sending) => api.purchaseReceipts.reverse(receipt.id, body, sending)}
    />
  )
}
