/** What a storage place is: a warehouse, or a part of one (docs/rules/places.md). */
import { changes, fewTexts, filtersOf, flagged, uniqueText } from '../../kit/api/list-filters.ts'
import type { RecordOf } from '../../kit/documents/document.ts'
import { noun } from '../../kit/documents/noun.ts'
import type { ChangeOf } from '../../kit/fields/bodies.ts'
import { flag, identifier, instant, key, text, texts } from '../../kit/fields/kinds.ts'
import { recordFields } from '../../kit/fields/record-fields.ts'
import { addressLines } from './address.ts'

export const StoragePlace = noun({
  name: 'storage place',
  referredAs: 'the place; null is stock without a place',
  table: 'storage_places',
  path: '/storage-places',
  tag: ['Storage places', 'Warehouses and parts of them: where stock lies, and what may happen there.'],
  events: { created: 'A storage place was created.', updated: 'A storage place was changed.' },
  scopes: { read: 'read:stock', create: 'write:stock.place.create', update: 'write:stock.place.update' },
  fields: {
    id: key(),
    title: text().writable(),
    code: identifier().words('a short name').orNull().writable(),
    is_main: flag().words('the place that documents take where they name none; the first one made'),
    manufacturing_allowed: flag().words('whether manufacturing orders may use it').default(true).writable(),
    sales_allowed: flag().words('whether sales orders may ship from it').default(true).writable(),
    purchase_allowed: flag().words('whether receipts may go there').default(true).writable(),
    address: texts(addressLines).words('where it is').orNull().writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    archived: flag().writable('change'),
    created_at: instant(),
    updated_at: instant(),
  },
  unique: ['external_ref'],
  filters: filtersOf({ external_ref: uniqueText(), code: fewTexts(), archived: flagged(), ...changes }),
  listed:
    'Archived ones are listed unless filtered. A tenant without storage places has an empty list; its stock then has `storage_place_id` null, and no ' +
    'implicit warehouse exists.',
})

export type Place = RecordOf<typeof StoragePlace>
export type PlaceChange = ChangeOf<typeof StoragePlace>
