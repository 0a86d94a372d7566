/**
 * The two kinds of partners, which differ in nothing but names.
 */
import { Customer, type Partner, Supplier } from './document.ts'

export type PartnerWords = {
  readonly document: Partner
  /** In ids of endpoints. */
  readonly name: 'Supplier' | 'Customer'
  readonly path: string
  readonly tag: string
  readonly readScope: string
  readonly writeScope: string
  /** For the documentation. */
  readonly example: { readonly title: string; readonly country_code: string }
}

export const supplierWords: PartnerWords = {
  document: Supplier,
  name: 'Supplier',
  path: '/suppliers',
  tag: 'Suppliers',
  readScope: 'read:purchase',
  writeScope: 'write:purchase.supplier',
  example: { title: 'Nordic Packaging AS', country_code: 'NO' },
}

export const customerWords: PartnerWords = {
  document: Customer,
  name: 'Customer',
  path: '/customers',
  tag: 'Customers',
  readScope: 'read:sales',
  writeScope: 'write:sales.customer',
  example: { title: 'Harbour Coffee Bar', country_code: 'DE' },
}
