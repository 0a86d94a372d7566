/** Customers: their list, and a page for each with its orders, returns and holds. */
import { addressOf } from '../../patterns/addresses.tsx'
import { type Columns, column, numberColumn } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { Related } from '../../patterns/related.tsx'
import type { Reservation, SalesOrder, SalesReturn } from '../../records.ts'
import { holds } from '../holds/nouns.ts'
import { salesReturns } from '../returns/nouns.ts'
import { salesOrders } from '../sales/nouns.ts'
import { partnerActions, partnerColumns, partnerFacts } from './columns.tsx'
import { customers } from './nouns.ts'
import { CustomerSteps, NewCustomer } from './steps.tsx'

export const { List, Page } = documentScreens(customers, {
  columns: partnerColumns(customers),
  actions: partnerActions('customers', <NewCustomer />),
  whenEmpty:
    'There are no customers yet. Make one here, import a file of them, or let an order bring its customer along.',
  whenNoMatch: 'Nothing has this in its name or e-mail.',
  steps: customer => <CustomerSteps customer={customer} />,
  facts: customer => [
    ...partnerFacts(customer),
    ['Ship to', addressOf(customer.shipping_address)],
    ['Bill to', addressOf(customer.billing_address)],
    ['Reference', customer.external_ref],
  ],
  related: ({ id: customer_id }) => (
    <>
      <Related
        of={salesOrders}
        by={{ customer_id }}
        columns={orderColumns}
        aside={
          <PathLink to="/sales-orders" search={{ customer_id }}>
            All of its orders
          </PathLink>
        }
        whenEmpty="It has ordered nothing yet."
      />
      <Related
        of={salesReturns}
        title="Returns"
        by={{ customer_id }}
        columns={returnColumns}
        whenEmpty="Nothing was returned."
      />
      <Related of={holds} by={{ customer_id }} columns={holdColumns} whenEmpty="Nothing is held for it." />
    </>
  ),
})

const orderColumns: Columns<SalesOrder> = [
  numberColumn(salesOrders),
  column.status('Status', ({ status }) => status, 'sm'),
  column.status('Delivery', ({ delivery_status }) => delivery_status),
  column.day('Due', ({ delivery_date }) => delivery_date, 'sm'),
  column.money('Total', ({ total_amount_with_tax, currency }) => [total_amount_with_tax, currency]),
]

const returnColumns: Columns<SalesReturn> = [
  numberColumn(salesReturns),
  column.status('Status', ({ sales_return }) => sales_return.status),
  column.shown('Sales order', ({ sales_return }) => sales_return.sales_order_number),
  column.day('Created', ({ sales_return }) => sales_return.created_date, 'sm'),
]

const holdColumns: Columns<Reservation> = [
  numberColumn(holds),
  column.status('Status', ({ status }) => status),
  column.instant('Held until', ({ expires_at }) => expires_at),
]
