/** The steps of customers and suppliers, and the fields of their forms: what both have alike, and what each has of its own. */
import { field, partnerAddress } from '../../patterns/fields.tsx'
import { NewRecord, RecordSteps } from '../../patterns/record-steps.tsx'
import type { Customer, Supplier } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { customers, suppliers } from './nouns.ts'

const common = {
  title: field.title('Name'),
  email: field.text('E-mail'),
  phone: field.text('Phone'),
  country_code: field.code('Country', 'DE'),
  tax_number: field.text('Tax number'),
  currency: field.code('Currency', 'EUR'),
  external_ref: field.text('Reference'),
}

const ofCustomers = {
  of: customers,
  fields: {
    ...common,
    shipping_address: field.address('Ship to', partnerAddress),
    billing_address: field.address('Bill to', partnerAddress),
    metadata: field.metadata(),
  },
}

const ofSuppliers = {
  of: suppliers,
  fields: { ...common, address: field.address('Address', partnerAddress), metadata: field.metadata() },
}

const ARCHIVED = 'New orders cannot name it any more. Open orders go on.'

/** @param stays the new record's page is not opened. */
export const NewCustomer = ({ stays = false }: { readonly stays?: boolean }) => (
  <NewRecord {...ofCustomers} scope="write:sales.customer.create" endpoint={useApi().customers} stays={stays} />
)

export const CustomerSteps = ({ customer }: { readonly customer: Customer }) => (
  <RecordSteps
    {...ofCustomers}
    record={customer}
    scope="write:sales.customer.update"
    endpoint={useApi().customers}
    edits="Orders keep their own addresses."
    archives={ARCHIVED}
  />
)

export const NewSupplier = () => (
  <NewRecord {...ofSuppliers} scope="write:purchase.supplier.create" endpoint={useApi().suppliers} />
)

export const SupplierSteps = ({ supplier }: { readonly supplier: Supplier }) => (
  <RecordSteps
    {...ofSuppliers}
    record={supplier}
    scope="write:purchase.supplier.update"
    endpoint={useApi().suppliers}
    archives={ARCHIVED}
  />
)
