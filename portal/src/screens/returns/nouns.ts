/** Sales returns: how they are read, listed, linked and found, and their events. */
import { filter } from '../../filters.ts'
import { words } from '../../format.tsx'
import { noun } from '../../noun.ts'

export const salesReturns = noun({
  ...{ kind: 'SALES_RETURN', one: 'Sales return', many: 'Sales returns' },
  ...{ list: '/sales-returns', scope: 'read:sales' },
  of: api => api.salesReturns,
  named: ({ sales_return }) => sales_return,
  filters: {
    status: filter.codes('Status', ['NOT_RETURNED', 'RETURNED', 'CANCELLED']),
    customer_id: filter.customer('Customer'),
    sales_order_id: filter.link(),
    number: filter.text('Number'),
    created_after: filter.day('Created from'),
    created_before: filter.day('Created before'),
  },
  find: { by: 'part', hint: ({ sales_return }) => words(sales_return.status) },
  touches: ['sales-orders'],
  events: ['created', 'updated', 'returned', 'cancelled'],
})
