/** A place that a statement chooses for its tenant: asked once for all tenants of a unit of work. */
import type { Source, Works } from '../../kit/documents/load.ts'
import type { Need } from '../../kit/documents/needs.ts'
import { recordFrom, selected } from '../../kit/documents/statements.ts'
import type { Work } from '../../kit/documents/work.ts'
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
import { type Place, StoragePlace } from './noun.ts'

type Choice = {
  /** Under what the unit of work holds it (`Work.hold`). */
  readonly name: string
  /** Which place `p` it is, of the tenant of `q`: a condition that leaves one at most. */
  readonly where: string
  /** Throws `Later` where an earlier command of the unit of work may have changed the choice. */
  readonly check?: (work: Work) => void
}

/** The chosen place; null where there is none. */
export const chosenPlace = ({ name, where, check }: Choice): Need<Place | null> => ({
  ask: (load, tenantId) => load.source(`place ${name}`, () => new ChosenPlaces(name, where)).ask(tenantId),
  see: work => {
    check?.(work)
    const id = work.holder(StoragePlace, name, '')
    return id === null ? null : work.find(StoragePlace, id)
  },
})

class ChosenPlaces implements Source {
  readonly #name: string
  readonly #text: string
  readonly #tenantIds = new Set<string>()

  constructor(name: string, where: string) {
    this.#name = name
    this.#text = `
      select q.tenant_id, ${selected(StoragePlace.columns, 'p')}
      from unnest($1::bigint[]) as q (tenant_id)
      cross join lateral (select * from storage_places p where tenant_id = q.tenant_id and ${where} limit 1) p`
  }

  ask(tenantId: string): void {
    this.#tenantIds.add(tenantId)
  }

  query(): Query {
    return { text: this.#text, values: [[...this.#tenantIds]] }
  }

  take(rows: readonly TextRow[], works: Works): void {
    for (const tenantId of this.#tenantIds) works.get(tenantId)?.putHolder(StoragePlace, this.#name, '', null)
    for (const row of rows) {
      const work = works.get(row['tenant_id'] ?? '')
      const place = recordFrom(StoragePlace.columns, row) as Place
      work?.put(StoragePlace, place.id, place)
      work?.putHolder(StoragePlace, this.#name, '', place.id)
    }
  }
}
