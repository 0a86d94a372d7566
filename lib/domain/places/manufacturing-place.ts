/**
 * The place of a manufacturing order that names none: the main place if it allows manufacturing, else the place with the lowest id that
 * does.
 *
 * Any change of a place may change this answer. Commands after a command that made or changed a place wait for the next unit of work.
 */
import type { Sql } from '../../kit/documents/sql.ts'
import { choice, chosenPlace } from './chosen-place.ts'
import { StoragePlace } from './noun.ts'

const chosen = (which: string): Sql =>
  `(select id from storage_places where tenant_id = q.tenant_id and manufacturing_allowed and not archived ${which})`

/** A scalar: the id of that place for the tenant of `q`; null if no place allows manufacturing. */
export const manufacturingPlaceId: Sql = `coalesce(${chosen('and is_main')}, ${chosen('order by id limit 1')})`

/** Null if no place allows manufacturing. */
export const manufacturingPlace = chosenPlace(
  choice('manufacturing', `id = ${manufacturingPlaceId}`, [StoragePlace.table]),
)
