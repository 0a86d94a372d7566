/** The steps of storage places. */
import { field, placeAddress } from '../../patterns/fields.tsx'
import { NewRecord, RecordSteps } from '../../patterns/record-steps.tsx'
import type { StoragePlace } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { storagePlaces } from './nouns.ts'

const ofPlaces = {
  of: storagePlaces,
  fields: {
    title: field.title('Name'),
    code: field.text('Code'),
    sales_allowed: field.flag('Sales orders may ship from it', true),
    purchase_allowed: field.flag('Receipts may go there', true),
    manufacturing_allowed: field.flag('Manufacturing orders may use it', true),
    external_ref: field.text('Reference'),
    address: field.address('Address', placeAddress),
    metadata: field.metadata(),
  },
}

export const NewPlace = ({ stays = false }: { readonly stays?: boolean }) => (
  <NewRecord
    {...ofPlaces}
    scope="write:stock.place.create"
    explains="The first place that is made stays the main place: documents that name no place go there."
    endpoint={useApi().storagePlaces}
    stays={stays}
  />
)

export const PlaceSteps = ({ place }: { readonly place: StoragePlace }) => (
  <RecordSteps
    {...ofPlaces}
    record={place}
    scope="write:stock.place.update"
    endpoint={useApi().storagePlaces}
    edits="What the place allows counts for new documents."
    archives="It must hold no stock and no reservations. New documents cannot name it any more."
    keeps={place.is_main ? 'The main place stays in use' : undefined}
  />
)
