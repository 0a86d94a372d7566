/**
 * Does what is due in a tenant. A unit of work then does only that, and leaves the tenant's commands to the next unit, or in a bulk to the
 * next round of its transaction (docs/rules/holds.md).
 */
import type { Due } from '../kit/documents/due.ts'
import { askAll, type Needs, seeAll } from '../kit/documents/needs.ts'
import { Load, type Works } from '../kit/documents/question.ts'
import { Work } from '../kit/documents/work.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'
import { publish } from './events.ts'
import { loadRest } from './rest.ts'
import type { TenantRun } from './tenant-run.ts'

/** The most rows of one unit over all its tenants, since the unit's other tenants wait for it. */
const ROWS_MAX = 400

/** A tenant's run, and the due work that comes before its commands. */
type DueRun = { readonly run: TenantRun; readonly due: Due }

/** The runs that have something due at the time of their commands, with the due work. */
export const dueOfRuns = (runs: Iterable<TenantRun>, all: readonly Due[]): readonly DueRun[] =>
  [...runs].flatMap(run => {
    const { opened, work, forcedRefusal, commands } = run
    // A forced refusal runs no command, so nothing must be done before it.
    if (forcedRefusal !== undefined) return []
    const due = all.find(each => {
      const next = opened.due.get(each) ?? null
      return (each.isFirst || commands.length === 0) && next !== null && each.isDue(next, work)
    })
    return due === undefined ? [] : [{ run, due }]
  })

/** The runs after their due work, without their commands. Two round trips for all tenants together. */
export async function doDue(connection: RoundTripConnection, runs: readonly DueRun[]): Promise<readonly TenantRun[]> {
  const rows = Math.ceil(ROWS_MAX / runs.length)
  const doing = runs.map(({ run, due }) => {
    const { tenant, now, counts } = run.work
    const work = new Work({ tenant, now, counts: { ...counts } })
    return { run: { ...run, commands: [], work }, due, needs: due.needs(work, rows) as Needs }
  })
  const works: Works = new Map(doing.map(({ run: { work } }) => [work.tenant.id, work]))
  await ask(connection, works, doing)
  const known = doing.map(({ run, due, needs }) => {
    const facts = seeAll(needs, run.work)
    return { run, due, facts, needs: due.more(facts) as Needs }
  })
  await ask(connection, works, known)
  await loadRest(
    connection,
    known.map(({ run, needs }) => ({ work: run.work, needs })),
    new Load({ nowMs: Date.parse(runs[0]?.run.work.now ?? '') }),
  )
  for (const { run, due, facts, needs } of known) {
    // The service itself causes these events, with no user and no key.
    publish(run, run.work.turn(), { actor: null })
    run.work.begin([], null)
    const events = due.decide({ ...facts, ...seeAll(needs, run.work) }, run.work)
    publish(run, [...run.work.takeEvents(), ...events], { actor: null })
    if (run.outbox.length === 0) throw new Error(`nothing was due of tenant ${run.work.tenant.id}`)
  }
  return known.map(({ run }) => run)
}

async function ask(
  connection: RoundTripConnection,
  works: Works,
  all: readonly { readonly run: TenantRun; readonly needs: Needs }[],
): Promise<void> {
  const [first] = works.values()
  const load = new Load({ nowMs: Date.parse(first?.now ?? '') })
  for (const { run, needs } of all) askAll(needs, load, run.work.tenant.id)
  load.take(await connection.send(load.queries), works)
}
