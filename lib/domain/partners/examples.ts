/** The writes that lead to the events of customers and suppliers. */
import { type EventExamples, patched, posted } from '../../kit/documents/examples.ts'

export const partnerExample = { title: 'Triggered partner' }
const change = { phone: '+49 421 123456' }

export const supplierExample = posted('/suppliers', partnerExample)
const customer = posted('/customers', partnerExample)

export const supplierExamples: EventExamples = {
  'supplier.created': supplierExample,
  'supplier.updated': patched('/suppliers', supplierExample, change),
}

export const customerExamples: EventExamples = {
  'customer.created': customer,
  'customer.updated': patched('/customers', customer, change),
}
