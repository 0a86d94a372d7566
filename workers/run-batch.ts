/**
 * Runs a batch of one tenant's commands in one Postgres transaction (design, "A write, one way through"). A batch that throws
 * is replayed one by one, so that one broken command harms no other; what happens inside is execute-batch.ts's business.
 */
import type { DatabasePoolConnection } from 'slonik'
import { refuse } from '../lib/api/errors.ts'
import type { Command, Outcome } from '../lib/store/command.ts'
import { isDependencyFailure } from '../lib/store/failures.ts'
import type { Pool } from '../lib/store/postgres.ts'
import { type ExecutionDependencies, executeBatch, unavailable } from './execute-batch.ts'

export type BatchDependencies = ExecutionDependencies & {
  /** Reports what should not happen; it must not throw. */
  readonly onFault: (error: unknown, command: Command) => void
  /** Told after the commit of a batch when the tenant's webhooks may have work to do; it must not throw. */
  readonly onNews?: (tenantId: string) => void
}

const internal = refuse(
  'internal_error',
  'An unexpected fault; nothing was changed. The request_id helps support to find it.',
)

/**
 * The outcomes in the order of the commands. It never throws: a failing database makes them `service_unavailable`, which
 * leaves it to the caller to repeat with the same key.
 */
export async function runBatch(
  pool: Pool,
  tenantId: string,
  commands: readonly Command[],
  dependencies: BatchDependencies,
): Promise<Outcome[]> {
  try {
    return await pool.connect(connection => attempt(connection, tenantId, commands, dependencies))
  } catch (error) {
    for (const command of commands) dependencies.onFault(error, command)
    return commands.map(() => unavailable)
  }
}

/** @throws a dependency's failure, so that the pool drops the connection; every other fault becomes an outcome. */
async function attempt(
  connection: DatabasePoolConnection,
  tenantId: string,
  commands: readonly Command[],
  dependencies: BatchDependencies,
): Promise<Outcome[]> {
  try {
    const { outcomes, hasNews } = await connection.transaction(transaction =>
      executeBatch(transaction, tenantId, commands, dependencies),
    )
    if (hasNews) dependencies.onNews?.(tenantId)
    return outcomes
  } catch (error) {
    const [only, ...others] = commands
    if (!only) return []
    if (isDependencyFailure(error)) throw error
    if (others.length > 0) return attemptOneByOne(connection, tenantId, commands, dependencies)
    dependencies.onFault(error, only)
    return [{ kind: 'refused', refusal: internal }]
  }
}

async function attemptOneByOne(
  connection: DatabasePoolConnection,
  tenantId: string,
  commands: readonly Command[],
  dependencies: BatchDependencies,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const command of commands) outcomes.push(...(await attempt(connection, tenantId, [command], dependencies)))
  return outcomes
}
