/** What a walk is: the writes of one client, one after another. Each is known before it is sent. */
import type { Loose } from '../support/command-context.ts'
import type { Tenant } from './tenants.ts'
import type { Bulk, Write } from './writes.ts'

/** A walk gets the answer of each of its writes. */
export type Walk = Generator<Write | Bulk, void, Loose>

export type Start = {
  readonly tenant: Tenant
  /** The keys and references of this walk begin with it. */
  readonly mark: string
  /** A quantity that only this walk has: some millionths more than `whole`. */
  readonly quantity: (whole: number) => number
}
