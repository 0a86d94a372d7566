/**
 * A unit of work: commands of one or many tenants in one Postgres transaction, in three round trips at most, whatever their
 * number. The first locks the tenants and loads what the commands must see, the second what hangs on that (opening.ts); then the
 * commands decide, one after another, on the same records (deciding.ts), and the third writes (writing.ts). See
 * docs/architecture.md.
 */
import type { CommandEndpoint } from '../api/endpoint.ts'
import type { Refusal } from '../api/errors.ts'
import type { Command, Ended } from '../pipeline/command.ts'
import type { RoundTripConnection } from '../postgres/round-trip-pool.ts'
import type { Deciding } from './command.ts'
import { decideAll, type MoreIds } from './deciding.ts'
import { loadMore, type NotRun, open, prepare } from './opening.ts'
import type { TenantRun } from './tenant-run.ts'
import { rollback, takeIds } from './unit-statements.ts'
import { write } from './writing.ts'

/** Commands of one tenant, in their order. */
export type Portion = {
  readonly tenantId: string
  readonly commands: readonly Command[]
  /** What the commands hear instead of being run, unless they ended before. */
  readonly instead?: Refusal | undefined
}

export type UnitDependencies = {
  readonly endpointById: ReadonlyMap<string, CommandEndpoint>
  readonly settings: Deciding['settings']
  /** The time at which commands run, if not the database's: for tests that move it. */
  readonly clock?: () => string
}

/**
 * What became of a portion: its commands with their outcomes, or its first commands only (the others need another unit of
 * work); or nothing at all, since another holds the tenant, or the tenant is not here.
 */
export type Ran = {
  readonly ended: readonly Ended[]
  readonly hasEvents: boolean
  /** Whether any of them may be for a webhook. */
  readonly hasWebhooks: boolean
}
/** `gone`: the tenant does not live in this database. */
export type Result = Ran | NotRun | 'gone'

/**
 * Runs the portions in one transaction.
 * @returns the result of each tenant.
 * @throws RangeError for two portions of one tenant, before anything is sent: the one would be answered with the other's records.
 * @throws what Postgres or a command throws; the transaction is then over, and nothing of it is left.
 */
export async function runUnit(
  connection: RoundTripConnection,
  portions: readonly Portion[],
  dependencies: UnitDependencies & { readonly waits: boolean },
): Promise<ReadonlyMap<string, Result>> {
  refuseTwice(portions)
  try {
    const prepared = portions.map(({ tenantId, commands, instead }) => ({
      tenantId,
      instead,
      // What is not run must not ask either: it may be what ended a process, or the statement that fails.
      commands: instead ? commands : commands.map(command => prepare(command, dependencies)),
    }))
    const opened = await open(connection, prepared, dependencies)
    const runs = new Map([...opened].flatMap(([id, run]) => (typeof run === 'string' ? [] : [[id, run]])))
    await loadMore(connection, runs)
    const moreIds = moreIdsFrom(connection)
    for (const run of runs.values()) await decideAll(run, { ...dependencies, moreIds })
    await write(connection, runs)
    return new Map(portions.map(portion => [portion.tenantId, resultOf(portion, opened.get(portion.tenantId))]))
  } catch (error) {
    await connection.send([rollback]).catch(() => connection.end())
    throw error
  }
}

function refuseTwice(portions: readonly Portion[]): void {
  const seen = new Set<string>()
  for (const { tenantId } of portions) {
    if (seen.has(tenantId)) throw new RangeError(`a unit of work holds tenant ${tenantId} twice`)
    seen.add(tenantId)
  }
}

function resultOf({ commands }: Portion, run: TenantRun | NotRun | undefined): Result {
  if (run === undefined) return 'gone'
  if (typeof run === 'string') return run
  const ended = endedIn(run)
  for (const [at, { command }] of ended.entries())
    if (command.requestId !== commands[at]?.requestId)
      throw new Error(`the outcome of ${command.requestId} stands in the place of ${commands[at]?.requestId}`)
  return { ended, ...eventsOf(run) }
}

/** For commands that take more ids than they said. */
export const moreIdsFrom =
  (connection: RoundTripConnection): MoreIds =>
  async count => {
    const [fresh = []] = await connection.send([takeIds(count)])
    return fresh.map(row => row['id'] ?? '')
  }

/** A run's commands with their outcomes, and what their callers and Redis are told beside. */
export const endedIn = ({ ended, opened: { transaction, generation }, quotas }: TenantRun): Ended[] =>
  ended.map(({ command, outcome }) => {
    const told = { generation, spent: quotas.spentBy(command) }
    return {
      command,
      outcome: outcome.kind === 'done' ? { ...outcome, transaction, ...told } : { ...outcome, ...told },
    }
  })

/** What it is to be told of, and to whom. */
export const eventsOf = ({ opened, outbox }: TenantRun): Pick<Ran, 'hasEvents' | 'hasWebhooks'> => ({
  hasEvents: outbox.length > 0,
  hasWebhooks: opened.hasWebhooks,
})
