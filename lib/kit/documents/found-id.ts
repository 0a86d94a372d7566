/** Owns a question about a record that is answered with yes or no: whether a statement finds its id, asked once for all tenants. */
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
import type { Source } from './load.ts'
import type { Need } from './needs.ts'
import type { Work } from './work.ts'

/** What is asked of ids. */
export type Question = {
  readonly name: string
  /** Takes arrays of `tenant_id` and `id`, and answers those pairs that it finds. */
  readonly text: string
  /** Throws `Later` where an earlier command of the unit of work may have changed the answer. */
  readonly check: (work: Work) => void
}

/** Whether the question finds this id; null: it does not. */
export const foundId = (id: string | null, { name, text, check }: Question): Need<() => boolean> => {
  let source: FoundIds | undefined
  return {
    ask: (load, tenantId) => {
      if (id === null) return
      source = load.source(name, () => new FoundIds(text))
      source.ask(tenantId, id)
    },
    see: work => () => {
      if (id === null || source === undefined) return false
      check(work)
      return source.has(work.tenant.id, id)
    },
  }
}

class FoundIds implements Source {
  readonly #text: string
  readonly #asked = new Map<string, readonly [tenantId: string, id: string]>()
  readonly #found = new Set<string>()

  constructor(text: string) {
    this.#text = text
  }

  ask(tenantId: string, id: string): void {
    this.#asked.set(`${tenantId} ${id}`, [tenantId, id])
  }

  has(tenantId: string, id: string): boolean {
    return this.#found.has(`${tenantId} ${id}`)
  }

  query(): Query {
    const asked = [...this.#asked.values()]
    return { text: this.#text, values: [asked.map(([tenantId]) => tenantId), asked.map(([, id]) => id)] }
  }

  take(rows: readonly TextRow[]): void {
    for (const { tenant_id, id } of rows) this.#found.add(`${tenant_id} ${id}`)
  }
}
