/** How a shipment travels, shown and changed; it stands with its order. */
import { Anchor, Text, Textarea, TextInput } from '@mantine/core'
import type { SalesShipment } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { changedFields, orNull } from '../../patterns/changes.tsx'
import { useApi } from '../../session.tsx'

type Props = { readonly shipment: Exact<SalesShipment> }

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
      initial={() => ({
        carrier: shipment.carrier ?? '',
        tracking_number: shipment.tracking_number ?? '',
        tracking_url: shipment.tracking_url ?? '',
        notes: shipment.notes ?? '',
      })}
      fields={form => (
        <>
          <TextInput label="Carrier" maxLength={255} {...form.getInputProps('carrier')} />
          <TextInput label="Tracking number" maxLength={255} {...form.getInputProps('tracking_number')} />
          <TextInput label="Tracking address" type="url" maxLength={2_000} {...form.getInputProps('tracking_url')} />
          <Textarea label="Notes" autosize minRows={2} maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      send={(now, sending, before) =>
        api.salesShipments.update(
          id,
          changedFields(before, now, {
            carrier: orNull,
            tracking_number: orNull,
            tracking_url: orNull,
            notes: orNull,
          }),
          sending,
        )
      }
      done={() => `${number} is saved`}
    />
  )
}
