/** Owns what a walk is: the writes of one client, one after another, each known before it is sent. */
import type { Loose } from '../support/command-context.ts'
import type { Tenant } from './tenants.ts'
import type { Bulk, Write } from './writes.ts'

/** It is given what each write answered. */
export type Walk = Generator<Write | Bulk, void, Loose>

export type Start = {
  readonly tenant: Tenant
  /** Begins the keys and references of this walk. */
  readonly mark: string
  /** A quantity of this walk alone: so many millionths more than is asked for. */
  readonly quantity: (whole: number) => number
}
