/**
 * What happens to storage places: they are made and changed (docs/rules/places.md).
 */
import { isRefusal } from '../../kit/api/errors.ts'
import { command, made, updated } from '../../kit/documents/command.ts'
import { free, theRecord } from '../../kit/documents/needs.ts'
import { notFound } from '../../kit/documents/reads.ts'
import { replyOf } from '../../kit/documents/reply.ts'
import { StoragePlace } from './document.ts'
import { inUse } from './in-use.ts'
import { MAIN_PLACE, mainPlace } from './main-place.ts'
import { changedPlace } from './rules.ts'
import { NewStoragePlace, StoragePlaceChange } from './schemas.ts'

export const createStoragePlace = command({
  id: 'createStoragePlace',
  method: 'POST',
  path: '/storage-places',
  tag: 'Storage places',
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
  reply: replyOf(StoragePlace),
  ids: () => 1,
  needs: ({ body }) => ({ mainPlace, refuseTaken: free(StoragePlace, { external_ref: body.external_ref }) }),
  decide: ({ body }, facts, { now, work }) => {
    const refused = facts.refuseTaken()
    if (refused) return refused
    const place = work.make(StoragePlace, {
      ...body,
      id: work.newId(),
      is_main: facts.mainPlace === null,
      archived: false,
      created_at: now,
      updated_at: now,
    })
    if (place.is_main) work.hold(StoragePlace, MAIN_PLACE, '', place.id)
    return made(work, StoragePlace, place)
  },
})

/** Refuses as `createStoragePlace` does, `not_found`, and as `changedPlace` does. A body that changes nothing writes and tells nothing. */
export const changeStoragePlace = command({
  id: 'updateStoragePlace',
  method: 'PATCH',
  path: '/storage-places/{id}',
  tag: 'Storage places',
  scope: 'write:stock.place.update',
  summary: 'Update a storage place',
  description:
    'What is omitted stays; null clears a nullable field. `address` is replaced as a whole. A place can be archived while it ' +
    'holds no stock, nothing is reserved there and it is not the main one, else 409 `conflict`. No new document may name an ' +
    'archived place, other than a transfer out of it (400); what is under way there goes on. What a place allows counts for ' +
    'new documents too. A body that changes nothing answers the place as it is.',
  body: StoragePlaceChange,
  example: { title: 'Main warehouse, hall 2', address: { line_1: 'Speicherstadt 2', city: 'Hamburg' } },
  success: 200,
  countsAsDocument: false,
  refusals: [],
  reply: replyOf(StoragePlace),
  ifMatch: StoragePlace,
  ids: () => 0,
  needs: ({ params, body }) => ({
    before: theRecord(StoragePlace, params['id']),
    isInUse: inUse(body.archived === true ? (params['id'] ?? null) : null),
    refuseTaken: free(StoragePlace, { external_ref: body.external_ref }),
  }),
  decide: ({ body }, { before, isInUse, refuseTaken }, { work }) => {
    if (before === null) return notFound(StoragePlace)
    const refused = refuseTaken(before.id)
    if (refused) return refused
    const next = changedPlace(before, body, isInUse)
    return isRefusal(next) ? next : updated(work, StoragePlace, { before, next })
  },
})
