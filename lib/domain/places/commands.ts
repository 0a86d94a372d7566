/** The commands that make and change storage places (docs/rules/places.md). */
import { isRefusal } from '../../kit/api/errors.ts'
import { changes } from '../../kit/documents/acts.ts'
import { made, updated } from '../../kit/documents/command.ts'
import { creates } from '../../kit/documents/creates.ts'
import { byRef, isBornArchived } from '../../kit/documents/puts.ts'
import { inUse } from './in-use.ts'
import { mainPlace, mainPlaceId } from './main-place.ts'
import { StoragePlace } from './noun.ts'
import { changedPlace, refuseMainArchived } from './rules.ts'

/** Refuses `validation_failed` for a taken external_ref. */
export const createStoragePlace = creates(StoragePlace, {
  description:
    'The first place becomes the main one. Stock that has no place stays without one, and is addressed by an explicit ' +
    '`storage_place_id: null`. `code` need not be unique.',
  example: {
    title: 'Main warehouse',
    code: 'WH-1',
    address: { line_1: 'Speicherstadt 1', city: 'Hamburg', zip: '20457', country_code: 'DE' },
  },
  needs: () => ({ mainPlace }),
  decide: (body, facts, { now, work }) => {
    const [isMain, archived] = [facts.mainPlace === null, isBornArchived(body)]
    const refused = facts.refuseTaken() ?? refuseMainArchived({ is_main: isMain, archived })
    if (refused) return refused
    const place = work.make(StoragePlace, {
      ...body,
      id: work.newId(),
      is_main: isMain,
      archived,
      created_at: now,
      updated_at: now,
    })
    if (place.is_main) work.changeAnswer(mainPlaceId, {}, place.id)
    return made(work, StoragePlace, place)
  },
})

/** Refuses as `createStoragePlace` and `changedPlace` do. A body that changes nothing writes nothing and has no event. */
export const changeStoragePlace = changes(StoragePlace, {
  description:
    'What is omitted stays; null clears a nullable field. `address` is replaced as a whole. A place can be archived while it ' +
    'holds no stock, nothing is reserved there and it is not the main one, else 409 `conflict`. No new document may name an ' +
    'archived place, other than a transfer out of it (400); what is under way there goes on. What a place allows counts for ' +
    'new documents too. A body that changes nothing answers the place as it is.',
  example: { title: 'Main warehouse, hall 2', address: { line_1: 'Speicherstadt 2', city: 'Hamburg' } },
  more: ({ record, body }) => ({ isInUse: inUse(body.archived === true ? record.id : null) }),
  decide: ({ record: before, body }, { isInUse, refuseTaken }, { work }) => {
    const refused = refuseTaken(before.id)
    if (refused) return refused
    const next = changedPlace(before, body, isInUse)
    return isRefusal(next) ? next : updated(work, StoragePlace, { before, next })
  },
})

export const placeByRef = byRef(StoragePlace, {
  create: createStoragePlace,
  change: changeStoragePlace,
  example: { title: 'Shop', code: 'SHOP', purchase_allowed: false },
})
