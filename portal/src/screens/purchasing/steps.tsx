/** The steps of a purchase order, as far as its status allows them. */
import type { PurchaseOrder } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { ReasonStep } from '../../patterns/action-form.tsx'
import { useApi } from '../../session.tsx'
import { EditPurchaseOrder } from './edit.tsx'
import { Receive } from './receive.tsx'

export function PurchaseOrderSteps({ order }: { readonly order: Exact<PurchaseOrder> }) {
  const api = useApi()
  const { id, number, status } = order
  if (status !== 'OPEN') return <EditPurchaseOrder order={order} />
  return (
    <>
      <Receive order={order} />
      <EditPurchaseOrder order={order} />
      <ReasonStep
        record={order}
        reread={() => api.purchaseOrders.get(id)}
        label="Close short"
        title={`Close ${number} short`}
        scope="write:purchase.order.update"
        explains="Nothing more is expected of this order. What has arrived stays; this cannot be taken back."
        button={{ color: 'red', variant: 'outline' }}
        send={(reason, sending) => api.purchaseOrders.close(id, { reason }, sending)}
        done={() => `${number} is closed`}
      />
    </>
  )
}
