/**
 * What tenants do by themselves when its time has come, such as ending holds: declared once, and done by a unit of work before it decides
 * any command of the tenant (lib/work/due.ts).
 */
import type { DomainEvent } from '../api/endpoint.ts'
import type { Facts, Needs } from './needs.ts'
import type { Sql } from './sql.ts'
import type { Work } from './work.ts'

type Declared<N extends Needs, M extends Needs> = {
  /** When the tenant `q.tenant_id` has something to do next: a `timestamptz`, null where it has nothing. It costs a look-up in an index. */
  readonly next: Sql
  /** What of it is due at this time, at most as much as one unit of work may do. */
  readonly needs: (now: string) => N
  /** What hangs on that. */
  readonly more: (facts: Facts<N>) => M
  /** Does it. The events are told after those of the stock. */
  readonly decide: (facts: Facts<N> & Facts<M>, work: Work) => readonly DomainEvent[]
}

// biome-ignore lint/suspicious/noExplicitAny: the unit of work hands on what the declaration asked for
export type Due = Declared<any, any>

/** Declares it. */
export const dueOf = <N extends Needs, M extends Needs>(declared: Declared<N, M>): Due => declared
