/** A customer: what it ordered, gave back, and what is held for it. */
import type { Customer as Partner, Reservation, SalesOrder, SalesReturn } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { addressOf } from '../../patterns/addresses.tsx'
import { Archived } from '../../patterns/archived.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { RecordOf, RecordPage } from '../../patterns/detail-page.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { useApi } from '../../session.tsx'
import { CustomerSteps } from './steps.tsx'

const route = getRouteApi('/customers/$id')
const ROWS_MAX = 100

const orderColumns: Columns<Exact<SalesOrder>> = [
  numberColumn('SALES_ORDER'),
  column.status('Status', ({ status }) => status, 'sm'),
  column.status('Delivery', ({ delivery_status }) => delivery_status),
  column.day('Due', ({ delivery_date }) => delivery_date, 'sm'),
  column.money('Total', ({ total_amount_with_tax, currency }) => [total_amount_with_tax, currency]),
]

const returnColumns: Columns<Exact<SalesReturn>['sales_return']> = [
  numberColumn('SALES_RETURN'),
  column.status('Status', ({ status }) => status),
  column.shown('Sales order', ({ sales_order_number }) => sales_order_number),
  column.day('Created', ({ created_date }) => created_date, 'sm'),
]

const holdColumns: Columns<Exact<Reservation>> = [
  numberColumn('RESERVATION'),
  column.status('Status', ({ status }) => status),
  column.instant('Held until', ({ expires_at }) => expires_at),
]

export const Customer = () => (
  <RecordOf route={route} kind="Customer" name="customers" of={api => api.customers}>
    {customer => <Shown customer={customer} />}
  </RecordOf>
)

function Shown({ customer }: { readonly customer: Exact<Partner> }) {
  const api = useApi()
  const { id: customer_id } = customer
  const newest = { customer_id, order: 'desc', limit: ROWS_MAX } as const
  return (
    <RecordPage
      title={customer.title}
      of={customer}
      status={<Archived of={customer} />}
      steps={<CustomerSteps customer={customer} />}
      facts={[
        ['Country', customer.country_code],
        ['E-mail', customer.email],
        ['Phone', customer.phone],
        ['Tax number', customer.tax_number],
        ['Currency', customer.currency],
        ['Ship to', addressOf(customer.shipping_address)],
        ['Bill to', addressOf(customer.billing_address)],
        ['Reference', customer.external_ref],
      ]}
    >
      <Panel
        title="Sales orders"
        scope="read:sales"
        query={{
          queryKey: ['sales-orders', 'of-customer', customer_id],
          queryFn: async ({ signal }) => (await api.salesOrders.list(newest, { signal })).data,
        }}
        aside={
          <PathLink to="/sales-orders" search={{ customer_id }}>
            All of its orders
          </PathLink>
        }
        whenEmpty="It has ordered nothing yet."
      >
        {rows => <DataTable label="Sales orders" columns={orderColumns} rows={rows} leads />}
      </Panel>
      <Panel
        title="Returns"
        scope="read:sales"
        query={{
          queryKey: ['sales-returns', 'of-customer', customer_id],
          queryFn: async ({ signal }) => (await api.salesReturns.list(newest, { signal })).data,
        }}
        whenEmpty="It has given nothing back."
      >
        {rows => (
          <DataTable
            label="Returns"
            columns={returnColumns}
            rows={rows.map(({ sales_return }) => sales_return)}
            leads
          />
        )}
      </Panel>
      <Panel
        title="Holds"
        scope="read:sales"
        query={{
          queryKey: ['reservations', 'of-customer', customer_id],
          queryFn: async ({ signal }) => (await api.reservations.list(newest, { signal })).data,
        }}
        whenEmpty="Nothing is held for it."
      >
        {rows => <DataTable label="Holds" columns={holdColumns} rows={rows} leads />}
      </Panel>
    </RecordPage>
  )
}
