/**
 * Answers a bulk: queues its writes together and returns their outcomes (docs/rules/requests.md, "Bulk writes"). write.ts has the steps of
 * a single write.
 */
import { setImmediate as otherWork } from 'node:timers/promises'
import type { Context } from 'koa'
import { answersRecord, type BulkEndpoint } from '../../lib/kit/api/endpoint.ts'
import { isRefusal, type Refusal } from '../../lib/kit/api/errors.ts'
import type { NewBulk } from '../../lib/pipeline/bulk/bulk-schemas.ts'
import type { JsonObject } from '../../lib/platform/json.ts'
import { answerJson } from '../answer.ts'
import { acceptedNow } from '../deadlines.ts'
import { heardBy } from '../dry-run.ts'
import { takeInAll } from '../gate.ts'
import { type MatchWrite, matchWrites } from '../match-write.ts'
import { withBody } from '../read-request.ts'
import type { Services } from '../services.ts'
import { inShare } from '../write.ts'
import { bulkJson, noteOutcomes } from './answer-bulk.ts'
import { limitsOf, readBulk } from './read-bulk.ts'
import { checkEntry, type Entry, readEntry } from './read-entry.ts'
import { runAll, runEach } from './run-bulk.ts'

/** The function that answers a bulk, or returns the refusal of the whole bulk. */
export function bulkAnswerer(endpoint: BulkEndpoint, { endpoints }: Pick<Services, 'endpoints'>) {
  const match = matchWrites(endpoints)
  const withETag = new Set(endpoints.filter(each => each.kind === 'command' && answersRecord(each, endpoints)))
  return async (ctx: Context, services: Services): Promise<Refusal | undefined> => {
    const read = await withBody(ctx, limitsOf(endpoint), services, (raw, bytes) =>
      readEntries(ctx, raw, { bytes, match }, services),
    )
    if (isRefusal(read)) return read
    const { mode, acceptedAt } = read
    const entries = await Promise.all(read.entries.map(entry => checkEntry(entry, services)))
    const { tenantId } = ctx.state.access
    const ended = await inShare({ tenantId, acceptedAt, count: entries.length }, services, () =>
      mode === 'all' ? runAll(ctx, entries, acceptedAt, services) : runEach(entries, services),
    )
    if (isRefusal(ended)) return heardBy(ctx, ended)
    noteOutcomes(ctx, mode, ended, services)
    await answerJson(ctx, { status: 200, body: bulkJson(ctx, mode, ended, withETag) }, services.config)
    return undefined
  }
}

type Read = { readonly mode: NewBulk['mode']; readonly acceptedAt: number; readonly entries: readonly Entry[] }

/** Reads the entries of a bulk. Each entry counts as one request of the rate. */
async function readEntries(
  ctx: Context,
  raw: JsonObject,
  options: { readonly bytes: number; readonly match: MatchWrite },
  services: Services,
): Promise<Read | Refusal> {
  const bulk = readBulk(ctx, raw)
  if (isRefusal(bulk)) return bulk
  const isLong = services.longBodies.isLong(options.bytes)
  const acceptedAt = acceptedNow(ctx)
  const overRate = await takeInAll(ctx, bulk.requests.length, { isCheap: !isLong }, services.access)
  if (overRate) return overRate
  const entries: Entry[] = []
  for (const [at, sent] of bulk.requests.entries()) {
    entries.push(readEntry(ctx, sent, { ...options, at, acceptedAt }, services))
    if (isLong) await otherWork()
  }
  return { mode: bulk.mode, acceptedAt, entries }
}
