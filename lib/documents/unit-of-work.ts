/**
 * A unit of work: commands of one or many tenants in one Postgres transaction, in three round trips at most, whatever their
 * number. The first locks the tenants and loads what the commands must see, the second what hangs on that (opening.ts); then the
 * commands decide, one after another, on the same records (deciding.ts), and the third writes (writing.ts). See
 * docs/architecture.md.
 */
import type { CommandEndpoint } from '../api/endpoint.ts'
import type { Refusal } from '../api/errors.ts'
import type { Command, Outcome } from '../pipeline/command.ts'
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
 * What became of a portion: its outcomes, which may be those of its first commands only (the others need another unit of
 * work); or nothing at all, since another holds the tenant, or it is not here.
 */
export type Ran = {
  readonly outcomes: readonly Outcome[]
  readonly hasEvents: boolean
  /** Whether any of them may be for a webhook. */
  readonly hasWebhooks: boolean
}
/** `gone`: the tenant does not live in this database. */
export type Result = Ran | NotRun | 'gone'

/**
 * Runs the portions in one transaction; the results in their order.
 * @throws what Postgres or a command throws; the transaction is then over, and nothing of it is left.
 */
export async function runUnit(
  connection: RoundTripConnection,
  portions: readonly Portion[],
  dependencies: UnitDependencies & { readonly waits: boolean },
): Promise<readonly Result[]> {
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
    return portions.map(({ tenantId, commands }) => {
      const run = opened.get(tenantId)
      if (run === undefined) return 'gone'
      if (typeof run === 'string') return run
      return { outcomes: outcomesOf(run, commands), ...eventsOf(run) }
    })
  } catch (error) {
    await connection.send([rollback]).catch(() => connection.end())
    throw error
  }
}

/** For commands that take more ids than they said. */
export const moreIdsFrom =
  (connection: RoundTripConnection): MoreIds =>
  async count => {
    const [fresh = []] = await connection.send([takeIds(count)])
    return fresh.map(row => row['id'] ?? '')
  }

/** The outcomes of a run's commands, with what their callers and Redis are told beside. */
export const outcomesOf = (run: TenantRun, commands: readonly Command[]): Outcome[] =>
  run.outcomes.map((outcome, at) => {
    const { transaction, generation } = run.opened
    const spent = run.quotas.spentBy(commands[at] as Command)
    return outcome.kind === 'done' ? { ...outcome, transaction, generation, spent } : { ...outcome, generation, spent }
  })

/** What it is to be told of, and to whom. */
export const eventsOf = ({ opened, outbox }: TenantRun): Pick<Ran, 'hasEvents' | 'hasWebhooks'> => ({
  hasEvents: outbox.length > 0,
  hasWebhooks: opened.hasWebhooks,
})
