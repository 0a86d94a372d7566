/** The endpoints of suppliers and customers. */
import { readsOf } from '../../kit/documents/noun.ts'
import { byRef } from '../../kit/documents/puts.ts'
import { resource } from '../../kit/documents/resources.ts'
import { changePartner, createPartner } from './commands.ts'
import { customerExamples, supplierExamples } from './examples.ts'
import { Customer, type Partner, Supplier } from './noun.ts'

function endpointsOf(of: Partner, example: { readonly title: string; readonly country_code: string }) {
  const [list, read] = readsOf(of)
  const [create, update] = [createPartner(of, example), changePartner(of)]
  const [readByRef, put] = byRef(of, { create, change: update, example: { ...example, phone: '+47 55 1234' } })
  return { list, read, create, update, readByRef, put }
}

export const supplierEndpoints = endpointsOf(Supplier, { title: 'Nordic Packaging AS', country_code: 'NO' })
export const customerEndpoints = endpointsOf(Customer, { title: 'Harbour Coffee Bar', country_code: 'DE' })

export const suppliers = resource([Supplier], Object.values(supplierEndpoints), { examples: supplierExamples })
export const customers = resource([Customer], Object.values(customerEndpoints), { examples: customerExamples })
