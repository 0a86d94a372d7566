/** The values that a unit of work takes, works on and gives: batches of tenants, the run of each tenant, and what became of it. */
import type { CommandEndpoint } from '../kit/api/endpoint.ts'
import type { Refusal } from '../kit/api/errors.ts'
import type { AnyUnit, Deciding, Request } from '../kit/documents/command.ts'
import type { Due } from '../kit/documents/due.ts'
import type { Named } from '../kit/documents/naming.ts'
import type { Needs } from '../kit/documents/needs.ts'
import type { Work } from '../kit/documents/work.ts'
import type { Command, Ended } from '../pipeline/command.ts'
import type { LoggedCommand } from '../pipeline/command-log.ts'
import type { OpenedTenant } from './lock-tenants.ts'
import type { LogEntry, OutboxEntry, RefusedRow } from './log.ts'
import type { Quotas } from './quotas.ts'

/** Commands of one tenant that run in one unit of work, in their order. All of their endpoints are known. */
export type TenantBatch = {
  readonly tenantId: string
  readonly commands: readonly Command[]
  /** What the commands are refused with, without being run, unless they ended before. */
  readonly forcedRefusal?: Refusal | undefined
}

export type UnitDependencies = {
  readonly endpointById: ReadonlyMap<string, CommandEndpoint>
  readonly settings: Deciding['settings']
  /** What is done of a tenant before its commands, once it is due. */
  readonly due: Due
  /** The time at which commands run, if not the database's: for tests that move it. */
  readonly clock?: () => string
}

export type UnitOptions = UnitDependencies & {
  /** Whether the unit waits for the locks of its tenants; else it leaves out the tenants that another holds. */
  readonly waits: boolean
  /** Whether the unit runs one command, and each entry of a bulk has a round of its own. */
  readonly oneByOne?: boolean
}

/**
 * A batch ran: its commands with their outcomes, or its first commands only (the others need another unit of work). None of them, where
 * something was due before (due.ts).
 */
export type Ran = {
  readonly is: 'ran'
  readonly ended: readonly Ended[]
  readonly hasEvents: boolean
  /** Whether any of the events may be for a webhook. */
  readonly hasWebhooks: boolean
}
/**
 * What became of a batch. `moved`: the tenant does not live in this database. `too large`: its first command needs more rows than are loaded
 * for commands that run together; nothing of the batch was done.
 */
export type Result = Ran | { readonly is: NotRun | 'moved' | 'too large' }

/**
 * Why a tenant has no run: another has locked it, its writes are paused while it is moved to another cell, or the clocks of PostgreSQL
 * and this process are apart (docs/operations.md, "Clocks").
 */
export type NotRun = 'locked' | 'moving' | 'clock skew'

/** A command with what it must see. */
export type Prepared = {
  readonly command: Command
  readonly endpoint: CommandEndpoint
  readonly unit: AnyUnit
  /** With ids where it names records by other texts; as it was sent until these are known. */
  request: Request
  readonly names: Names | null
  needs: Needs
  ids: readonly string[]
  more: Needs
}

/** Whom a request names by other texts than ids (`named` of its unit), and what came of it. */
export type Names = Named & { found: Request | Refusal | undefined }

/** A tenant's part of the unit of work. */
export type TenantRun = {
  readonly opened: OpenedTenant
  readonly work: Work
  readonly commands: readonly Prepared[]
  readonly endpointById: UnitDependencies['endpointById']
  /** Successes by idempotency key, and refusals by claim: found, and of this unit. */
  readonly known: Map<string, LoggedCommand>
  readonly refusals: Map<string, Refusal>
  /** Up to when a key was refused, in ms since 1970, by idempotency key: found, and of this unit. */
  readonly refusedKeys: Map<string, number>
  readonly refused: RefusedRow[]
  readonly quotas: Quotas
  readonly forcedRefusal: Refusal | undefined
  /** What became of the first commands, in their order. */
  readonly ended: Ended[]
  readonly log: LogEntry[]
  readonly outbox: OutboxEntry[]
  eventSequence: bigint
  /** Whether its first command must run by itself. */
  isTooLarge: boolean
}

/** A run's commands with their outcomes, and what their callers and Redis hear beside. */
export const endedIn = ({ ended, opened: { transaction, generation }, quotas }: TenantRun): Ended[] =>
  ended.map(({ command, outcome }) => {
    const beside = { generation, spent: quotas.spentBy(command) }
    return {
      command,
      outcome: outcome.kind === 'done' ? { ...outcome, transaction, ...beside } : { ...outcome, ...beside },
    }
  })
