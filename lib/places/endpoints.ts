/**
 * The endpoints of storage places. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../api/endpoint.ts'
import { sameKey } from '../api/list-page.ts'
import { listOf } from '../documents/reads.ts'
import { createStoragePlace } from './commands.ts'
import { StoragePlace } from './document.ts'
import { StoragePlaceFilters } from './schemas.ts'

export const listStoragePlaces = listOf(StoragePlace, {
  id: 'listStoragePlaces',
  path: '/storage-places',
  tag: 'Storage places',
  scope: 'read:stock',
  summary: 'List storage places',
  description:
    'Ascending by id. A tenant without storage places has an empty list; its stock then has `storage_place_id` null, and no ' +
    'implicit warehouse exists.',
  filters: StoragePlaceFilters,
  where: ({ external_ref }) => ({ same: sameKey('external_ref', external_ref) }),
})

export { createStoragePlace }

export const placeEndpoints: readonly Endpoint[] = [listStoragePlaces, createStoragePlace]
