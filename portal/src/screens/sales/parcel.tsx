/** How a shipment travels, shown and changed; it stands with its order. */
import { Anchor, Text } from '@mantine/core'
import { Step } from '../../patterns/action-form.tsx'
import { field } from '../../patterns/fields.tsx'
import { changesOf, RecordFields, valuesOf } from '../../patterns/record-fields.tsx'
import type { SalesShipment } from '../../records.ts'
import { useApi } from '../../session.tsx'

type Props = { readonly shipment: SalesShipment }

export function Parcel({ shipment: { carrier, tracking_number, tracking_url, notes } }: Props) {
  const named = [carrier, tracking_number].filter(Boolean).join(' ')
  return (
    <>
      {(named !== '' || tracking_url !== null) && (
        <Text span size="xs" display="block" className="address">
          {tracking_url === null ? (
            named
          ) : (
            <Anchor href={tracking_url} target="_blank" rel="noopener noreferrer" underline="always" inherit>
              {named || 'Follow the parcel'}
            </Anchor>
          )}
        </Text>
      )}
      {notes && (
        <Text span size="xs" display="block" className="address">
          {notes}
        </Text>
      )}
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
