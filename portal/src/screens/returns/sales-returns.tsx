/** The list of sales returns. */
import type { SalesReturn } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodesFilter, DayFilter, PartnerFilter, TextFilter } from '../../patterns/filters.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { ListOf } from '../../patterns/list-of.tsx'
import { STATUSES } from './statuses.ts'

const route = getRouteApi('/sales-returns')

const columns: Columns<Exact<SalesReturn>> = [
  column.shown('Number', ({ sales_return: { id, number } }) => (
    <DocumentLink kind="SALES_RETURN" id={id} className="row-link">
      {number}
    </DocumentLink>
  )),
  column.status('Status', ({ sales_return }) => sales_return.status),
  column.shown('Sales order', ({ sales_return }) => sales_return.sales_order_number),
  column.lines('What', ({ items }) => items, 'sm'),
  column.instant('Created', ({ sales_return }) => sales_return.created_date, 'sm'),
  column.day('Returned', ({ sales_return }) => sales_return.return_date, 'md'),
  // In the currency of its order, which the list does not tell.
  column.number('Refund', ({ sales_return }) => sales_return.refund_amount, 'md'),
]

export const SalesReturns = () => (
  <ListOf
    title="Sales returns"
    route={route}
    name="sales-returns"
    of={api => api.salesReturns}
    columns={columns}
    rowId={({ sales_return }) => sales_return.id}
    whenEmpty="Nothing has come back yet. Open a shipped sales order and announce what returns of it."
    filters={filter => (
      <>
        <CodesFilter label="Status" of={STATUSES} {...filter('status')} />
        <PartnerFilter of="customers" label="Customer" {...filter('customer_id')} />
        <TextFilter label="Number" {...filter('number')} />
        <DayFilter label="Created from" {...filter('created_after')} />
        <DayFilter label="Created before" {...filter('created_before')} />
      </>
    )}
  />
)
