/** How a unit of work ends: one round trip that writes everything that was decided, and commits. */

import type { Work } from '../kit/documents/work.ts'
import { writesOf } from '../kit/documents/writes.ts'
import type { Query } from '../platform/postgres/round-trip.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'
import { commit, freshIds } from './lock-tenants.ts'
import { noteGaps, record } from './log.ts'
import type { TenantRun } from './tenant-run.ts'

/** The third round trip: writes everything that was decided, and commits unless more follows in the transaction. */
export async function write(
  connection: RoundTripConnection,
  runs: ReadonlyMap<string, TenantRun>,
  { commits = true }: { readonly commits?: boolean } = {},
): Promise<void> {
  const end = commits ? [commit] : []
  const all = [...runs.values()]
  const written = all.filter(hasWritten)
  const refusing = all.filter(run => !hasWritten(run) && run.refused.length > 0)
  if (written.length + refusing.length === 0) {
    if (commits) await connection.send(end)
    return
  }
  const tenantOf = ({ work }: TenantRun) => work.tenant.id
  const gaps = written
    .filter(({ opened, outbox }) => opened.eventGap > 0n && outbox.length > 0)
    .map(({ opened: { tenant, eventSequence, eventGap } }) => ({
      tenant_id: tenant.id,
      after: eventSequence.toString(),
      until: (eventSequence + eventGap).toString(),
    }))
  const queries = [
    // Lines refer to batches of goods. No row of the stock refers to records of the other parts.
    ...(await partWrites(
      written.map(({ work }) => work),
      connection,
    )),
    ...writesOf(written.map(({ work }) => work)),
    record({
      log: written.flatMap(run => run.log.map(entry => ({ ...entry, tenant_id: tenantOf(run) }))),
      refused: all.flatMap(run => run.refused.map(entry => ({ ...entry, tenant_id: tenantOf(run) }))),
      outbox: written.flatMap(run => run.outbox.map(entry => ({ ...entry, tenant_id: tenantOf(run) }))),
      streams: [
        ...written.map(run => ({
          tenant_id: tenantOf(run),
          last_command_at: run.work.now,
          event_sequence: run.eventSequence.toString(),
          generation: run.opened.generation,
          document_counts: run.work.counts,
        })),
        ...refusing.map(movedClock),
      ],
    }),
    ...(gaps.length > 0 ? [noteGaps(gaps)] : []),
    ...end,
  ]
  await connection.send(queries)
}

/** Whether commands succeeded, or due work was done, which has no entry in the log. */
const hasWritten = ({ log, outbox }: TenantRun): boolean => log.length + outbox.length > 0

/**
 * For a tenant whose commands were all refused: sets the time of its last command, so that the next unit of work runs later and no request
 * id is used twice.
 */
export const movedClock = ({ opened: { tenant, now } }: Pick<TenantRun, 'opened'>) => ({
  tenant_id: tenant.id,
  last_command_at: now,
})

async function partWrites(works: readonly Work[], connection: RoundTripConnection): Promise<readonly Query[]> {
  const parts = works.flatMap(work => [...work.parts].map(([kind, part]) => ({ kind, part, work })))
  const queries: Query[] = []
  for (const [kind, of] of Map.groupBy(parts, ({ kind }) => kind)) {
    if (connection.isDistributed) queries.push(...kind.write(of, await freshIds(connection, kind.idsOf?.(of) ?? 0)))
    else queries.push(...kind.write(of))
  }
  return queries
}
