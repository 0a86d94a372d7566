/**
 * A unit of work: commands of one or many tenants in one Postgres transaction, in three round trips at most, whatever their
 * number. The first locks the tenants and loads what the commands must see, the second what hangs on that (opening.ts); then the
 * commands decide, one after another, on the same records (deciding.ts), and the third writes (writing.ts). A bulk in one
 * transaction makes several such rounds (whole-bulk.ts). See docs/architecture.md.
 */
import { isBulk } from '../pipeline/command.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'
import { decideAll } from './deciding.ts'
import { openRound } from './opening.ts'
import { endedIn, type Portion, type Result, type TenantRun, type UnitOptions } from './tenant-run.ts'
import { rollback } from './unit-statements.ts'
import { runBulk } from './whole-bulk.ts'
import { write } from './writing.ts'

/**
 * Runs the portions in one transaction. A bulk is alone in its unit.
 * @returns the result of each tenant.
 * @throws RangeError for two portions of one tenant, before anything is sent: the one would be answered with the other's records.
 * @throws what Postgres or a command throws; the transaction is then over, and nothing of it is left.
 */
export async function runUnit(
  connection: RoundTripConnection,
  portions: readonly Portion[],
  options: UnitOptions,
): Promise<ReadonlyMap<string, Result>> {
  refuseTwice(portions)
  try {
    const [portion] = portions
    const bulk = portion?.commands.find(isBulk)
    if (portion === undefined || bulk === undefined) return await runRound(connection, portions, options)
    if (portions.length > 1 || portion.commands.length > 1) throw new RangeError('a bulk is alone in its unit of work')
    return new Map([[portion.tenantId, await runBulk(connection, bulk, { ...options, instead: portion.instead })]])
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

/** What ordinary commands need: one round, and the commit with its last trip. */
async function runRound(
  connection: RoundTripConnection,
  portions: readonly Portion[],
  options: UnitOptions,
): Promise<ReadonlyMap<string, Result>> {
  const { runs, others } = await openRound(connection, portions, options)
  for (const run of runs.values()) await decideAll(run, connection, options)
  await write(connection, runs)
  return new Map(
    portions.map(portion => {
      const run = runs.get(portion.tenantId)
      return [portion.tenantId, run ? resultOf(portion, run) : { is: others.get(portion.tenantId) ?? 'gone' }]
    }),
  )
}

function resultOf({ commands }: Portion, run: TenantRun): Result {
  if (run.isHeavy) return { is: 'heavy' }
  const ended = endedIn(run)
  for (const [at, { command }] of ended.entries())
    if (command.requestId !== commands[at]?.requestId)
      throw new Error(`the outcome of ${command.requestId} stands in the place of ${commands[at]?.requestId}`)
  return { is: 'ran', ended, hasEvents: run.outbox.length > 0, hasWebhooks: run.opened.hasWebhooks }
}
