/**
 * What happens to storage places: they are made.
 */
import { command, made } from '../documents/command.ts'
import { free } from '../documents/needs.ts'
import { replyOf } from '../documents/reply.ts'
import { StoragePlace } from './document.ts'
import { mainPlace } from './main-place.ts'
import { NewStoragePlace } from './schemas.ts'

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
    if (place.is_main) work.hold(StoragePlace, 'main', '', place.id)
    return made(work, StoragePlace, place)
  },
})
