/**
 * A unit of work: commands of one or many tenants in one PostgreSQL transaction, in at most three round trips, whatever their number. The
 * first locks the tenants and loads what the commands need, the second loads what depends on that (open.ts). Then the commands decide, one
 * after another, on the same records (decide.ts), and the third writes (save.ts). A bulk in one transaction has several such rounds
 * (whole-bulk.ts). See docs/architecture.md.
 */
import { isBulk } from '../pipeline/command.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'
import { decideAll } from './decide.ts'
import { rollback } from './lock-tenants.ts'
import { openRound } from './open.ts'
import { write } from './save.ts'
import { endedIn, type Result, type TenantBatch, type TenantRun, type UnitOptions } from './tenant-run.ts'
import { runBulk } from './whole-bulk.ts'
import { wordRefusals } from './words.ts'

/**
 * Runs the batches in one transaction. A bulk is alone in its unit.
 * @returns the result of each tenant
 * @throws RangeError for two batches of one tenant, before anything is sent: one would be answered with the other's records
 * @throws what PostgreSQL or a command throws; the transaction is then rolled back
 */
export async function runUnit(
  connection: RoundTripConnection,
  batches: readonly TenantBatch[],
  options: UnitOptions,
): Promise<ReadonlyMap<string, Result>> {
  refuseTwice(batches)
  try {
    const [batch] = batches
    const bulk = batch?.commands.find(isBulk)
    if (batch === undefined || bulk === undefined) return await runRound(connection, batches, options)
    if (batches.length > 1 || batch.commands.length > 1) throw new RangeError('a bulk is alone in its unit of work')
    return new Map([
      [batch.tenantId, await runBulk(connection, bulk, { ...options, forcedRefusal: batch.forcedRefusal })],
    ])
  } catch (error) {
    await connection.send([rollback]).catch(() => connection.end())
    throw error
  }
}

function refuseTwice(batches: readonly TenantBatch[]): void {
  const seen = new Set<string>()
  for (const { tenantId } of batches) {
    if (seen.has(tenantId)) throw new RangeError(`a unit of work holds tenant ${tenantId} twice`)
    seen.add(tenantId)
  }
}

/** Runs ordinary commands in one round, and commits with its last trip. */
async function runRound(
  connection: RoundTripConnection,
  batches: readonly TenantBatch[],
  options: UnitOptions,
): Promise<ReadonlyMap<string, Result>> {
  const { runs, others } = await openRound(connection, batches, options)
  for (const run of runs.values()) await decideAll(run, connection, options)
  await wordRefusals(connection, runs.values())
  await write(connection, runs)
  return new Map(
    batches.map(batch => {
      const run = runs.get(batch.tenantId)
      return [batch.tenantId, run ? resultOf(batch, run) : { is: others.get(batch.tenantId) ?? 'moved' }]
    }),
  )
}

function resultOf({ commands }: TenantBatch, run: TenantRun): Result {
  if (run.isTooLarge) return { is: 'too large' }
  const ended = endedIn(run)
  for (const [at, { command }] of ended.entries())
    if (command.requestId !== commands[at]?.requestId)
      throw new Error(`the outcome of ${command.requestId} stands in the place of ${commands[at]?.requestId}`)
  return { is: 'ran', ended, hasEvents: run.outbox.length > 0, hasWebhooks: run.opened.hasWebhooks }
}
