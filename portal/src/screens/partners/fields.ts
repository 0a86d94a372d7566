/** What customers and suppliers have alike, and what each has of its own. */
import { partnerAddress } from '../../patterns/address-inputs.tsx'
import { field } from '../../patterns/fields.tsx'

const common = {
  title: field.title('Name'),
  email: field.text('E-mail'),
  phone: field.text('Phone'),
  country_code: field.code('Country', 'DE'),
  tax_number: field.text('Tax number'),
  currency: field.code('Currency', 'EUR'),
  external_ref: field.text('Reference'),
}

export const customerFields = {
  ...common,
  shipping_address: field.address('Ship to', partnerAddress),
  billing_address: field.address('Bill to', partnerAddress),
  metadata: field.metadata(),
}

export const supplierFields = {
  ...common,
  address: field.address('Address', partnerAddress),
  metadata: field.metadata(),
}
