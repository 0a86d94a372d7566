/** Reads a bulk as a whole. A refusal here means that nothing was done. read-entry.ts refuses single entries. */
import type { Context } from 'koa'
import type { BulkEndpoint } from '../../lib/kit/api/endpoint.ts'
import { invalid, isRefusal, type Refusal } from '../../lib/kit/api/errors.ts'
import { takesNoIfMatch } from '../../lib/kit/api/if-match.ts'
import { validate } from '../../lib/kit/api/validate.ts'
import { BULK_NESTING_MAX, DryBulk, NewBulk } from '../../lib/pipeline/bulk/bulk-schemas.ts'
import type { JsonObject } from '../../lib/platform/json.ts'
import { refuseDryUnless } from '../dry-run.ts'
import { refuseQuery } from '../read-request.ts'

/** The greatest length and depth of a bulk's body. */
export const limitsOf = ({ bytesMax }: BulkEndpoint) => ({ bytesMax, nestingMax: BULK_NESTING_MAX })

export function readBulk(ctx: Context, raw: JsonObject): NewBulk | Refusal {
  // A condition belongs to an entry, not to the bulk.
  const conditional = ctx.get('If-Match') === '' ? undefined : takesNoIfMatch('If-Match')
  // A bulk takes no key: a proxy that adds a new key to each request would make a repeated bulk look new.
  const { isDryRun } = ctx.state
  const keyed =
    isDryRun || ctx.req.headers['idempotency-key'] === undefined
      ? undefined
      : invalid('Idempotency-Key', 'is not taken here: each entry has its own idempotency_key')
  const bulk = refuseQuery(ctx) ?? conditional ?? keyed ?? validate(isDryRun ? DryBulk : NewBulk, raw, 'body')
  if (isRefusal(bulk)) return bulk
  const refusal = isDryRun ? refuseDryUnless(bulk.mode) : refuseKeysTwice(bulk)
  return refusal ?? refuseOverBurst(ctx, bulk) ?? bulk
}

function refuseKeysTwice({ requests }: NewBulk): Refusal | undefined {
  const firstWith = new Map<NewBulk['requests'][number]['idempotency_key'], number>()
  for (const [at, { idempotency_key: key }] of requests.entries()) {
    const first = firstWith.get(key)
    if (first !== undefined) return invalid(`requests[${at}].idempotency_key`, `is that of requests[${first}] too`)
    firstWith.set(key, at)
  }
  return undefined
}

function refuseOverBurst(ctx: Context, { requests }: NewBulk): Refusal | undefined {
  const { burst } = ctx.state.access
  if (requests.length <= burst) return undefined
  return invalid('requests', `must have at most ${burst} entries, the burst of the API key`)
}
