/** What suppliers and customers are: the two differ in nothing but their tables. */
import { document } from '../../kit/documents/document.ts'
import { flag, instant, key, text } from '../../kit/fields/kinds.ts'

const fields = {
  id: key(),
  title: text(),
  country_code: text().orNull(),
  email: text().orNull(),
  phone: text().orNull(),
  tax_number: text().orNull(),
  currency: text().orNull(),
  external_ref: text().orNull(),
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
