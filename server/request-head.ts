/** Reads the head of a write: no query, the Idempotency-Key, the condition. A header that is given twice is refused. */
import type { Context } from 'koa'
import type { CommandEndpoint } from '../lib/kit/api/endpoint.ts'
import { invalid, type Refusal } from '../lib/kit/api/errors.ts'
import { readIfMatch, takesNoIfMatch } from '../lib/kit/api/if-match.ts'

const IDEMPOTENCY_KEY_LENGTH_MAX = 200

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Each value of a header that may be given once. Node joins repeated headers with commas, and a joined key would be another key. Only a
 * value with a comma is looked up again, because Node then parses all headers again.
 * @param name in lower case
 */
export function givenTimes({ req }: Context, name: string): readonly string[] {
  const joined = req.headers[name]
  if (joined === undefined) return []
  return typeof joined === 'string' && !joined.includes(',') ? [joined] : (req.headersDistinct[name] ?? [])
}

/** No write takes a query. */
export const refuseQuery = (ctx: Context): Refusal | undefined =>
  ctx.querystring === '' ? undefined : invalid(ctx.querystring.split(/[=&]/)[0] || 'query', 'is not a known parameter')

/** The key, trimmed, or the refusal: the key is missing, too long, or given twice. */
export function readIdempotencyKey(ctx: Context): string | Refusal {
  const given = givenTimes(ctx, 'idempotency-key')
  if (given.length > 1) return invalid('Idempotency-Key', 'is given more than once')
  const key = inUtf8(given[0] ?? '').trim()
  if (key === '') return invalid('Idempotency-Key', 'is required')
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX && [...key].length > IDEMPOTENCY_KEY_LENGTH_MAX)
    return invalid('Idempotency-Key', `must have at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`)
  return key
}

/** Node reads headers as Latin-1. curl sends UTF-8, and the key must equal the same key in the JSON of a bulk. */
function inUtf8(header: string): string {
  if (!/[\u0080-\u00ff]/.test(header)) return header
  try {
    return utf8.decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

/** The entity tag that the record must have, or `*`; undefined without a condition. */
export function readCondition(ctx: Context, endpoint: CommandEndpoint): string | undefined | Refusal {
  const given = givenTimes(ctx, 'if-match')
  const [first] = given
  if (first === undefined) return undefined
  if (!endpoint.takesIfMatch) return takesNoIfMatch('If-Match')
  return given.length > 1 ? invalid('If-Match', 'is given more than once') : readIfMatch('If-Match', first)
}
