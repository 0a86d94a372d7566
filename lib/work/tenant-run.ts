/** The values of a unit of work: batches of tenants, the run of each tenant, and the results. */
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

/** Commands of one tenant that run in one unit of work, in order. All their endpoints are known. */
export type TenantBatch = {
  readonly tenantId: string
  readonly commands: readonly Command[]
  /** Refuses all commands that have not ended before, without running them. */
  readonly forcedRefusal?: Refusal | undefined
}

export type UnitDependencies = {
  readonly endpointById: ReadonlyMap<string, CommandEndpoint>
  readonly settings: Deciding['settings']
  /** Refuses all commands that have not ended yet, without running them. */
  readonly due: readonly Due[]
  /** The time of the commands, for tests that set it; undefined: the database's time. */
  readonly clock?: () => string
}

export type UnitOptions = UnitDependencies & {
  /** Whether the unit waits for the locks of its tenants. If not, it leaves out locked tenants. */
  readonly waits: boolean
  /** Whether the unit runs one command only, and each entry of a bulk gets a round of its own. */
  readonly oneByOne?: boolean
}

/**
 * A batch ran: the outcomes of its commands, or of its first commands only (the others need another unit of work). There are none if
 * something was due first (due.ts).
 */
export type Ran = {
  readonly is: 'ran'
  readonly ended: readonly Ended[]
  readonly hasEvents: boolean
  /** Whether any of the events may be for a webhook. */
  readonly hasWebhooks: boolean
}
/**
 * The result of a batch. `moved`: the tenant is not in this database. `too large`: its first command needs more rows than are loaded for
 * commands that run together. Nothing of the batch was done.
 */
export type Result = Ran | { readonly is: NotRun | 'moved' | 'too large' }

/**
 * Why a tenant has no run: it is locked, its writes are paused while it moves to another cell, or the clocks of PostgreSQL and this process
 * differ (docs/operations.md, "Clocks").
 */
export type NotRun = 'locked' | 'moving' | 'clock skew'

/** A command with its needs. */
export type Prepared = {
  readonly command: Command
  readonly endpoint: CommandEndpoint
  readonly unit: AnyUnit
  /** The request with ids, even if it named records by other texts. Until the ids are known, the request as it was sent. */
  request: Request
  readonly names: Names | null
  needs: Needs
  ids: readonly string[]
  more: Needs
}

/** The records that a request names by other texts than ids (`named` of its unit), and the result of finding them. */
export type Names = Named & { found: Request | Refusal | undefined }

/** A tenant's part of the unit of work. */
export type TenantRun = {
  readonly opened: OpenedTenant
  readonly work: Work
  readonly commands: readonly Prepared[]
  readonly endpointById: UnitDependencies['endpointById']
  /** Successes by idempotency key, and refusals by claim: recorded ones, and those of this unit. */
  readonly known: Map<string, LoggedCommand>
  readonly refusals: Map<string, Refusal>
  /** When a key was last refused, in ms since 1970, by idempotency key: as recorded, or in this unit. */
  readonly refusedKeys: Map<string, number>
  readonly refused: RefusedRow[]
  readonly quotas: Quotas
  readonly forcedRefusal: Refusal | undefined
  /** The outcomes of the first commands, in order. */
  readonly ended: Ended[]
  readonly log: LogEntry[]
  readonly outbox: OutboxEntry[]
  eventSequence: bigint
  /** Whether its first command must run alone. */
  isTooLarge: boolean
}

/** A run's commands with their outcomes, and further values for callers and Redis. */
export const endedIn = ({ ended, opened: { transaction, generation }, quotas }: TenantRun): Ended[] =>
  ended.map(({ command, outcome }) => {
    const beside = { generation, spent: quotas.spentBy(command) }
    return {
      command,
      outcome: outcome.kind === 'done' ? { ...outcome, transaction, ...beside } : { ...outcome, ...beside },
    }
  })
