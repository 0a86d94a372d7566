/** The tenant's main place: where lines stand that name none. */
import type { RecordOf } from '../documents/document.ts'
import type { Source, Works } from '../documents/load.ts'
import type { Need } from '../documents/needs.ts'
import { recordFrom, selected } from '../documents/statements.ts'
import type { Query, TextRow } from '../postgres/round-trip.ts'
import { StoragePlace } from './document.ts'

export type Place = RecordOf<typeof StoragePlace>

/** Null where the tenant has no places. */
export const mainPlace: Need<Place | null> = {
  ask: (load, tenantId) => load.source('main place', () => new MainPlaces()).ask(tenantId),
  see: work => {
    const id = work.holder(StoragePlace, 'main', '')
    return id === null ? null : work.find(StoragePlace, id)
  },
}

class MainPlaces implements Source {
  readonly #tenantIds = new Set<string>()

  ask(tenantId: string): void {
    this.#tenantIds.add(tenantId)
  }

  query(): Query {
    return { text, values: [[...this.#tenantIds]] }
  }

  take(rows: readonly TextRow[], works: Works): void {
    for (const tenantId of this.#tenantIds) works.get(tenantId)?.putHolder(StoragePlace, 'main', '', null)
    for (const row of rows) {
      const work = works.get(row['tenant_id'] ?? '')
      const place = recordFrom(StoragePlace.columns, row) as Place
      work?.put(StoragePlace, place.id, place)
      work?.putHolder(StoragePlace, 'main', '', place.id)
    }
  }
}

const text = `
  select q.tenant_id, ${selected(StoragePlace.columns, 'p')}
  from unnest($1::bigint[]) as q (tenant_id)
  cross join lateral (select * from storage_places where tenant_id = q.tenant_id and is_main limit 1) p`
