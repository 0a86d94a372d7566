/** The steps of customers and suppliers. */
import type { Customer, Supplier } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { NewRecord, RecordSteps } from '../../patterns/record-steps.tsx'
import { useApi } from '../../session.tsx'
import { customerFields, customerScopes, supplierFields, supplierScopes } from './fields.ts'

type NewProps = {
  /** The person stays where they are. */
  readonly stays?: boolean
}

const ARCHIVED = 'New orders cannot name it any more. Open orders go on.'

export function NewCustomer({ stays = false }: NewProps) {
  const { customers } = useApi()
  return (
    <NewRecord
      kind="customer"
      fields={customerFields}
      scope={customerScopes.create}
      create={(body, sending) => customers.create(body, sending)}
      {...(stays ? {} : { path: '/customers' })}
    />
  )
}

export const CustomerSteps = ({ customer }: { readonly customer: Exact<Customer> }) => (
  <RecordSteps
    record={customer}
    fields={customerFields}
    scope={customerScopes.update}
    endpoint={useApi().customers}
    edits="Orders keep their own addresses."
    archives={ARCHIVED}
  />
)

export function NewSupplier() {
  const { suppliers } = useApi()
  return (
    <NewRecord
      kind="supplier"
      fields={supplierFields}
      scope={supplierScopes.create}
      create={(body, sending) => suppliers.create(body, sending)}
      path="/suppliers"
    />
  )
}

export const SupplierSteps = ({ supplier }: { readonly supplier: Exact<Supplier> }) => (
  <RecordSteps
    record={supplier}
    fields={supplierFields}
    scope={supplierScopes.update}
    endpoint={useApi().suppliers}
    archives={ARCHIVED}
  />
)
