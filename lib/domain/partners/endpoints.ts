/** The endpoints of suppliers and customers. */
import type { Endpoint } from '../../kit/api/endpoint.ts'
import { readsOf } from '../../kit/documents/noun.ts'
import { changePartner, createPartner } from './commands.ts'
import { Customer, type Partner, Supplier } from './noun.ts'

function endpointsOf(of: Partner, example: { readonly title: string; readonly country_code: string }) {
  const [list, read] = readsOf(of)
  return { list, read, create: createPartner(of, example), update: changePartner(of) }
}

export const supplierEndpoints = endpointsOf(Supplier, { title: 'Nordic Packaging AS', country_code: 'NO' })
export const customerEndpoints = endpointsOf(Customer, { title: 'Harbour Coffee Bar', country_code: 'DE' })

export const partnerEndpoints: readonly Endpoint[] = [
  ...Object.values(supplierEndpoints),
  ...Object.values(customerEndpoints),
]
