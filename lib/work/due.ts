/**
 * Does what is due in a tenant before its commands. A unit of work does only that, and leaves the tenant's commands to the next unit; in a
 * bulk to the next round of its transaction (docs/rules/holds.md).
 */
import type { Due } from '../kit/documents/due.ts'
import { Load, type Works } from '../kit/documents/load.ts'
import { askAll, type Needs, seeAll } from '../kit/documents/needs.ts'
import { Work } from '../kit/documents/work.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'
import { publish } from './events.ts'
import type { TenantRun } from './tenant-run.ts'

/** Whether something is due in the tenant at the time of its commands. */
export const isDue = ({ opened: { dueAt }, work: { now }, forcedRefusal }: TenantRun): boolean =>
  // A forced refusal runs nothing, so nothing need be done before it.
  dueAt !== null && dueAt <= now && forcedRefusal === undefined

/** The run of such a tenant with what was due done, and without its commands. Two round trips for all tenants together. */
export async function doDue(
  connection: RoundTripConnection,
  runs: readonly TenantRun[],
  due: Due,
): Promise<readonly TenantRun[]> {
  const doing = runs.map(run => {
    const { tenant, now, counts } = run.work
    return {
      run: { ...run, commands: [], work: new Work({ tenant, now, counts: { ...counts } }) },
      needs: due.needs(now) as Needs,
    }
  })
  const works: Works = new Map(doing.map(({ run: { work } }) => [work.tenant.id, work]))
  await ask(
    connection,
    works,
    doing.map(({ run, needs }) => ({ tenantId: run.work.tenant.id, needs })),
  )
  const known = doing.map(({ run, needs }) => {
    const facts = seeAll(needs, run.work)
    return { run, facts, more: due.more(facts) as Needs }
  })
  await ask(
    connection,
    works,
    known.map(({ run, more }) => ({ tenantId: run.work.tenant.id, needs: more })),
  )
  for (const { run, facts, more } of known) {
    // The service itself acts: no user and no key.
    run.work.begin([], null)
    const events = due.decide({ ...facts, ...seeAll(more, run.work) }, run.work)
    publish(run, [...run.work.takeEvents(), ...events], { actor: null })
    if (run.outbox.length === 0) throw new Error(`nothing was due of tenant ${run.work.tenant.id}`)
  }
  return known.map(({ run }) => run)
}

async function ask(
  connection: RoundTripConnection,
  works: Works,
  all: readonly { readonly tenantId: string; readonly needs: Needs }[],
): Promise<void> {
  const load = new Load()
  for (const { tenantId, needs } of all) askAll(needs, load, tenantId)
  load.take(await connection.send(load.queries), works)
}
