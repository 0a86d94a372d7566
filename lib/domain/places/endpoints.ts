/** The endpoints of storage places. */

import { readsOf } from '../../kit/documents/noun.ts'
import { resource } from '../../kit/documents/resources.ts'
import { changeStoragePlace, createStoragePlace, placeByRef } from './commands.ts'
import { examples } from './examples.ts'
import { StoragePlace } from './noun.ts'

export const [listStoragePlaces, getStoragePlace] = readsOf(StoragePlace)

export const storagePlaces = resource(
  [StoragePlace],
  [listStoragePlaces, getStoragePlace, createStoragePlace, changeStoragePlace, ...placeByRef],
  { examples },
)
