/** The step that reverses a receipt; it stands with its order. */
import { ReverseStep } from '../../patterns/reversal.tsx'
import type { PurchaseOrder, PurchaseReceipt } from '../../records.ts'
import { useApi } from '../../session.tsx'

type Props = { readonly receipt: PurchaseReceipt; readonly order: PurchaseOrder }

export function ReverseReceipt({ receipt, order: { number, status, delivery_status } }: Props) {
  const api = useApi()
  return (
    <ReverseStep
      of={receipt}
      size="compact-xs"
      scope="write:purchase.receipt.reverse"
      source="PURCHASE_RECEIPT"
      lines={receipt.items}
      follows={
        status === 'OPEN'
          ? `${number} expects it again. Services are only counted back.`
          : delivery_status === 'RECEIVED'
            ? `${number} is open again and expects it. Services are only counted back.`
            : `${number} was closed and stays done. Services are only counted back.`
      }
      send={(body, sending) => api.purchaseReceipts.reverse(receipt.id, body, sending)}
    />
  )
}
