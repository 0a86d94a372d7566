/**
 * Where a manufacturing order is made that names no place: the main place if it allows manufacturing, else the one with the
 * lowest id that does.
 *
 * Which that is changes with any place: commands behind one that made or changed a place look in the next unit of work.
 */
import type { Source, Works } from '../documents/load.ts'
import type { Need } from '../documents/needs.ts'
import type { Sql } from '../documents/sql.ts'
import { recordFrom, selected } from '../documents/statements.ts'
import type { Query, TextRow } from '../postgres/round-trip.ts'
import { StoragePlace } from './document.ts'
import type { Place } from './main-place.ts'

const FIELD = 'manufacturing'

/** Null where no place allows manufacturing. */
export const manufacturingPlace: Need<Place | null> = {
  ask: (load, tenantId) => load.source('manufacturing place', () => new ManufacturingPlaces()).ask(tenantId),
  see: work => {
    work.refuseChanged('storage_places')
    const id = work.holder(StoragePlace, FIELD, '')
    return id === null ? null : work.find(StoragePlace, id)
  },
}

class ManufacturingPlaces implements Source {
  readonly #tenantIds = new Set<string>()

  ask(tenantId: string): void {
    this.#tenantIds.add(tenantId)
  }

  query(): Query {
    return { text, values: [[...this.#tenantIds]] }
  }

  take(rows: readonly TextRow[], works: Works): void {
    for (const tenantId of this.#tenantIds) works.get(tenantId)?.putHolder(StoragePlace, FIELD, '', null)
    for (const row of rows) {
      const work = works.get(row['tenant_id'] ?? '')
      const place = recordFrom(StoragePlace.columns, row) as Place
      work?.put(StoragePlace, place.id, place)
      work?.putHolder(StoragePlace, FIELD, '', place.id)
    }
  }
}

const chosen = (which: string): Sql =>
  `(select id from storage_places where tenant_id = q.tenant_id and manufacturing_allowed and not archived ${which})`

/** A scalar: the id of the place of the tenant of `q`; null where there is none. */
export const manufacturingPlaceId: Sql = `coalesce(${chosen('and is_main')}, ${chosen('order by id limit 1')})`

const text = `
  select q.tenant_id, ${selected(StoragePlace.columns, 'p')}
  from unnest($1::bigint[]) as q (tenant_id)
  cross join lateral (
    select * from storage_places
    where tenant_id = q.tenant_id and id = ${manufacturingPlaceId}
    limit 1
  ) p`
