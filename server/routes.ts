/** The routes: every endpoint of the list behind the same steps, and a clear answer for what is not there (404, 405). */
import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import {
  API_PREFIX,
  answersRecord,
  type BulkEndpoint,
  type Endpoint,
  type Json,
  type ListEndpoint,
  type ReadContext,
  type ReadEndpoint,
} from '../lib/api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../lib/api/errors.ts'
import { etagOf } from '../lib/api/etag.ts'
import { readInt64 } from '../lib/api/field-readers.ts'
import type { Pool } from '../lib/postgres/postgres.ts'
import { answerList, answerRead } from './answer-read.ts'
import { answerStream } from './answer-stream.ts'
import { authenticate, requireScope } from './authenticate.ts'
import { answerRefusal } from './error-reply.ts'
import { methodNotAllowed, noSuchPath } from './match-write.ts'
import type { Services } from './services.ts'
import { bulkSubmitter } from './submit-bulk.ts'
import { submitCommand } from './submit-command.ts'
import { countRequest, refuseOverRate } from './throttle.ts'

/** A read waits so long for those of its tenant that are under way. */
const READ_PATIENCE_MS = 5_000
const readsAreBusy = refuse(
  'service_unavailable',
  "Too many of the tenant's reads are under way; a retry is safe, with fewer at once it is served sooner.",
  { 'Retry-After': '2' },
)

/** `/products/{id}` as @koa/router spells it. */
const routerPath = (endpoint: Endpoint): string => API_PREFIX + endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')

/** One middleware per endpoint, in the order of the checks. */
export function routes(services: Services): { readonly known: Middleware; readonly unknown: Middleware } {
  const router = new Router({ strict: true, sensitive: true })
  const { access } = services
  const gate = [authenticate(access), choosePool(services), countRequest(access), requireScope, refuseOverRate] as const
  for (const endpoint of services.endpoints) {
    const answering = endpoint.kind === 'bulk' ? answerBulk(endpoint, services) : answer(endpoint, services)
    router.register(routerPath(endpoint), [endpoint.method], [matched(endpoint), ...gate, answering])
  }
  return { known: router.routes() as unknown as Middleware, unknown: unknown(router) }
}

/** Tells the later steps which endpoint this is. A path id that is no int64 names nothing, so the route is not there. */
function matched(endpoint: Endpoint): Middleware {
  return (ctx, next) => {
    ctx.state.endpoint = endpoint
    if (Object.values(ctx.params).some(value => readInt64(value) === undefined)) {
      answerRefusal(ctx, noSuchPath)
      return
    }
    return next()
  }
}

function answerBulk(endpoint: BulkEndpoint, services: Services): Middleware {
  const submit = bulkSubmitter(endpoint, services)
  return async ctx => {
    const answer = await submit(ctx)
    if (isRefusal(answer)) return answerRefusal(ctx, answer)
    answerJson(ctx, 200, answer)
  }
}

function answer(endpoint: Exclude<Endpoint, BulkEndpoint>, services: Services): Middleware {
  const hasETag = endpoint.kind === 'command' && answersRecord(endpoint, services.endpoints)
  return async ctx => {
    if (endpoint.kind === 'command') {
      const outcome = await submitCommand(ctx, endpoint, services)
      if (isRefusal(outcome)) return answerRefusal(ctx, outcome)
      if (outcome.replayed) ctx.set('Idempotent-Replayed', 'true')
      if (hasETag && outcome.body !== null) ctx.set('ETag', etagOf(outcome.body))
      return answerJson(ctx, outcome.replayed ? (endpoint.replay ?? outcome.status) : outcome.status, outcome.body)
    }
    if (endpoint.kind === 'stream') {
      const refusal = await answerStream(ctx, endpoint, services)
      return refusal && answerRefusal(ctx, refusal)
    }
    const document = await readInTurn(ctx, endpoint, services)
    if (isRefusal(document)) return answerRefusal(ctx, document)
    answerJson(ctx, 200, document)
  }
}

/** Reads as soon as the tenant has a place among the reads of this process. */
async function readInTurn(
  ctx: Context,
  endpoint: ReadEndpoint | ListEndpoint,
  { reads, readShare }: Services,
): Promise<Json | Refusal> {
  const { tenantId } = ctx.state.access
  if (!(await readShare.enter(tenantId, READ_PATIENCE_MS))) return readsAreBusy
  try {
    return await reads.read(await ctx.state.readPool, pool => {
      const context = readContext(ctx, pool)
      return endpoint.kind === 'list' ? answerList(ctx, endpoint, context) : answerRead(ctx, endpoint, context)
    })
  } finally {
    readShare.leave(tenantId)
  }
}

/** Asks where a read may go; the question travels to Redis together with that of the rate. */
function choosePool({ reads }: Services): Middleware {
  return (ctx, next) => {
    const { kind } = ctx.state.endpoint
    if (kind === 'read' || kind === 'list') ctx.state.readPool = reads.poolFor(ctx.state.access.tenantId)
    return next()
  }
}

function readContext(ctx: Context, pool: Pool): ReadContext {
  const access = ctx.state.access
  return {
    tenantId: access.tenantId,
    actor: { keyId: access.keyId, userName: access.userName },
    pool,
    now: new Date().toISOString(),
  }
}

/** Sends JSON text as it came from SQL. */
function answerJson(ctx: Context, status: number, body: string | null): void {
  ctx.status = status
  if (body === null) return
  ctx.type = 'application/json'
  ctx.body = body
}

function unknown(router: Router): Middleware {
  return ctx => {
    const layers = router.match(ctx.path, ctx.method).path
    const valid = layers.filter(layer =>
      Object.values(layer.params(ctx.path, layer.captures(ctx.path))).every(value => readInt64(value) !== undefined),
    )
    if (valid.length === 0) return answerRefusal(ctx, noSuchPath)
    const allowed = [...new Set(valid.flatMap(layer => layer.methods))].sort().join(', ')
    answerRefusal(ctx, methodNotAllowed(ctx.method, allowed))
  }
}
