/**
 * Opens a stream of events: checks where the stream begins and whether the key may have one more, and sends the head of the answer.
 * server/streams sends the events. See docs/rules/requests.md, "Following the changes".
 */
import type { Context } from 'koa'
import { tooManyStreams } from '../lib/access/stream-slots.ts'
import type { StreamEndpoint } from '../lib/kit/api/endpoint.ts'
import { invalid, isRefusal, type Refusal, refuse } from '../lib/kit/api/errors.ts'
import { readQuery } from '../lib/kit/api/query.ts'
import { validate } from '../lib/kit/api/validate.ts'
import { TenantNotHere } from '../lib/platform/cells.ts'
import { eventsBehind, refuseBeginning } from '../lib/webhooks/stream-queries.ts'
import type { Services } from './services.ts'
import { StreamReader } from './streams/reader.ts'

const noSlot = refuse('service_unavailable', 'The server has as many event streams as it can carry; try again soon.', {
  'Retry-After': '5',
})

const head = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Proxies (nginx) must pass each event on at once.
  'X-Accel-Buffering': 'no',
}

let opened = 0

/**
 * Returns undefined after the stream is open (the head was sent), or when the deadline has answered the request. Refusals: 400, 429
 * `rate_limited`, 503.
 */
export async function answerStream(
  ctx: Context,
  endpoint: StreamEndpoint,
  services: Services,
): Promise<Refusal | undefined> {
  const asked = readAsked(ctx, endpoint)
  if (isRefusal(asked)) return asked
  const { access } = ctx.state
  const { tenantId } = access
  const { field, after, types } = asked
  const behind = await eventsBehind(services.pool, { tenantId, after: after ?? 0 })
  if (behind === null) throw new TenantNotHere()
  const refused = after === undefined ? undefined : refuseBeginning(field, after, behind)
  if (refused) return refused
  if (ctx.state.deadline.isOver) return undefined
  if (ctx.method === 'HEAD') return sendHead(ctx, behind.last)
  if (!hasFreeSlot(services)) return noSlot
  const name = `${services.serverId}:${opened++}`
  if (!(await services.streamSlots.take(access, name))) return tooManyStreams
  if (ctx.state.deadline.isOver) {
    await services.streamSlots.leave(access, name)
    return undefined
  }
  sendHead(ctx, behind.last)
  const options = { name, access, scope: endpoint.scope, types, after: after ?? behind.last }
  services.streams.open(new StreamReader(ctx.res, options), behind.last)
  return undefined
}

/** At most one in two of a process's connections may be a stream, so that requests find free ones. */
const CONNECTIONS_PER_STREAM = 2

const hasFreeSlot = ({ cells, config }: Services): boolean =>
  cells.reduce((sum, { streams }) => sum + streams.size, 0) <
  Math.floor(config.httpConnectionsMax / CONNECTIONS_PER_STREAM)

/** Where the stream begins, the field that says so, and the wanted types of events. */
function readAsked(ctx: Context, endpoint: StreamEndpoint) {
  const raw = readQuery(ctx.querystring)
  if (isRefusal(raw)) return raw
  const query = validate(endpoint.query, raw, 'query')
  if (isRefusal(query)) return query
  const { type: types, after_sequence: after } = query
  // Node joins repeated headers; the joined text is not a number.
  const lastId = ctx.req.headers['last-event-id']
  if (lastId === undefined) return { field: 'after_sequence', after, types }
  if (typeof lastId !== 'string' || !/^\d{1,15}$/.test(lastId))
    return invalid('Last-Event-ID', 'must be the id of an event of this stream, a whole number')
  return { field: 'Last-Event-ID', after: Number(lastId), types }
}

/** From here on the answer is written without Koa. `last` is the sequence of the tenant's last event. */
function sendHead(ctx: Context, last: number): undefined {
  ctx.status = 200
  ctx.set({ ...head, 'Event-Sequence': String(last) })
  ctx.respond = false
  ctx.res.flushHeaders()
  if (ctx.method === 'HEAD') ctx.res.end()
}
