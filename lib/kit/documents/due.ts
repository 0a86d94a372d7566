/**
 * Work that becomes due in a tenant, such as ending holds. Each kind is declared once. A unit of work does it (lib/work/due.ts).
 */
import type { DomainEvent, Tenant } from '../api/endpoint.ts'
import type { Facts, Needs } from './needs.ts'
import type { Sql } from './sql.ts'
import type { Work } from './work.ts'

/** A tenant at the time of its commands. */
export type DueAt = { readonly tenant: Tenant; readonly now: string }

type Declared<N extends Needs, M extends Needs> = {
  /** What tells whether the tenant `q.tenant_id` has something due, as text; null: nothing. It costs look-ups in an index. */
  readonly next: Sql
  readonly isDue: (next: string, at: DueAt) => boolean
  /**
   * Whether it is done before any command decides. Else it waits for a unit without commands of the tenant, while commands judge by the clock
   * by themselves.
   */
  readonly isFirst: boolean
  /** The needs of what is due, at most about `rows` rows. */
  readonly needs: (at: DueAt, rows: number) => N
  /** The needs that depend on these. */
  readonly more: (facts: Facts<N>) => M
  /** Does what is due. Its events follow those of the stock. */
  readonly decide: (facts: Facts<N> & Facts<M>, work: Work) => readonly DomainEvent[]
}

// biome-ignore lint/suspicious/noExplicitAny: the unit of work hands on what the declaration asked for
export type Due = Declared<any, any>

/** Declares work that becomes due. */
export const dueOf = <N extends Needs, M extends Needs>(declared: Declared<N, M>): Due => declared
