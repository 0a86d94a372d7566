/**
 * Where a manufacturing order is made that names no place: the main place if it allows manufacturing, else the one with the
 * lowest id that does.
 *
 * Which that is changes with any place: commands behind one that made or changed a place look in the next unit of work.
 */
import type { Sql } from '../../kit/documents/sql.ts'
import { choice, chosenPlace } from './chosen-place.ts'
import { StoragePlace } from './noun.ts'

const chosen = (which: string): Sql =>
  `(select id from storage_places where tenant_id = q.tenant_id and manufacturing_allowed and not archived ${which})`

/** A scalar: the id of the place of the tenant of `q`; null where there is none. */
export const manufacturingPlaceId: Sql = `coalesce(${chosen('and is_main')}, ${chosen('order by id limit 1')})`

/** Null where no place allows manufacturing. */
export const manufacturingPlace = chosenPlace(
  choice('manufacturing', `id = ${manufacturingPlaceId}`, [StoragePlace.table]),
)
