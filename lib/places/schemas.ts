/** The bodies, filters and documents of storage places. */
import type * as v from 'valibot'
import { clearable, countryCode, flag, nullable, optional, shape, text, title, withDefault } from '../api/fields.ts'
import { explained, idText, instant, orNull, plainText, truth } from '../api/reply-fields.ts'

const Address = shape({
  line_1: nullable(text()),
  line_2: nullable(text()),
  city: nullable(text()),
  region: nullable(text()),
  zip: nullable(text()),
  country_code: nullable(countryCode()),
})

export const NewStoragePlace = shape({
  title: title(),
  code: nullable(text()),
  manufacturing_allowed: withDefault(flag(), true),
  sales_allowed: withDefault(flag(), true),
  purchase_allowed: withDefault(flag(), true),
  address: nullable(Address),
  external_ref: nullable(text()),
})
export type NewStoragePlace = v.InferOutput<typeof NewStoragePlace>

export const StoragePlaceChange = shape({
  title: optional(title()),
  code: clearable(text()),
  manufacturing_allowed: optional(flag()),
  sales_allowed: optional(flag()),
  purchase_allowed: optional(flag()),
  address: clearable(Address),
  external_ref: clearable(text()),
  archived: optional(flag()),
})
export type StoragePlaceChange = v.InferOutput<typeof StoragePlaceChange>

export const StoragePlace = shape({
  id: idText(),
  title: plainText(),
  code: orNull(plainText()),
  is_main: explained(truth(), 'the place that documents take where they name none; the first one made'),
  manufacturing_allowed: truth(),
  sales_allowed: truth(),
  purchase_allowed: truth(),
  address: orNull(
    shape({
      line_1: orNull(plainText()),
      line_2: orNull(plainText()),
      city: orNull(plainText()),
      region: orNull(plainText()),
      zip: orNull(plainText()),
      country_code: orNull(plainText()),
    }),
  ),
  external_ref: orNull(plainText()),
  archived: truth(),
  created_at: instant(),
  updated_at: instant(),
})
