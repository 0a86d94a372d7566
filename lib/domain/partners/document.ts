/** What suppliers and customers are: the two differ in nothing but their tables. */
import { document } from '../../kit/documents/document.ts'
import { flag, instant, key, nullable, text } from '../../kit/documents/field.ts'

const fields = {
  id: key(),
  title: text(),
  country_code: nullable(text()),
  email: nullable(text()),
  phone: nullable(text()),
  tax_number: nullable(text()),
  currency: nullable(text()),
  external_ref: nullable(text()),
  archived: flag(),
  created_at: instant(),
  updated_at: instant(),
}

const unique = ['external_ref'] as const

export const Customer = document({ kind: 'customer', noun: 'customer', table: 'customers', fields, unique })
export const Supplier = document({ kind: 'supplier', noun: 'supplier', table: 'suppliers', fields, unique })
export type Partner = typeof Customer | typeof Supplier

/** The fields of a partner that its orders show. */
export const partnerFields = ['id', 'title', 'country_code'] as const
