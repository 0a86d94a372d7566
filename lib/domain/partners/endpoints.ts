/** The endpoints of suppliers and customers. */
import { readsOf } from '../../kit/documents/noun.ts'
import { resource } from '../../kit/documents/resources.ts'
import { changePartner, createPartner } from './commands.ts'
import { customerExamples, supplierExamples } from './examples.ts'
import { Customer, type Partner, Supplier } from './noun.ts'

function endpointsOf(of: Partner, example: { readonly title: string; readonly country_code: string }) {
  const [list, read] = readsOf(of)
  return { list, read, create: createPartner(of, example), update: changePartner(of) }
}

export const supplierEndpoints = endpointsOf(Supplier, { title: 'Nordic Packaging AS', country_code: 'NO' })
export const customerEndpoints = endpointsOf(Customer, { title: 'Harbour Coffee Bar', country_code: 'DE' })

export const suppliers = resource([Supplier], Object.values(supplierEndpoints), { examples: supplierExamples })
export const customers = resource([Customer], Object.values(customerEndpoints), { examples: customerExamples })
