/** The steps of customers and suppliers. */
import { NewRecord, RecordSteps } from '../../patterns/record-steps.tsx'
import type { Customer, Supplier } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { customerFields, supplierFields } from './fields.ts'
import { customers, suppliers } from './nouns.ts'

const ARCHIVED = 'New orders cannot name it any more. Open orders go on.'

/** @param stays the person stays where they are. */
export const NewCustomer = ({ stays = false }: { readonly stays?: boolean }) => (
  <NewRecord
    of={customers}
    fields={customerFields}
    scope="write:sales.customer.create"
    endpoint={useApi().customers}
    stays={stays}
  />
)

export const CustomerSteps = ({ customer }: { readonly customer: Customer }) => (
  <RecordSteps
    of={customers}
    record={customer}
    fields={customerFields}
    scope="write:sales.customer.update"
    endpoint={useApi().customers}
    edits="Orders keep their own addresses."
    archives={ARCHIVED}
  />
)

export const NewSupplier = () => (
  <NewRecord
    of={suppliers}
    fields={supplierFields}
    scope="write:purchase.supplier.create"
    endpoint={useApi().suppliers}
  />
)

export const SupplierSteps = ({ supplier }: { readonly supplier: Supplier }) => (
  <RecordSteps
    of={suppliers}
    record={supplier}
    fields={supplierFields}
    scope="write:purchase.supplier.update"
    endpoint={useApi().suppliers}
    archives={ARCHIVED}
  />
)
