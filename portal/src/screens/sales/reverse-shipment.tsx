/** The step that reverses a shipment; it stands with its order. */
import { ReverseStep } from '../../patterns/reversal.tsx'
import type { SalesOrder, SalesShipment } from '../../records.ts'
import { useApi } from '../../session.tsx'

type Props = { readonly shipment: SalesShipment; readonly order: SalesOrder }

export function ReverseShipment({ shipment, order: { number, status, delivery_status, items } }: Props) {
  const api = useApi()
  return (
    <ReverseStep
      of={shipment}
      size="compact-xs"
      scope="write:sales.shipment.reverse"
      source="SALES_SHIPMENT"
      lines={[...items, ...items.flatMap(({ components }) => components)]}
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
