/** The endpoints of storage places. */
import type { Endpoint } from '../../kit/api/endpoint.ts'
import { readsOf } from '../../kit/documents/noun.ts'
import { changeStoragePlace, createStoragePlace } from './commands.ts'
import { StoragePlace } from './noun.ts'

export const [listStoragePlaces, getStoragePlace] = readsOf(StoragePlace)

export const placeEndpoints: readonly Endpoint[] = [
  listStoragePlaces,
  getStoragePlace,
  createStoragePlace,
  changeStoragePlace,
]
