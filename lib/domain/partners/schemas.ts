/** The bodies of suppliers and customers. */
import type * as v from 'valibot'
import { clearable, countryCode, currency, flag, nullable, optional, shape, text, title } from '../../kit/api/fields.ts'

export const NewPartner = shape({
  title: title(),
  country_code: nullable(countryCode()),
  email: nullable(text()),
  phone: nullable(text()),
  tax_number: nullable(text()),
  currency: nullable(currency()),
  external_ref: nullable(text()),
})
export type NewPartner = v.InferOutput<typeof NewPartner>

export const PartnerChange = shape({
  title: optional(title()),
  country_code: clearable(countryCode()),
  email: clearable(text()),
  phone: clearable(text()),
  tax_number: clearable(text()),
  currency: clearable(currency()),
  external_ref: clearable(text()),
  archived: optional(flag()),
})
export type PartnerChange = v.InferOutput<typeof PartnerChange>

/** A supplier or customer that an order brings along: found by its external_ref, else made. */
export const InlinePartner = shape({
  title: title(),
  country_code: nullable(countryCode()),
  external_ref: nullable(text()),
})
export type InlinePartner = v.InferOutput<typeof InlinePartner>
