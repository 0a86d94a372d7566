/** A read from its request to its answer: one record, or a page of a list with a cursor. Reads never use the queue. */
import type { Context } from 'koa'
import * as v from 'valibot'
import { makeCursor, readCursor } from '../lib/kit/api/cursor.ts'
import {
  type Json,
  type ListEndpoint,
  orders,
  type ReadContext,
  type ReadEndpoint,
  type Schema,
} from '../lib/kit/api/endpoint.ts'
import { invalid, isRefusal, type Refusal, refuse } from '../lib/kit/api/errors.ts'
import { etagOf, isNamed } from '../lib/kit/api/etag.ts'
import { oneOf, optional, queryFlag, queryInteger, shape } from '../lib/kit/api/fields.ts'
import { refuseOrder } from '../lib/kit/api/list-filters.ts'
import { readQuery } from '../lib/kit/api/query.ts'
import { validate } from '../lib/kit/api/validate.ts'
import { memoized } from '../lib/platform/memoized.ts'
import { answerJson } from './answer.ts'
import { ReadsAreBusy } from './read-pool.ts'
import type { Services } from './services.ts'
import { readWhereItLives } from './where-it-lives.ts'

const PAGE_LIMIT_MAX = 200
const PAGE_LIMIT_DEFAULT = 50

const nothing = shape({})
const paging = {
  limit: optional(queryInteger(1, PAGE_LIMIT_MAX)),
  cursor: optional(v.string()),
  order: optional(oneOf(orders)),
}
/** Filters are an object schema, like every query. */
const entriesOf = (filters: Schema | undefined) => (filters as typeof nothing | undefined)?.entries
const withTotals = { ...paging, totals: optional(queryFlag()) }
const queryOf = memoized(({ filters, totals }: ListEndpoint) =>
  shape({ ...entriesOf(filters), ...(totals ? withTotals : (paging as typeof withTotals)) }),
)

const readsAreBusy = refuse(
  'service_unavailable',
  "Too many of the tenant's reads are under way; a retry is safe, with fewer at once it is served sooner.",
  { 'Retry-After': '2' },
)

/** Answers a read, or returns the refusal. */
export async function answerRead(
  ctx: Context,
  endpoint: ReadEndpoint | ListEndpoint,
  services: Services,
): Promise<Refusal | undefined> {
  const found = await readWhereItLives(ctx, services, of => read(ctx, endpoint, of))
  if (isRefusal(found)) return found
  ctx.set('Event-Sequence', found.eventSequence)
  const etag = endpoint.tagged ? etagOf(found.document) : undefined
  if (etag !== undefined) ctx.set('ETag', etag)
  const isKnown = etag !== undefined && isNamed(etag, ctx.get('If-None-Match'))
  await answerJson(ctx, { status: isKnown ? 304 : 200, body: found.document }, services.config)
  return undefined
}

/** The result of a read, and the last event that the result includes. */
async function read(
  ctx: Context,
  endpoint: ReadEndpoint | ListEndpoint,
  { reads }: Services,
): Promise<{ readonly document: Json; readonly eventSequence: string } | Refusal> {
  const { tenantId, keyId, userName, scopes } = ctx.state.access
  try {
    return await reads.read(await (ctx.state.readPool ?? reads.poolFor(tenantId)), async pool => {
      const reader = pool.readerOf(tenantId)
      const actor = { keyId, userName }
      const context = { tenantId, actor, scopes, pool: reader, now: new Date().toISOString() }
      const document = await (endpoint.kind === 'list'
        ? readList(ctx, endpoint, context)
        : readOne(ctx, endpoint, context))
      return isRefusal(document) ? document : { document, eventSequence: await reader.eventSequence() }
    })
  } catch (error) {
    if (error instanceof ReadsAreBusy) return readsAreBusy
    throw error
  }
}

/** The JSON text of one record. */
async function readOne(ctx: Context, endpoint: ReadEndpoint, context: ReadContext): Promise<Json | Refusal> {
  const raw = readQuery(ctx.querystring)
  if (isRefusal(raw)) return raw
  const query = validate(endpoint.query ?? nothing, raw, 'query')
  if (isRefusal(query)) return query
  return endpoint.handle(context, { params: ctx.params, query: query as never })
}

/** The envelope of a page: `{ data, next_cursor }`. */
async function readList(ctx: Context, endpoint: ListEndpoint, context: ReadContext): Promise<Json | Refusal> {
  const raw = readQuery(ctx.querystring)
  if (isRefusal(raw)) return raw
  const query = validate(queryOf(endpoint), raw, 'query')
  if (isRefusal(query)) return query
  const { totals, limit = PAGE_LIMIT_DEFAULT, cursor, order: asked, ...filters } = query
  if (totals && endpoint.totals) {
    const paged = Object.keys(paging).find(name => name in raw)
    if (paged !== undefined) return invalid(paged, 'goes with pages, not with totals')
    return endpoint.totals.read(context, { params: ctx.params, filters: filters as never })
  }
  const usual = endpoint.order ?? 'asc'
  const order = asked ?? usual
  const refused = refuseOrder(filters, order)
  if (refused) return refused
  const scope = {
    endpoint: endpoint.id,
    tenantId: context.tenantId,
    params: ctx.params,
    // A cursor of the usual order does not contain the order, so that cursors of releases without other orders stay valid.
    filters: order === usual ? filters : { ...filters, order },
  }
  const after = cursor === undefined ? null : readCursor(scope, cursor)
  if (after === undefined) return invalid('cursor', 'is not a cursor of this list with these filters and this order')

  // One row more than asked for shows whether there is a next page.
  const rows = await endpoint.page(context, {
    params: ctx.params,
    filters: filters as never,
    after,
    limit: limit + 1,
    order,
  })
  if (isRefusal(rows)) return rows
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = rows.length > limit && last ? makeCursor(scope, last.id) : ''
  return `{"data":[${page.map(row => row.document).join(',')}],"next_cursor":${JSON.stringify(next)}}`
}
