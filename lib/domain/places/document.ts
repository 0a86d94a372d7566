/** What a storage place is: a warehouse, or a part of one. */
import { document, type RecordOf } from '../../kit/documents/document.ts'
import { flag, instant, key, nullable, text, texts } from '../../kit/documents/field.ts'

export const StoragePlace = document({
  kind: 'storage_place',
  noun: 'storage place',
  table: 'storage_places',
  fields: {
    id: key(),
    title: text(),
    code: nullable(text()),
    is_main: flag(),
    manufacturing_allowed: flag(),
    sales_allowed: flag(),
    purchase_allowed: flag(),
    address: nullable(texts(['line_1', 'line_2', 'city', 'region', 'zip', 'country_code'])),
    external_ref: nullable(text()),
    archived: flag(),
    created_at: instant(),
    updated_at: instant(),
  },
  unique: ['external_ref'],
})

export type Place = RecordOf<typeof StoragePlace>
