/** What suppliers and customers are. The two differ only in names and addresses (docs/rules/partners.md). */

import { changes, filtersOf, flagged, uniqueText } from '../../kit/api/list-filters.ts'
import { searchIn } from '../../kit/api/search-filter.ts'
import { noun } from '../../kit/documents/noun.ts'
import type { BodyOf, SentFields } from '../../kit/fields/bodies.ts'
import { countryCode, currency, flag, identifier, instant, key, text } from '../../kit/fields/kinds.ts'
import { recordFields } from '../../kit/fields/record-fields.ts'
import { sql } from '../../platform/postgres/postgres.ts'
import { address } from './address.ts'

/** The same expression as the index has (sql/000001_tenants.sql). */
export const searchedText = (alias: string) =>
  sql.fragment`partner_text(${sql.identifier([alias, 'title'])}, ${sql.identifier([alias, 'email'])})`

/** The fields of every partner. */
const said = {
  title: text().writable(),
  country_code: countryCode().orNull().writable(),
  email: text().words('where to write to').orNull().writable(),
  phone: text().words('where to call').orNull().writable(),
  tax_number: text().words('for invoices (VAT identification number)').orNull().writable(),
  currency: currency().orNull().writable(),
  external_ref: identifier().orNull().writable(),
  metadata: recordFields.metadata,
}

/** The fields of a supplier, also of one that an order brings with it. */
export const supplierFields = { ...said, address: address().words('where it is').orNull().writable() }

/** The meaning of the addresses of a customer and of an order. */
export const addressWords = { shipping: 'where goods are sent to', billing: 'where invoices are sent to' }

/** The fields of a customer, as `supplierFields`. */
export const customerFields = {
  ...said,
  shipping_address: address().words(addressWords.shipping).orNull().writable(),
  billing_address: address().words(addressWords.billing).orNull().writable(),
}
export type InlinePartner = BodyOf<typeof supplierFields> | BodyOf<typeof customerFields>

/** The declaration that both kinds share. */
const partner = <const F extends SentFields>(table: string, fields: F) =>
  ({
    table,
    path: `/${table}`,
    fields: {
      id: key(),
      ...fields,
      ...recordFields,
      archived: flag().writable('change'),
      created_at: instant(),
      updated_at: instant(),
    },
    unique: ['external_ref'],
    filters: filtersOf({
      external_ref: uniqueText(),
      archived: flagged(),
      q: searchIn({ table, text: searchedText, textOfRow: searchedText('r') }),
      ...changes,
    }),
    listed: 'Ascending by id. Archived ones are listed unless filtered. `q` looks in title and e-mail address.',
  }) as const

export const Supplier = noun({
  ...partner('suppliers', supplierFields),
  name: 'supplier',
  tag: ['Suppliers', 'Whom the tenant buys from.'],
  events: { created: 'A supplier was created, also by a purchase order.', updated: 'A supplier was changed.' },
  scopes: {
    read: 'read:purchase',
    create: 'write:purchase.supplier.create',
    update: 'write:purchase.supplier.update',
  },
})

export const Customer = noun({
  ...partner('customers', customerFields),
  name: 'customer',
  tag: ['Customers', 'Whom the tenant sells to.'],
  events: { created: 'A customer was created, also by a sales order.', updated: 'A customer was changed.' },
  scopes: { read: 'read:sales', create: 'write:sales.customer.create', update: 'write:sales.customer.update' },
})

export type Partner = typeof Supplier | typeof Customer

/** The fields of a partner that its orders show. */
export const partnerFields = ['id', 'title', 'country_code'] as const
