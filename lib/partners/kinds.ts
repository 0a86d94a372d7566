/**
 * The two kinds of partners, which differ in nothing but names. It must not hold any logic.
 */

export type PartnerKind = {
  /** `supplier`: how fields, messages and ids of endpoints call it. */
  readonly noun: 'supplier' | 'customer'
  readonly table: 'suppliers' | 'customers'
  readonly tag: string
  readonly readScope: string
  readonly writeScope: string
  /** For the example of the documentation. */
  readonly exampleTitle: string
}

export const supplierKind: PartnerKind = {
  noun: 'supplier',
  table: 'suppliers',
  tag: 'Suppliers',
  readScope: 'read:purchase',
  writeScope: 'write:purchase.supplier',
  exampleTitle: 'Nordic Packaging AS',
}

export const customerKind: PartnerKind = {
  noun: 'customer',
  table: 'customers',
  tag: 'Customers',
  readScope: 'read:sales',
  writeScope: 'write:sales.customer',
  exampleTitle: 'Harbour Coffee Bar',
}
