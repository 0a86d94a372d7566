/** The answer of a bulk, and what the process counts of its entries: for each entry the same as for a single request. */
import type { Context } from 'koa'
import { fieldsOf, isRefusal, statusOf } from '../../lib/kit/api/errors.ts'
import type { NewBulk } from '../../lib/pipeline/bulk/bulk-schemas.ts'
import { errorJson } from '../answer.ts'
import type { Services } from '../services.ts'
import { headOf } from '../write.ts'
import type { EndedEntry } from './read-entry.ts'

/** Notes the refusal of each entry for the telemetry, and the mail for a spent quota. */
export function noteOutcomes(
  ctx: Context,
  mode: NewBulk['mode'],
  entries: readonly EndedEntry[],
  { quotaMails }: Services,
): void {
  for (const { command, outcome } of entries)
    if (outcome.kind === 'refused' && !isRefusal(command)) quotaMails.note(command, outcome.refusal)
  ctx.state.bulk = {
    mode,
    entries: entries.map(({ outcome }) =>
      outcome.kind === 'done'
        ? { status: outcome.status, refusal: undefined, replayed: outcome.replayed }
        : { status: statusOf(outcome.refusal), refusal: outcome.refusal, replayed: false },
    ),
  }
}

/** @param withETag the endpoints whose answers to a success are a record */
export function bulkJson(
  ctx: Context,
  mode: NewBulk['mode'],
  entries: readonly EndedEntry[],
  withETag: ReadonlySet<unknown>,
): string {
  const results = entries.map(entry => resultJson(ctx, entry, withETag.has(entry.endpoint)))
  return `{"mode":"${mode}","results":[${results.join(',')}]}`
}

function resultJson(ctx: Context, { key, endpoint, outcome }: EndedEntry, isTagged: boolean): string {
  const { status, replayed, etag, body } =
    outcome.kind === 'done'
      ? { ...outcome, ...headOf(outcome, endpoint, isTagged && !ctx.state.isDryRun) }
      : {
          status: statusOf(outcome.refusal),
          replayed: false,
          etag: null,
          body: errorJson(outcome.refusal, ctx.state.requestId),
        }
  const retryAfter = outcome.kind === 'refused' ? outcome.refusal.headers?.['Retry-After'] : undefined
  const fields = outcome.kind === 'refused' ? fieldsOf(outcome.refusal) : []
  const head = {
    ...{ idempotency_key: key, status, replayed, etag, retry_after: retryAfter ? Number(retryAfter) : null },
    error_fields: fields.length > 0 ? fields : null,
  }
  return `${JSON.stringify(head).slice(0, -1)},"body":${body}}`
}
