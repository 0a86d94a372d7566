/** The steps of storage places. */
import type { StoragePlace } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { placeAddress } from '../../patterns/address-inputs.tsx'
import { field } from '../../patterns/fields.tsx'
import { ArchiveStep, EditRecord, NewRecord } from '../../patterns/record-steps.tsx'
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

export function PlaceSteps({ place }: { readonly place: Exact<StoragePlace> }) {
  const { storagePlaces } = useApi()
  const { id, title, archived, is_main } = place
  const common = { record: place, reread: () => storagePlaces.get(id), scope: 'write:stock.place.update' }
  return (
    <>
      <EditRecord
        {...common}
        fields={fields}
        explains="What the place allows counts for new documents."
        update={(changes, sending) => storagePlaces.update(id, changes, sending)}
      />
      <ArchiveStep
        {...common}
        title={title}
        isArchived={archived}
        explains="It must hold no stock and no reservations. New documents cannot name it any more."
        closed={is_main ? 'The main place stays in use' : undefined}
        update={(changes, sending) => storagePlaces.update(id, changes, sending)}
      />
    </>
  )
}
