/** Batches: how they are read, listed, linked and found, and their events. */
import { filter } from '../../filters.ts'
import { noun } from '../../noun.ts'
import { joinedTexts } from '../../patterns/titles.ts'

export const batches = noun({
  ...{ kind: 'BATCH', one: 'Batch', many: 'Trace' },
  ...{ list: '/trace', resource: 'batches', scope: 'read:stock' },
  of: api => api.batches,
  filters: {
    number: filter.text('Batch number'),
    item_variant_id: filter.variant('Product'),
    expires_before: filter.day('Expires before'),
  },
  find: { by: { newest: 'number' }, label: 'Batches', hint: ({ title, sku }) => joinedTexts(title, sku) },
  touches: ['stock'],
  events: ['updated', 'expired'],
})
