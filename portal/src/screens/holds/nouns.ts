/** Holds: goods that are kept for a customer who is about to order. The API calls them reservations. */
import { filter } from '../../filters.ts'
import { words } from '../../format.tsx'
import { noun, planned } from '../../noun.ts'

export const holds = noun({
  ...{ kind: 'RESERVATION', one: 'Hold', many: 'Holds' },
  ...{ list: '/reservations', under: '/sales-orders', scope: 'read:sales' },
  of: api => api.reservations,
  filters: {
    status: filter.codes('Status', ['HELD', 'CONSUMED', 'RELEASED', 'EXPIRED']),
    customer_id: filter.customer('Customer'),
    item_variant_id: filter.variant('Product'),
  },
  find: { by: 'number', hint: ({ status }) => words(status) },
  touches: ['stock', 'availability', ...planned],
  events: ['created', 'updated', 'released', 'expired', 'consumed'],
})
