/**
 * Runs a batch of one tenant's commands in one Postgres transaction (design, "A write, one way through"). A batch that throws
 * or times out is replayed one by one, so that one broken command harms no other; what happens inside is execute-batch.ts's business.
 */
import type { DatabasePoolConnection } from 'slonik'
import { type Refusal, refuse } from '../lib/api/errors.ts'
import type { Command, Outcome } from '../lib/store/command.ts'
import { isDependencyFailure, isStatementFailure } from '../lib/store/failures.ts'
import type { Pool } from '../lib/store/postgres.ts'
import { type ExecutionDependencies, executeBatch, unavailable } from './execute-batch.ts'

export type BatchDependencies = ExecutionDependencies & {
  /** Reports what should not happen; it must not throw. */
  readonly onFault: (error: unknown, command: Command) => void
  /** Told after the commit of a batch when the tenant's webhooks may have work to do; it must not throw. */
  readonly onNews?: (tenantId: string) => void
  /** Else REPLAY_MS_MAX. */
  readonly replayMsMax?: number
}

/** What a bug is answered with. */
export const internalError = refuse(
  'internal_error',
  'An unexpected fault; nothing was changed. The request_id helps support to find it.',
)

/**
 * A replay begins no further command after this time. Half of the 15 s that callers wait: the batch and the last command may
 * each take a statement timeout more. The lease on the tenant (LEASE_MS) is shorter, but is renewed for as long as the process
 * runs at all; and should it be lost, the next holder waits for the row lock and finds in the log what was done.
 */
const REPLAY_MS_MAX = 7_500

/** A batch under way: the outcomes of its first commands are known. */
type Run = {
  readonly connection: DatabasePoolConnection
  readonly tenantId: string
  readonly dependencies: BatchDependencies
  readonly outcomes: Outcome[]
}

/**
 * The outcomes in the order of the commands. It never throws: a failing database makes them `service_unavailable`, which
 * leaves it to the caller to repeat with the same key. With `instead` none is run: each is refused so, unless it ended before.
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
    await pool.connect(connection => runAll({ connection, tenantId, dependencies, outcomes }, commands, instead))
  } catch (error) {
    for (const command of commands.slice(outcomes.length)) dependencies.onFault(error, command)
  }
  return commands.map((_, at) => outcomes[at] ?? unavailable)
}

async function runAll(run: Run, commands: readonly Command[], instead?: Refusal): Promise<void> {
  const [only, ...others] = commands
  if (only === undefined) return
  try {
    await transact(run, commands, instead)
  } catch (error) {
    if (isDependencyFailure(error) && !isStatementFailure(error)) throw error
    if (others.length > 0) return replay(run, commands, error)
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

/** One by one after the batch's fault; those that are not begun in time stay unavailable. */
async function replay(run: Run, commands: readonly Command[], fault: unknown): Promise<void> {
  const ends = performance.now() + (run.dependencies.replayMsMax ?? REPLAY_MS_MAX)
  for (const [at, command] of commands.entries()) {
    if (at > 0 && performance.now() > ends) run.dependencies.onFault(fault, command)
    else await runAll(run, [command])
  }
}
