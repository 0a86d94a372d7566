/** Whether a storage place holds stock, or stock is reserved there. */
import type { Source, Works } from '../documents/load.ts'
import type { Need } from '../documents/needs.ts'
import type { Query, TextRow } from '../postgres/round-trip.ts'

/**
 * Of the place of this id; null: of none. Where an earlier command of the unit of work changed the stock, wherever it did, the
 * next one tells.
 */
export const inUse = (id: string | null): Need<() => boolean> => {
  let source: InUse | undefined
  return {
    ask: (load, tenantId) => {
      if (id === null) return
      source = load.source('places in use', () => new InUse())
      source.ask(tenantId, id)
    },
    see: work => () => {
      if (id === null || source === undefined) return false
      work.refuseChangedParts()
      return source.has(work.tenant.id, id)
    },
  }
}

class InUse implements Source {
  readonly #asked = new Map<string, readonly [tenantId: string, id: string]>()
  readonly #found = new Set<string>()

  ask(tenantId: string, id: string): void {
    this.#asked.set(`${tenantId} ${id}`, [tenantId, id])
  }

  has(tenantId: string, id: string): boolean {
    return this.#found.has(`${tenantId} ${id}`)
  }

  query(): Query {
    const asked = [...this.#asked.values()]
    return { text, values: [asked.map(([tenantId]) => tenantId), asked.map(([, id]) => id)] }
  }

  take(rows: readonly TextRow[], _works: Works): void {
    for (const { tenant_id, id } of rows) this.#found.add(`${tenant_id} ${id}`)
  }
}

const text = `
  select q.tenant_id, q.id
  from unnest($1::bigint[], $2::bigint[]) as q (tenant_id, id)
  cross join lateral (
    select from stock_levels
    where tenant_id = q.tenant_id and storage_place_id = q.id and (quantity > 0 or reserved_quantity > 0)
    limit 1
  ) l`
