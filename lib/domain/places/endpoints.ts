/**
 * The endpoints of storage places. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../kit/api/endpoint.ts'
import { fewTexts, filtersOf, flagged, uniqueText } from '../../kit/api/list-filters.ts'
import { listOf, readOf } from '../../kit/documents/reads.ts'
import { changeStoragePlace, createStoragePlace } from './commands.ts'
import { StoragePlace } from './document.ts'

const words = { tag: 'Storage places', scope: 'read:stock' }

export const listStoragePlaces = listOf(StoragePlace, {
  ...words,
  id: 'listStoragePlaces',
  path: '/storage-places',
  summary: 'List storage places',
  description:
    'Archived ones are listed unless filtered. A tenant without storage places has an empty list; its stock then has `storage_place_id` null, and no ' +
    'implicit warehouse exists.',
  filters: filtersOf({
    external_ref: uniqueText(),
    code: fewTexts(),
    archived: flagged(),
  }),
})

export const getStoragePlace = readOf(StoragePlace, {
  ...words,
  id: 'getStoragePlace',
  path: '/storage-places/{id}',
  summary: 'Read a storage place',
})

export const placeEndpoints: readonly Endpoint[] = [
  listStoragePlaces,
  getStoragePlace,
  createStoragePlace,
  changeStoragePlace,
]
