/**
 * A bulk in one transaction. Its commands run in rounds of one unit of work and commit together. Each round sees what the rounds before
 * have written. When one command is refused, the whole bulk is undone (docs/rules/requests.md, "Bulk writes"). A dry run is always undone.
 * Nothing else runs in its transaction.
 */
import { type Refusal, refuse } from '../kit/api/errors.ts'
import {
  type Bulk,
  bulkDone,
  bulkRefused,
  type Command,
  dryAnswer,
  type Ended,
  type Outcome,
  weightOf,
} from '../pipeline/command.ts'
import { replaysOf } from '../pipeline/command-log.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'
import { decideAll, refusedRow } from './decide.ts'
import { commit, rollback, rollbackToLock } from './lock-tenants.ts'
import { loggedCommand, type RefusedRow, type RememberedRow, readLog, record } from './log.ts'
import { openRound } from './open.ts'
import { movedClock, write } from './save.ts'
import { endedIn, type Ran, type Result, type TenantBatch, type TenantRun, type UnitOptions } from './tenant-run.ts'
import { wordRefusals } from './words.ts'

/** The most rows that the commands of one round may bring, so that no statement takes long. */
const ROWS_MAX = 2_000
/** A bulk that takes longer is refused, since it delays all other writes of its tenant. */
const TIME_MAX_MS = 10_000

const tooLong = refuse(
  'service_unavailable',
  `The bulk takes more than ${TIME_MAX_MS / 1_000} s in one transaction, and nothing of it was done; send fewer or smaller entries.`,
  { 'Retry-After': '1' },
)

type Options = UnitOptions & Pick<TenantBatch, 'forcedRefusal'>

/** Runs the bulk in rounds. The outcome contains that of each entry, or is a refusal of the whole bulk. @throws as `runUnit` does */
export async function runBulk(connection: RoundTripConnection, bulk: Bulk, options: Options): Promise<Result> {
  const { tenantId } = bulk
  // Within this transaction the entries of a dry run are writes: each sees those before it.
  const entries = bulk.entries.map(({ isDryRun: _, ...entry }) => entry)
  const endsAt = performance.now() + TIME_MAX_MS
  const done: Ended[] = []
  let hasEvents = false
  for (let isFirst = true; ; isFirst = false) {
    const commands = nextOf(entries.slice(done.length), options)
    const { runs, others } = await decideRound(connection, bulk, commands, { ...options, isFirst })
    const run = runs.get(tenantId)
    if (run === undefined || run.isTooLarge) {
      await connection.send([rollback])
      return { is: run ? 'too large' : (others.get(tenantId) ?? 'moved') }
    }
    const refused = refusedIn(run, bulk, { ...options, before: done.length })
    if (refused) return withoutEffect(bulk, await undo(connection, run, bulk, refused))
    done.push(...endedIn(run))
    hasEvents ||= run.outbox.length > 0
    const isDone = done.length === entries.length
    if (isDone && bulk.isDryRun) {
      await connection.send([rollbackToLock, commit])
      return dryBulk(bulk, done)
    }
    await write(connection, runs, { commits: isDone })
    if (isDone) {
      const outcome = { ...bulkDone(done), transaction: run.opened.transaction }
      return { is: 'ran', ended: [{ command: bulk, outcome }], hasEvents, hasWebhooks: run.opened.hasWebhooks }
    }
    if (performance.now() > endsAt)
      return withoutEffect(bulk, await undo(connection, run, bulk, { refusal: tooLong, rows: [] }))
  }
}

/** As many entries as one round takes. */
function nextOf(left: readonly Command[], { oneByOne = false }: Options): readonly Command[] {
  if (oneByOne) return left.slice(0, 1)
  let rows = 0
  const end = left.findIndex((entry, at) => {
    rows += weightOf(entry)
    return at > 0 && rows > ROWS_MAX
  })
  return end === -1 ? left : left.slice(0, end)
}

/** Decides the next commands, up to one that is refused or needs what earlier ones write. */
async function decideRound(
  connection: RoundTripConnection,
  { tenantId, requestId }: Bulk,
  commands: readonly Command[],
  { forcedRefusal, isFirst, ...options }: Options & { readonly isFirst: boolean },
) {
  const opened = await openRound(connection, [{ tenantId, commands, forcedRefusal }], {
    ...options,
    position: isFirst ? 'first' : 'later',
    claims: [{ tenantId, claimId: requestId, idempotencyKey: '' }],
  })
  const isLast = ({ kind }: Outcome) => kind === 'refused'
  for (const run of opened.runs.values())
    if (!run.refusals.has(requestId)) await decideAll(run, connection, { ...options, isLast })
  await wordRefusals(connection, opened.runs.values())
  return opened
}

/** Why the bulk is undone, and the refusals to record. Without `at` the whole bulk is refused. */
type BulkRefusal = { readonly refusal: Refusal; readonly at?: number; readonly rows: readonly RefusedRow[] }

function refusedIn(
  run: TenantRun,
  bulk: Bulk,
  { before, forcedRefusal }: { readonly before: number; readonly forcedRefusal?: Refusal | undefined },
): BulkRefusal | undefined {
  const earlier = run.refusals.get(bulk.requestId)
  if (earlier) return { refusal: earlier, rows: [] }
  const last = run.ended.at(-1)?.outcome
  if (last?.kind !== 'refused') return undefined
  const { refusal } = last
  // The bulk came too late.
  if (refusal.refusal === 'service_unavailable') return { refusal, rows: [] }
  if (forcedRefusal) return { refusal, rows: [refusedRow(run, bulk, refusal)] }
  return { refusal, at: before + run.ended.length - 1, rows: run.refused }
}

/** Undoes the whole bulk and records why, while the tenant is locked: no copy of the bulk that runs later may succeed. */
async function undo(connection: RoundTripConnection, run: TenantRun, bulk: Bulk, { refusal, at, rows }: BulkRefusal) {
  const { tenantId, entries } = bulk
  const others = rows.length === 0 ? [] : entries.filter((_, of) => of !== at)
  const refused = (
    bulk.isDryRun ? [] : [...rows, ...others.map((entry, of) => notAppliedRow(bulk, { of, entry, refusal }))]
  ).map(row => ({
    ...row,
    tenant_id: tenantId,
  }))
  const [, logged = []] = await connection.send([
    rollbackToLock,
    readLog(entries.map(({ idempotencyKey }) => ({ tenantId, idempotencyKey }))),
    ...(refused.length === 0 ? [] : [record({ refused, log: [], outbox: [], streams: [movedClock(run)] })]),
    commit,
  ])
  if (at === undefined) return { kind: 'refused', refusal } as const
  const known = new Map(logged.map(row => [row['idempotency_key'] ?? '', loggedCommand(row)]))
  return bulkRefused(replaysOf(entries, known), { at, refusal })
}

/** The key of an entry that was not applied: its caller got `not_applied`. No command has this claim. */
const notAppliedRow = (
  { requestId }: Bulk,
  { of, entry, refusal }: { readonly of: number; readonly entry: Command; readonly refusal: Refusal },
): RememberedRow => ({
  claim_id: `not applied: ${requestId} ${of}`,
  idempotency_key: entry.idempotencyKey,
  refusal: JSON.stringify(refusal),
})

const withoutEffect = (command: Bulk, outcome: Outcome): Ran => ({
  is: 'ran',
  ended: [{ command, outcome }],
  hasEvents: false,
  hasWebhooks: false,
})

/** The outcomes of entries in a rolled-back transaction: nothing can be read, and no quota was spent. */
const dryBulk = (bulk: Bulk, done: readonly Ended[]): Ran =>
  withoutEffect(
    bulk,
    bulkDone(
      done.map(({ command, outcome }) => ({
        command,
        outcome: outcome.kind === 'done' ? dryAnswer(outcome) : outcome,
      })),
    ),
  )
