/**
 * Answers reads at once: one thing, or a page of a list behind a cursor. It never goes through the queue.
 */
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
import { invalid, isRefusal, type Refusal } from '../lib/kit/api/errors.ts'
import { oneOf, optional, queryInteger, shape } from '../lib/kit/api/fields.ts'
import { refuseOrder } from '../lib/kit/api/list-filters.ts'
import { readQuery } from '../lib/kit/api/query.ts'
import { validate } from '../lib/kit/api/validate.ts'
import { memoized } from '../lib/platform/memoized.ts'

const PAGE_LIMIT_MAX = 200
const PAGE_LIMIT_DEFAULT = 50

const nothing = shape({})
const paging = {
  limit: optional(queryInteger(1, PAGE_LIMIT_MAX)),
  cursor: optional(v.string()),
  order: optional(oneOf(orders)),
}
/** Filters are a shape like any query. */
const entriesOf = (filters: Schema | undefined) => (filters as typeof nothing | undefined)?.entries
const queryOf = memoized(({ filters }: ListEndpoint) => shape({ ...entriesOf(filters), ...paging }))

/** The JSON text of one thing. */
export async function readOne(ctx: Context, endpoint: ReadEndpoint, context: ReadContext): Promise<Json | Refusal> {
  const raw = readQuery(ctx.querystring)
  if (isRefusal(raw)) return raw
  const query = validate(endpoint.query ?? nothing, raw, 'query')
  if (isRefusal(query)) return query
  return endpoint.handle(context, { params: ctx.params, query: query as never })
}

/** The envelope of a page: `{ data, next_cursor }`. */
export async function readList(ctx: Context, endpoint: ListEndpoint, context: ReadContext): Promise<Json | Refusal> {
  const raw = readQuery(ctx.querystring)
  if (isRefusal(raw)) return raw
  const query = validate(queryOf(endpoint), raw, 'query')
  if (isRefusal(query)) return query
  const { limit = PAGE_LIMIT_DEFAULT, cursor, order: asked, ...filters } = query
  const usual = endpoint.order ?? 'asc'
  const order = asked ?? usual
  const refused = refuseOrder(filters, order)
  if (refused) return refused
  const scope = {
    endpoint: endpoint.id,
    tenantId: context.tenantId,
    params: ctx.params,
    // The usual order has the cursors that it has always had.
    filters: order === usual ? filters : { ...filters, order },
  }
  const after = cursor === undefined ? null : readCursor(scope, cursor)
  if (after === undefined) return invalid('cursor', 'is not a cursor of this list with these filters and this order')

  // One row more than asked tells whether there is a next page.
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
