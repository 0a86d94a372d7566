/** Storage places: how they are read, listed and linked, and their events. */
import { filter } from '../../filters.ts'
import { noun } from '../../noun.ts'

export const storagePlaces = noun({
  ...{ kind: 'STORAGE_PLACE', one: 'Storage place', many: 'Storage places' },
  ...{ list: '/storage-places', scope: 'read:stock' },
  of: api => api.storagePlaces,
  filters: { archived: filter.use() },
  order: 'asc',
})
