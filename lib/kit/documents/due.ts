/**
 * Work that becomes due in a tenant, such as ending holds. It is declared once. A unit of work does it before it decides any command of the
 * tenant (lib/work/due.ts).
 */
import type { DomainEvent } from '../api/endpoint.ts'
import type { Facts, Needs } from './needs.ts'
import type { Sql } from './sql.ts'
import type { Work } from './work.ts'

type Declared<N extends Needs, M extends Needs> = {
  /** When the tenant `q.tenant_id` next has something due: a `timestamptz`, null for nothing. It costs a look-up in an index. */
  readonly next: Sql
  /** The needs of what is due at this time, at most as much as one unit of work may do. */
  readonly needs: (now: string) => N
  /** The needs that depend on these. */
  readonly more: (facts: Facts<N>) => M
  /** Does what is due. Its events follow those of the stock. */
  readonly decide: (facts: Facts<N> & Facts<M>, work: Work) => readonly DomainEvent[]
}

// biome-ignore lint/suspicious/noExplicitAny: the unit of work hands on what the declaration asked for
export type Due = Declared<any, any>

/** Declares work that becomes due. */
export const dueOf = <N extends Needs, M extends Needs>(declared: Declared<N, M>): Due => declared
