/** The steps of a purchase order, as far as its status allows them. */
import { ReasonStep } from '../../patterns/action-form.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import type { PurchaseOrder } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { EditPurchaseOrder } from './edit.tsx'
import { purchaseOrders } from './nouns.ts'
import { Receive } from './receive.tsx'

export function PurchaseOrderSteps({ order }: { readonly order: PurchaseOrder }) {
  const api = useApi()
  const { id, number, status } = order
  const step = useStepsOf(purchaseOrders, order, 'write:purchase.order.update')
  if (status !== 'OPEN') return <EditPurchaseOrder order={order} />
  return (
    <>
      <Receive order={order} />
      <EditPurchaseOrder order={order} />
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
