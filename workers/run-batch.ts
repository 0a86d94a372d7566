/**
 * Runs a batch of one tenant's commands in one Postgres transaction. A batch that throws
 * or times out is replayed one by one, so that one broken command harms no other; what happens inside is execute-batch.ts's business.
 */
import type { DatabasePoolConnection } from 'slonik'
import { type Refusal, refuse } from '../lib/api/errors.ts'
import type { Command, Outcome } from '../lib/pipeline/command.ts'
import { isDependencyFailure, isStatementFailure } from '../lib/postgres/failures.ts'
import type { Pool } from '../lib/postgres/postgres.ts'
import { type ExecutionDependencies, executeBatch, unavailable } from './execute-batch.ts'

export type BatchDependencies = ExecutionDependencies & {
  /** Reports what should not happen; it must not throw. */
  readonly onFault: (error: unknown, command: Command) => void
  /** Told after the commit of a batch when the tenant's webhooks may have work to do; it must not throw. */
  readonly onNews?: (tenantId: string) => void
  /** Told each outcome of a replay as soon as it stands; it must not throw. */
  readonly onReplayed?: (outcome: Outcome, at: number) => void
  /** Told of a batch that was slow, and of one that leaves commands for later. */
  readonly onSlow?: () => void
  /** Else SLOW_MS. */
  readonly slowMs?: number
}

/** What a bug is answered with. */
export const internalError = refuse(
  'internal_error',
  'An unexpected fault; nothing was changed. The request_id helps support to find it.',
)

/**
 * A batch that has taken as long is slow, and a replay begins no further command: the statement timeout is little longer, so that
 * no replay follows a batch of which a statement was given up for its time.
 */
export const SLOW_MS = 3_000

/** A batch under way: the outcomes of its first commands are known. */
type Run = {
  readonly connection: DatabasePoolConnection
  readonly tenantId: string
  readonly dependencies: BatchDependencies
  readonly outcomes: Outcome[]
  /** When the batch is slow, on the clock of `performance.now()`. */
  readonly slowAt: number
}

/**
 * The outcomes in the order of the commands: of all, or of the first, where the batch was slow and the others are to run later,
 * alone. It never throws: a failing database makes them `service_unavailable`, which leaves it to the caller to repeat with the
 * same key. With `instead` none is run: each is refused so, unless it ended before.
 */
export async function runBatch(
  pool: Pool,
  tenantId: string,
  commands: readonly Command[],
  dependencies: BatchDependencies,
  instead?: Refusal,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  try {
    // What fails with the connection throws, so that the pool drops it; every other fault becomes an outcome.
    await pool.connect(async connection => {
      const slowAt = performance.now() + (dependencies.slowMs ?? SLOW_MS)
      await runAll({ connection, tenantId, dependencies, outcomes, slowAt }, commands, instead)
      if (performance.now() >= slowAt) dependencies.onSlow?.()
    })
  } catch (error) {
    for (const command of commands.slice(outcomes.length)) {
      dependencies.onFault(error, command)
      outcomes.push(unavailable)
    }
  }
  return outcomes
}

async function runAll(run: Run, commands: readonly Command[], instead?: Refusal): Promise<void> {
  const [only, ...others] = commands
  if (only === undefined) return
  try {
    await transact(run, commands, instead)
  } catch (error) {
    if (isDependencyFailure(error) && !isStatementFailure(error)) throw error
    if (others.length > 0) return replay(run, commands)
    run.dependencies.onFault(error, only)
    if (isDependencyFailure(error) || instead) run.outcomes.push(unavailable)
    // Its copy may be spared the fault, so the refusal must be remembered before anybody hears it.
    else await runAll(run, [only], internalError)
  }
}

/** When it throws, the transaction is over and nothing of it is left. */
async function transact(
  { connection, tenantId, dependencies, outcomes }: Run,
  commands: readonly Command[],
  instead: Refusal | undefined,
): Promise<void> {
  const done = await connection.transaction(transaction =>
    executeBatch(transaction, tenantId, commands, dependencies, instead),
  )
  outcomes.push(...done.outcomes)
  if (done.hasNews) dependencies.onNews?.(tenantId)
}

/** One by one after the batch's fault, as long as it is not slow. */
async function replay(run: Run, commands: readonly Command[]): Promise<void> {
  for (const [at, command] of commands.entries()) {
    if (performance.now() >= run.slowAt) return
    await runAll(run, [command])
    const outcome = run.outcomes[at]
    if (outcome) run.dependencies.onReplayed?.(outcome, at)
  }
}
