/** A place that an SQL condition chooses for the tenant. */
import type { Need } from '../../kit/documents/needs.ts'
import { type Question, question } from '../../kit/documents/question.ts'
import type { Sql } from '../../kit/documents/sql.ts'
import { recordFrom, selected } from '../../kit/documents/statements.ts'
import { type Place, StoragePlace } from './noun.ts'

type Choice = Question<never, string | null>

/**
 * Loads the id of a place; null if there is none.
 * @param where a condition on the places `p` of the tenant of `q` that leaves at most one place
 */
export const choice = (name: string, where: Sql, reads: readonly string[] = []): Choice =>
  question({
    name: `place ${name}`,
    keys: {},
    reads,
    sql: asked => `
      select q.tenant_id, ${selected(StoragePlace.columns, 'p')}
      from ${asked}
      cross join lateral (select * from storage_places p where tenant_id = q.tenant_id and ${where} limit 1) p`,
    read: ([row], work) => {
      if (row === undefined) return null
      const place = recordFrom(StoragePlace.columns, row) as Place
      work.put(StoragePlace, place.id, place)
      return place.id
    },
  })

/** The chosen place; null if there is none. */
export const chosenPlace = (asked: Choice): Need<Place | null> => ({
  ask: (load, tenantId) => asked.ask(load, tenantId, {}),
  see: work => {
    const id = work.answer(asked, {})
    return id === null ? null : work.find(StoragePlace, id)
  },
})
