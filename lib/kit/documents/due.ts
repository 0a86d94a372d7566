/** Work that becomes due in a tenant, such as the end of holds. Each kind is declared once. A unit of work does it (lib/work/due.ts). */
import type { DomainEvent, Tenant } from '../api/endpoint.ts'
import type { Facts, Needs } from './needs.ts'
import type { Sql } from './sql.ts'
import type { Work } from './work.ts'

/** A tenant at the time of its commands. */
export type DueAt = { readonly tenant: Tenant; readonly now: string }

type Declared<N extends Needs, M extends Needs> = {
  /** SQL for a text that shows what is due next in the tenant `q.tenant_id`; null: nothing. It costs look-ups in an index. */
  readonly next: Sql
  readonly isDue: (next: string, at: DueAt) => boolean
  /**
   * Whether it is done before any command decides. Otherwise it waits for a unit without commands of the tenant, and commands check the
   * time themselves.
   */
  readonly isFirst: boolean
  /** The needs of the due work, for at most about `rows` rows. */
  readonly needs: (at: DueAt, rows: number) => N
  /** The needs that depend on these. */
  readonly more: (facts: Facts<N>) => M
  /** Does the due work. Its events follow those of the stock. */
  readonly decide: (facts: Facts<N> & Facts<M>, work: Work) => readonly DomainEvent[]
}

// biome-ignore lint/suspicious/noExplicitAny: the unit of work hands on what the declaration asked for
export type Due = Declared<any, any>

/** Declares work that becomes due. */
export const dueOf = <N extends Needs, M extends Needs>(declared: Declared<N, M>): Due => declared
