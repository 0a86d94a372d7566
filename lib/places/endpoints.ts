/**
 * The endpoints of storage places. It declares; what runs is in `commands.ts` and `queries.ts`.
 */
import { defineCommand, defineList, type Endpoint } from '../api/endpoint.ts'
import { createPlace } from './commands.ts'
import { listPlaces } from './queries.ts'
import { NewStoragePlace, StoragePlace, StoragePlaceFilters } from './schemas.ts'

const tag = 'Storage places'

export const listStoragePlaces = defineList({
  id: 'listStoragePlaces',
  path: '/storage-places',
  tag,
  scope: 'read:stock',
  summary: 'List storage places',
  description:
    'Ascending by id. A tenant without storage places has an empty list; its stock then has `storage_place_id` null, and no ' +
    'implicit warehouse exists.',
  filters: StoragePlaceFilters,
  refusals: [],
  reply: StoragePlace,
  page: ({ pool, tenantId }, { filters, after, limit }) => listPlaces(pool, { tenantId, filters, after, limit }),
})

export const createStoragePlace = defineCommand({
  id: 'createStoragePlace',
  method: 'POST',
  path: '/storage-places',
  tag,
  scope: 'write:stock.place.create',
  summary: 'Create a storage place',
  description:
    'The first place becomes the main one. Stock that has no place stays without one, and is addressed by an explicit ' +
    '`storage_place_id: null`. `code` need not be unique.',
  body: NewStoragePlace,
  example: {
    title: 'Main warehouse',
    code: 'WH-1',
    address: { line_1: 'Speicherstadt 1', city: 'Hamburg', zip: '20457', country_code: 'DE' },
  },
  success: 201,
  countsAsDocument: false,
  refusals: [],
  reply: StoragePlace,
  execute: createPlace,
})

export const placeEndpoints: readonly Endpoint[] = [listStoragePlaces, createStoragePlace]
