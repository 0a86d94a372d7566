/** The lists of customers and of suppliers. */
import type { Customer, Page, Supplier } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Exact } from '../../exact.ts'
import { listQuery } from '../../lists.ts'
import { archivedOf, titleColumn, UseFilter } from '../../patterns/archived.tsx'
import { column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { TextFilter, useFilters } from '../../patterns/filters.tsx'
import type { Partners as Kind } from '../../patterns/inputs.tsx'
import { ButtonLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { useApi } from '../../session.tsx'
import { NewCustomer, NewSupplier } from './steps.tsx'

type Partner = Exact<Customer> | Exact<Supplier>

const columnsOf = (documentKind: string): Columns<Partner> => [
  titleColumn(documentKind),
  column.shown('Country', ({ country_code }) => country_code, 'sm'),
  column.shown('E-mail', ({ email }) => email, 'sm'),
  column.shown('Phone', ({ phone }) => phone, 'md'),
  column.shown('Reference', ({ external_ref }) => external_ref, 'md'),
]

type Props = {
  readonly of: Kind
  readonly title: string
  readonly columns: Columns<Partner>
  readonly make: ReactNode
  readonly whenEmpty: string
}

const customersRoute = getRouteApi('/customers')
const customerColumns = columnsOf('CUSTOMER')

export const Customers = () => (
  <Partners
    of="customers"
    title="Customers"
    columns={customerColumns}
    make={<NewCustomer />}
    whenEmpty="There are no customers yet. Make one here, import a file of them, or let an order bring its customer along."
  />
)

const supplierColumns = columnsOf('SUPPLIER')

export const Suppliers = () => (
  <Partners
    of="suppliers"
    title="Suppliers"
    columns={supplierColumns}
    make={<NewSupplier />}
    whenEmpty="There are no suppliers yet. Make one here, import a file of them, or let a purchase order bring its supplier along."
  />
)

const suppliersRoute = getRouteApi('/suppliers')

function Partners({ of, title, columns, make, whenEmpty }: Props) {
  const api = useApi()
  const { search, filter, onClear } = useFilters(of === 'customers' ? customersRoute : suppliersRoute)
  const { q, archived } = search
  return (
    <ListPage<Partner>
      title={title}
      query={listQuery(
        [of],
        { q, ...archivedOf(archived) },
        async (query, options): Promise<Page<Partner>> => api[of].list(query, options),
      )}
      columns={columns}
      onClear={onClear}
      whenEmpty={whenEmpty}
      whenNoMatch="Nothing has this in its title or e-mail."
      actions={
        <>
          <ButtonLink to="/import" search={{ kind: of }}>
            Import
          </ButtonLink>
          {make}
        </>
      }
      filters={
        <>
          <TextFilter label="Title or e-mail" {...filter('q')} />
          <UseFilter {...filter('archived')} />
        </>
      }
    />
  )
}
