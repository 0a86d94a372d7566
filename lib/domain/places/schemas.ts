/** The bodies of storage places. */
import type * as v from 'valibot'
import {
  clearable,
  countryCode,
  flag,
  nullable,
  optional,
  shape,
  text,
  title,
  withDefault,
} from '../../kit/api/fields.ts'

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
