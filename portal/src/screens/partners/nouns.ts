/** Customers and suppliers: how they are read, listed, linked and found, and their events. */
import { filter } from '../../filters.ts'
import { noun } from '../../noun.ts'

const filters = { q: filter.text('Name or e-mail'), archived: filter.use() }

export const customers = noun({
  ...{ kind: 'CUSTOMER', one: 'Customer', many: 'Customers' },
  ...{ list: '/customers', scope: 'read:sales' },
  of: api => api.customers,
  filters,
  find: { by: 'title', hint: ({ email }) => email },
})

export const suppliers = noun({
  ...{ kind: 'SUPPLIER', one: 'Supplier', many: 'Suppliers' },
  ...{ list: '/suppliers', scope: 'read:purchase' },
  of: api => api.suppliers,
  filters,
  find: { by: 'title', hint: ({ email }) => email },
})
