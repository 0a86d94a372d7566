/** The steps of storage places. */
import type { StoragePlace } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { placeAddress } from '../../patterns/address-inputs.tsx'
import { field } from '../../patterns/fields.tsx'
import { NewRecord, RecordSteps } from '../../patterns/record-steps.tsx'
import { useApi } from '../../session.tsx'

const fields = {
  title: field.title('Title'),
  code: field.text('Code'),
  sales_allowed: field.flag('Sales orders may ship from it', true),
  purchase_allowed: field.flag('Receipts may go there', true),
  manufacturing_allowed: field.flag('Manufacturing orders may use it', true),
  external_ref: field.text('Reference'),
  address: field.address('Address', placeAddress),
  metadata: field.metadata(),
}

export function NewPlace({ stays = false }: { readonly stays?: boolean }) {
  const { storagePlaces } = useApi()
  return (
    <NewRecord
      kind="storage place"
      fields={fields}
      scope="write:stock.place.create"
      explains="The first place that is made stays the main place: documents that name no place go there."
      create={(body, sending) => storagePlaces.create(body, sending)}
      {...(stays ? {} : { path: '/storage-places' })}
    />
  )
}

export const PlaceSteps = ({ place }: { readonly place: Exact<StoragePlace> }) => (
  <RecordSteps
    record={place}
    fields={fields}
    scope="write:stock.place.update"
    endpoint={useApi().storagePlaces}
    edits="What the place allows counts for new documents."
    archives="It must hold no stock and no reservations. New documents cannot name it any more."
    keeps={place.is_main ? 'The main place stays in use' : undefined}
  />
)
