/** The steps of customers and suppliers. */
import type { Customer, Supplier } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { ArchiveStep, EditRecord, NewRecord } from '../../patterns/record-steps.tsx'
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

export function CustomerSteps({ customer }: { readonly customer: Exact<Customer> }) {
  const { customers } = useApi()
  const { id, title, archived } = customer
  const common = { record: customer, reread: () => customers.get(id), scope: customerScopes.update }
  return (
    <>
      <EditRecord
        {...common}
        fields={customerFields}
        explains="Orders keep their own addresses."
        update={(changes, sending) => customers.update(id, changes, sending)}
      />
      <ArchiveStep
        {...common}
        title={title}
        isArchived={archived}
        explains={ARCHIVED}
        update={(changes, sending) => customers.update(id, changes, sending)}
      />
    </>
  )
}

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

export function SupplierSteps({ supplier }: { readonly supplier: Exact<Supplier> }) {
  const { suppliers } = useApi()
  const { id, title, archived } = supplier
  const common = { record: supplier, reread: () => suppliers.get(id), scope: supplierScopes.update }
  return (
    <>
      <EditRecord
        {...common}
        fields={supplierFields}
        update={(changes, sending) => suppliers.update(id, changes, sending)}
      />
      <ArchiveStep
        {...common}
        title={title}
        isArchived={archived}
        explains={ARCHIVED}
        update={(changes, sending) => suppliers.update(id, changes, sending)}
      />
    </>
  )
}
