/** Finds the outcomes of writes: successes in the command log, refusals in a table of their own (sql/000002_commands.sql). */
import * as v from 'valibot'
import type { Order } from '../../kit/api/endpoint.ts'
import { direction } from '../../kit/api/page-order.ts'
import { type Connection, type Fragment, rows, sql } from '../../platform/postgres/postgres.ts'

const RequestRow = v.object({
  id: v.string(),
  request_id: v.string(),
  key_id: v.string(),
  user_name: v.nullable(v.string()),
  method: v.nullable(v.string()),
  path: v.nullable(v.string()),
  idempotency_key: v.string(),
  outcome: v.picklist(['done', 'refused']),
  status: v.number(),
  error: v.nullable(v.string()),
  message: v.nullable(v.string()),
  scope: v.nullable(v.string()),
  first_sequence: v.nullable(v.string()),
  last_sequence: v.nullable(v.string()),
})
export type FoundRequest = v.InferOutput<typeof RequestRow>

/** The query for a page of requests. The bounds of ids are excluded. An undefined filter matches all. */
export type RequestsQuestion = {
  readonly tenantId: string
  readonly above: string
  readonly below: string
  /** Successes and refusals with lower ids are not kept any more. */
  readonly doneSince: string
  readonly refusedSince: string
  readonly ids: readonly string[] | undefined
  readonly keyIds: readonly string[] | undefined
  readonly requestId: string | undefined
  readonly idempotencyKey: string | undefined
  readonly outcome: 'done' | 'refused' | undefined
  readonly order: Order
  readonly limit: number
}

/** A kind of outcome, its table, and its columns beside the common ones. */
type Kind = { readonly outcome: Fragment; readonly table: Fragment; readonly columns: Fragment }

const doneRequests: Kind = {
  outcome: sql.fragment`'done'`,
  table: sql.fragment`commands`,
  columns: sql.fragment`r.status, null as error, null as message, null as scope, r.first_sequence, r.last_sequence`,
}
const refusedRequests: Kind = {
  outcome: sql.fragment`'refused'`,
  table: sql.fragment`refused_requests`,
  columns: sql.fragment`r.status, r.error, r.message, r.scope, null, null`,
}

/** A page of requests, in its order. The id of a bulk also finds its entries. */
export async function findRequests(
  connection: Connection,
  { doneSince, refusedSince, ...question }: RequestsQuestion,
): Promise<readonly FoundRequest[]> {
  const { order, limit } = question
  return connection.any(rows(RequestRow)`
    select
      id::text, request_id, key_id::text, user_name, method, path, idempotency_key, outcome, status::integer, error, message, scope,
      first_sequence::text, last_sequence::text
    from (
      ${ofKind(doneRequests, doneSince, question)} union all ${ofKind(refusedRequests, refusedSince, question)}
    ) page
    order by page.id ${direction(order)}
    limit ${limit}`)
}

type Question = Omit<RequestsQuestion, 'doneSince' | 'refusedSince'>

function ofKind(kind: Kind, since: string, question: Question): Fragment {
  const { ids, outcome = null, order, limit, above, below } = question
  // A condition of its own, so that indexes find the ids.
  const isNamed = ids === undefined ? sql.fragment`` : sql.fragment`and r.id = any (${sql.array([...ids], 'int8')})`
  const page = sql.fragment`
    and coalesce(${outcome}::text, ${kind.outcome}) = ${kind.outcome} ${isNamed}
    and r.id > greatest(${above}::bigint, ${since}::bigint) and r.id < ${below}::bigint
    order by r.id ${direction(order)} limit ${limit}`
  return sql.fragment`(
    select
      r.id, r.request_id, r.key_id, r.user_name, r.method, r.path, r.idempotency_key, ${kind.outcome} as outcome, ${kind.columns}
    from (select r.* from ${waysTo(kind, { ...question, page })}) r
    order by r.id ${direction(order)} limit ${limit}
  )`
}

/** Rows by the most selective filter: a request, an idempotency key, or the newest of each key. */
function waysTo(
  { table }: Kind,
  { tenantId, keyIds, requestId, idempotencyKey, page }: Question & { readonly page: Fragment },
): Fragment {
  const keys = sql.fragment`${keyIds === undefined ? null : sql.array([...keyIds], 'int8')}::bigint[]`
  const isOfKey = sql.fragment`(${keys} is null or r.key_id = any (${keys}))`
  if (requestId !== undefined)
    return sql.fragment`(
      select * from ${table} r
      where request_number(r.request_id) = request_number(${requestId}) and r.tenant_id = ${tenantId}::bigint
        and starts_with(r.request_id, ${requestId}) and ${isOfKey}
        and (${idempotencyKey ?? null}::text is null or r.idempotency_key = ${idempotencyKey ?? null}::text) ${page}
    ) r`
  if (idempotencyKey !== undefined)
    return sql.fragment`(
      select * from ${table} r
      where r.tenant_id = ${tenantId}::bigint and r.idempotency_key = ${idempotencyKey} and ${isOfKey} ${page}
    ) r`
  return sql.fragment`api_keys k cross join lateral (
      select * from ${table} r where r.tenant_id = ${tenantId}::bigint and r.key_id = k.id ${page}
    ) r
    where k.tenant_id = ${tenantId}::bigint and (${keys} is null or k.id = any (${keys}))`
}
