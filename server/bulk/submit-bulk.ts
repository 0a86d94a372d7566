/**
 * Brings the writes of a bulk into their tenant's queue together and their outcomes back (docs/rules/requests.md, "Bulk writes"). What
 * a single one of them goes through is submit-command.ts's business.
 */
import type { Context } from 'koa'
import { answersRecord, type BulkEndpoint } from '../../lib/kit/api/endpoint.ts'
import { isRefusal, type Refusal } from '../../lib/kit/api/errors.ts'
import { acceptedNow } from '../deadlines.ts'
import { matchWrites } from '../match-write.ts'
import type { Services } from '../services.ts'
import { inShare } from '../submit-command.ts'
import { bulkJson, noteOutcomes } from './answer-bulk.ts'
import { readBulk, takeRate } from './read-bulk.ts'
import { readEntry } from './read-entry.ts'
import { runAll, runEach } from './run-bulk.ts'

/** What answers bulks; the JSON of the answer, or the refusal of the whole. */
export function bulkSubmitter(endpoint: BulkEndpoint, { endpoints }: Pick<Services, 'endpoints'>) {
  const match = matchWrites(endpoints)
  const withETag = new Set(endpoints.filter(each => each.kind === 'command' && answersRecord(each, endpoints)))
  return async (ctx: Context, services: Services): Promise<string | Refusal> => {
    const bulk = await readBulk(ctx, endpoint)
    if (isRefusal(bulk)) return bulk
    const acceptedAt = acceptedNow(ctx)
    const overRate = await takeRate(ctx, bulk, services)
    if (overRate) return overRate
    const { mode, requests } = bulk
    const entries = await Promise.all(
      requests.map((sent, at) => readEntry(ctx, sent, { at, acceptedAt, match }, services)),
    )
    const { tenantId } = ctx.state.access
    const ended = await inShare({ tenantId, acceptedAt, count: entries.length }, services, () =>
      mode === 'all' ? runAll(ctx, entries, acceptedAt, services) : runEach(entries, services),
    )
    if (isRefusal(ended)) return ended
    noteOutcomes(ctx, mode, ended, services)
    return bulkJson(ctx, mode, ended, withETag)
  }
}
