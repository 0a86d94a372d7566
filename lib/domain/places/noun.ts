/** What a storage place is: a warehouse, or a part of one (docs/rules/places.md). */
import { fewTexts, filtersOf, flagged, uniqueText } from '../../kit/api/list-filters.ts'
import type { RecordOf } from '../../kit/documents/document.ts'
import { noun } from '../../kit/documents/noun.ts'
import type { ChangeOf } from '../../kit/fields/bodies.ts'
import { countryCode, flag, instant, key, text, texts } from '../../kit/fields/kinds.ts'

export const StoragePlace = noun({
  name: 'storage place',
  table: 'storage_places',
  path: '/storage-places',
  tag: ['Storage places', 'Warehouses and parts of them: where stock lies, and what may happen there.'],
  events: { created: 'A storage place was created.', updated: 'A storage place was changed.' },
  scopes: { read: 'read:stock', create: 'write:stock.place.create', update: 'write:stock.place.update' },
  fields: {
    id: key(),
    title: text().writable(),
    code: text().orNull().writable(),
    is_main: flag(),
    manufacturing_allowed: flag().default(true).writable(),
    sales_allowed: flag().default(true).writable(),
    purchase_allowed: flag().default(true).writable(),
    address: texts({
      line_1: text().orNull(),
      line_2: text().orNull(),
      city: text().orNull(),
      region: text().orNull(),
      zip: text().orNull(),
      country_code: countryCode().orNull(),
    })
      .orNull()
      .writable(),
    external_ref: text().orNull().writable(),
    archived: flag().writable('change'),
    created_at: instant(),
    updated_at: instant(),
  },
  unique: ['external_ref'],
  filters: filtersOf({ external_ref: uniqueText(), code: fewTexts(), archived: flagged() }),
  listed:
    'Archived ones are listed unless filtered. A tenant without storage places has an empty list; its stock then has `storage_place_id` null, and no ' +
    'implicit warehouse exists.',
})

export type Place = RecordOf<typeof StoragePlace>
export type PlaceChange = ChangeOf<typeof StoragePlace>
