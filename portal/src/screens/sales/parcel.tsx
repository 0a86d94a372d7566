/** A shipment, which stands with its order: how it travels, shown and changed, and the step that reverses it. */
import { Anchor, Text } from '@mantine/core'
import { Step } from '../../patterns/action-form.tsx'
import { field } from '../../patterns/fields.tsx'
import { changesOf, RecordFields, valuesOf } from '../../patterns/record-fields.tsx'
import { ReverseStep } from '../../patterns/reversal.tsx'
import type { SalesOrder, SalesShipment } from '../../records.ts'
import { useApi } from '../../session.tsx'

const Line = Text.withProps({ span: true, size: 'xs', display: 'block', className: 'address' })

type Props = { readonly shipment: SalesShipment }

export function Parcel({ shipment: { carrier, tracking_number, tracking_url, notes } }: Props) {
  const named = [carrier, tracking_number].filter(Boolean).join(' ')
  return (
    <>
      {tracking_url !== null && (
        <Line>
          <Anchor href={tracking_url} target="_blank" rel="noopener noreferrer" underline="always" inherit>
            {named || 'Follow the parcel'}
          </Anchor>
        </Line>
      )}
      {tracking_url === null && named !== '' && <Line>{named}</Line>}
      {notes && <Line>{notes}</Line>}
    </>
  )
}

const fields = {
  carrier: field.text('Carrier'),
  tracking_number: field.text('Tracking number'),
  tracking_url: field.text('Tracking address', { type: 'url', maxLength: 2_000 }),
  notes: field.longText('Notes'),
}

export function EditParcel({ shipment }: Props) {
  const api = useApi()
  const { id, number } = shipment
  return (
    <Step
      label={`Edit ${number}`}
      submitLabel="Save"
      scope="write:sales.order.update"
      button={{ size: 'compact-xs' }}
      explains="How the goods travel. No stock moves."
      initial={() => valuesOf(fields, shipment)}
      fields={form => <RecordFields form={form} fields={fields} isStacked />}
      send={(now, sending, before) => api.salesShipments.update(id, changesOf(fields, before, now), sending)}
      done={() => `${number} is saved`}
    />
  )
}

type ReverseProps = { readonly shipment: SalesShipment; readonly order: SalesOrder }

export function ReverseShipment({ shipment, order: { number, status, delivery_status, items } }: ReverseProps) {
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
