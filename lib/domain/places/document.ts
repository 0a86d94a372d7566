/** What a storage place is: a warehouse, or a part of one. */
import { document, type RecordOf } from '../../kit/documents/document.ts'
import { countryCode, flag, instant, key, text, texts } from '../../kit/fields/kinds.ts'

export const StoragePlace = document({
  kind: 'storage_place',
  noun: 'storage place',
  table: 'storage_places',
  fields: {
    id: key(),
    title: text(),
    code: text().orNull(),
    is_main: flag(),
    manufacturing_allowed: flag(),
    sales_allowed: flag(),
    purchase_allowed: flag(),
    address: texts({
      line_1: text().orNull(),
      line_2: text().orNull(),
      city: text().orNull(),
      region: text().orNull(),
      zip: text().orNull(),
      country_code: countryCode().orNull(),
    }).orNull(),
    external_ref: text().orNull(),
    archived: flag(),
    created_at: instant(),
    updated_at: instant(),
  },
  unique: ['external_ref'],
})

export type Place = RecordOf<typeof StoragePlace>
