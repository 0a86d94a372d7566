/** The types of a unit of work under way: what each tenant's part of it has found, and what it has come to. */
import type { CommandEndpoint } from '../api/endpoint.ts'
import type { Refusal } from '../api/errors.ts'
import type { Command, Ended } from '../pipeline/command.ts'
import type { LoggedCommand } from '../pipeline/command-log.ts'
import type { AnyUnit, Request } from './command.ts'
import type { Needs } from './needs.ts'
import type { Quotas } from './quotas.ts'
import type { LogEntry, OpenedTenant, OutboxEntry, RefusedRow } from './unit-statements.ts'
import type { Work } from './work.ts'

/** A command with what it must see. */
export type Prepared = {
  readonly command: Command
  readonly endpoint: CommandEndpoint
  readonly unit: AnyUnit
  readonly request: Request
  readonly needs: Needs
  ids: readonly string[]
  more: Needs
}

/** A tenant's part of the unit of work. */
export type TenantRun = {
  readonly opened: OpenedTenant
  readonly work: Work
  readonly commands: readonly (Prepared | Command)[]
  /** Successes by idempotency key, and refusals by claim: found, and of this unit. */
  readonly known: Map<string, LoggedCommand>
  readonly refusals: Map<string, Refusal>
  readonly refused: RefusedRow[]
  readonly quotas: Quotas
  readonly instead: Refusal | undefined
  /** What became of the first commands, in their order. */
  readonly ended: Ended[]
  readonly log: LogEntry[]
  readonly outbox: OutboxEntry[]
  eventSequence: bigint
}

export const isPrepared = (command: Prepared | Command): command is Prepared => 'unit' in command

export const commandOf = (command: Prepared | Command): Command => (isPrepared(command) ? command.command : command)
