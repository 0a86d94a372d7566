/** The step that reverses a shipment; it stands with its order. */
import type { SalesOrder, SalesShipment } from '@millrace/client'
import { type Exact, negated } from '../../exact.ts'
import { BatchOf } from '../../patterns/batches.tsx'
import { ReverseStep } from '../../patterns/reversal.tsx'
import { useApi } from '../../session.tsx'

type Props = { readonly shipment: Exact<SalesShipment>; readonly order: Exact<SalesOrder> }

export function ReverseShipment({ shipment, order: { number, status, delivery_status, items } }: Props) {
  const api = useApi()
  const lines = new Map(items.map(line => [line.id, line]))
  return (
    <ReverseStep
      of={shipment}
      size="compact-xs"
      scope="write:sales.shipment.reverse"
      moved={shipment.items.map(({ id, sales_order_item_id, quantity, batch_id }) => ({
        key: id,
        quantity: negated(quantity),
        title: lines.get(sales_order_item_id)?.title ?? 'a removed line',
        batch: batch_id && <BatchOf id={batch_id} />,
        place: lines.get(sales_order_item_id)?.storage_place_id ?? null,
      }))}
      follows={
        status === 'OPEN'
          ? `${number} reserves it again. Services are only counted back.`
          : delivery_status === 'SHIPPED'
            ? `${number} is open again and reserves it. Services are only counted back.`
            : `${number} was set to done by hand and stays so. Services are only counted back.`
      }
      send={(body, sending) => api.salesShipments.reverse(shipment.id, body, sending)}
    />
  )
}
