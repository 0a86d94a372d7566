/**
 * The endpoints of storage places. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../api/endpoint.ts'
import { filtersOf, uniqueText } from '../api/list-filters.ts'
import { listOf } from '../documents/reads.ts'
import { createStoragePlace } from './commands.ts'
import { StoragePlace } from './document.ts'

export const listStoragePlaces = listOf(StoragePlace, {
  id: 'listStoragePlaces',
  path: '/storage-places',
  tag: 'Storage places',
  scope: 'read:stock',
  summary: 'List storage places',
  description:
    'Ascending by id. A tenant without storage places has an empty list; its stock then has `storage_place_id` null, and no ' +
    'implicit warehouse exists.',
  filters: filtersOf({
    external_ref: uniqueText(),
  }),
})

export { createStoragePlace }

export const placeEndpoints: readonly Endpoint[] = [listStoragePlaces, createStoragePlace]
