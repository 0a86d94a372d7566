/** The routes: every endpoint of the list behind the same steps, and a clear answer for what is not there (404, 405). */
import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { type KeyChange, publishKeyChange } from '../lib/access/key-changes.ts'
import {
  API_PREFIX,
  answersRecord,
  type BulkEndpoint,
  type CommandEndpoint,
  type Endpoint,
  type ImmediateEndpoint,
  type Json,
  type ListEndpoint,
  type ReadContext,
  type ReadEndpoint,
} from '../lib/kit/api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../lib/kit/api/errors.ts'
import { etagOf, isNamed } from '../lib/kit/api/etag.ts'
import { readInt64 } from '../lib/kit/api/field-readers.ts'
import { takesNoIfMatch } from '../lib/kit/api/if-match.ts'
import { TenantNotHere } from '../lib/platform/cells.ts'
import { readList, readOne } from './answer-read.ts'
import { answerStream } from './answer-stream.ts'
import { authenticate, authenticateAgain, requireScope } from './authenticate.ts'
import { bulkSubmitter } from './bulk/submit-bulk.ts'
import { compressed, isLong } from './compress.ts'
import { answerInTime, goOnInTime } from './deadlines.ts'
import { heardBy, refuseOtherDryRun } from './dry-run.ts'
import { answerRefusal } from './error-reply.ts'
import { methodNotAllowed } from './match-write.ts'
import { noSuchPath } from './no-such-path.ts'
import { refuseQuery } from './read-command.ts'
import { ReadsAreBusy, type TenantReader } from './read-pool.ts'
import { RouteTable } from './route-table.ts'
import type { Services } from './services.ts'
import { headOf, submitCommand } from './submit-command.ts'
import { countRequest, refuseOverRate } from './throttle.ts'
import { whereItLives } from './where-it-lives.ts'

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
  const table = new RouteTable<Middleware>()
  for (const endpoint of services.endpoints) {
    const steps = [
      matched(endpoint, services),
      answerInTime,
      ...gate,
      goOnInTime,
      refuseOtherDryRun,
      answerOf(endpoint, services),
    ]
    router.register(routerPath(endpoint), [endpoint.method], steps)
    table.add(endpoint, inOrder(steps))
  }
  const scanned = router.routes() as unknown as Middleware
  const known: Middleware = (ctx, next) => {
    const found = table.find(ctx.method, ctx.path)
    if (found === undefined) return scanned(ctx, next)
    ctx.params = found.params
    return found.route(ctx, next)
  }
  return { known, unknown: unknown(router, services) }
}

/** The steps as one: each goes on to the next. */
const inOrder = (steps: readonly Middleware[]): Middleware =>
  steps.reduceRight<Middleware>(
    (rest, step) => (ctx, next) => step(ctx, () => rest(ctx, next)),
    (_, next) => next(),
  )

/** Tells the later steps which endpoint this is. A path id that is no int64 names nothing, so the route is not there. */
function matched(endpoint: Endpoint, { endpoints }: Services): Middleware {
  return (ctx, next) => {
    ctx.state.endpoint = endpoint
    if (Object.values(ctx.params).some(value => readInt64(value) === undefined)) {
      answerRefusal(ctx, noSuchPath(ctx.path, endpoints))
      return
    }
    return next()
  }
}

/** The services of the cell where the caller's tenant lives. */
const ofTenant = (ctx: Context, services: Services): Services => services.in(ctx.state.access.cell)

/** Cells that a tenant may have moved to while a request was under way. */
const CELLS_MAX = 3

/** Reads where the caller's tenant lives, anew where it has moved since it was found. */
async function readWhereItLives<T>(
  ctx: Context,
  services: Services,
  work: (services: Services) => Promise<T>,
): Promise<T | Refusal> {
  for (let tries = 1; ; tries++) {
    try {
      return await work(ofTenant(ctx, services))
    } catch (error) {
      if (!(error instanceof TenantNotHere) || tries === CELLS_MAX) throw error
    }
    const refusal = await authenticateAgain(ctx, services.access)
    if (refusal) return refusal
    delete ctx.state.readPool
  }
}

function answerOf(endpoint: Endpoint, services: Services): Middleware {
  switch (endpoint.kind) {
    case 'command':
      return answerCommand(endpoint, services)
    case 'bulk':
      return answerBulk(endpoint, services)
    case 'immediate':
      return answerImmediate(endpoint, services)
    case 'stream':
      return async ctx => {
        const refusal = await readWhereItLives(ctx, services, of => answerStream(ctx, endpoint, of))
        if (refusal) answerRefusal(ctx, refusal)
      }
    default:
      return answerRead(endpoint, services)
  }
}

function answerBulk(endpoint: BulkEndpoint, services: Services): Middleware {
  const submit = bulkSubmitter(endpoint, services)
  return async ctx => {
    const body = await submit(ctx, ofTenant(ctx, services))
    if (isRefusal(body)) return answerRefusal(ctx, heardBy(ctx, body))
    return answerJson(ctx, services, { status: 200, body })
  }
}

function answerCommand(endpoint: CommandEndpoint, services: Services): Middleware {
  const isTagged = answersRecord(endpoint, services.endpoints)
  return async ctx => {
    const outcome = await submitCommand(ctx, endpoint, ofTenant(ctx, services))
    if (isRefusal(outcome)) return answerRefusal(ctx, heardBy(ctx, outcome))
    const { status, etag } = headOf(outcome, endpoint, isTagged)
    if (outcome.replayed) ctx.set('Idempotent-Replayed', 'true')
    // The record of a dry run cannot be read: no condition could name it.
    if (etag !== null && !ctx.state.isDryRun) ctx.set('ETag', etag)
    return answerJson(ctx, services, { status, body: outcome.body })
  }
}

function answerRead(endpoint: ReadEndpoint | ListEndpoint, services: Services): Middleware {
  const isTagged = endpoint.kind === 'read' && endpoint.tagged
  return async ctx => {
    const found = await readWhereItLives(ctx, services, of => read(ctx, endpoint, of))
    if (isRefusal(found)) return answerRefusal(ctx, found)
    ctx.set('Event-Sequence', found.eventSequence)
    const etag = isTagged ? etagOf(found.document) : undefined
    if (etag !== undefined) ctx.set('ETag', etag)
    const isKnown = etag !== undefined && isNamed(etag, ctx.get('If-None-Match'))
    return answerJson(ctx, services, { status: isKnown ? 304 : 200, body: found.document })
  }
}

function answerImmediate(endpoint: ImmediateEndpoint, services: Services): Middleware {
  const announce = async (change: KeyChange) => {
    // It only hastens: without Redis each server sees the change within 5 seconds.
    await publishKeyChange(services.redis, change).catch(() => {})
  }
  return async ctx => {
    const refused = refuseQuery(ctx) ?? (ctx.get('If-Match') === '' ? undefined : takesNoIfMatch('If-Match'))
    if (refused) return answerRefusal(ctx, refused)
    const { tenantId } = ctx.state.access
    const body = await whereItLives(tenantId, ofTenant(ctx, services), ({ pool }) =>
      endpoint.handle({ tenantId, pool, announce }, { params: ctx.params }),
    )
    return isRefusal(body) ? answerRefusal(ctx, body) : answerJson(ctx, services, { status: 200, body })
  }
}

/** What a read found, and the tenant's last event, which it includes. */
async function read(
  ctx: Context,
  endpoint: ReadEndpoint | ListEndpoint,
  { reads }: Services,
): Promise<{ readonly document: Json; readonly eventSequence: string } | Refusal> {
  try {
    const { tenantId } = ctx.state.access
    return await reads.read(await (ctx.state.readPool ?? reads.poolFor(tenantId)), async pool => {
      const reader = pool.readerOf(tenantId)
      const context = readContext(ctx, reader)
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

/** Asks where a read may go; the question travels to Redis together with that of the rate. */
function choosePool(services: Services): Middleware {
  return (ctx, next) => {
    const { kind } = ctx.state.endpoint
    if (kind === 'read' || kind === 'list')
      ctx.state.readPool = ofTenant(ctx, services).reads.poolFor(ctx.state.access.tenantId)
    return next()
  }
}

function readContext(ctx: Context, pool: TenantReader): ReadContext {
  const access = ctx.state.access
  return {
    tenantId: access.tenantId,
    actor: { keyId: access.keyId, userName: access.userName },
    scopes: access.scopes,
    pool,
    now: new Date().toISOString(),
  }
}

type Answer = { readonly status: number; readonly body: Json | null }

/** Sends JSON text as it came from SQL; of a 304 only what its headers say of the text. */
async function answerJson(ctx: Context, { config }: Services, { status, body }: Answer): Promise<void> {
  ctx.status = status
  if (body === null) return
  const mayShrink = config.httpCompression && isLong(body)
  if (mayShrink) ctx.vary('Accept-Encoding')
  if (status === 304) return
  ctx.type = 'application/json'
  const short = mayShrink ? await compressed(ctx, body) : null
  if (short) ctx.set('Content-Encoding', short.coding)
  ctx.body = short?.body ?? body
}

function unknown(router: Router, { endpoints }: Services): Middleware {
  return ctx => {
    const layers = router.match(ctx.path, ctx.method).path
    const valid = layers.filter(layer =>
      Object.values(layer.params(ctx.path, layer.captures(ctx.path))).every(value => readInt64(value) !== undefined),
    )
    if (valid.length === 0) return answerRefusal(ctx, noSuchPath(ctx.path, endpoints))
    const allowed = [...new Set(valid.flatMap(layer => layer.methods))].sort().join(', ')
    answerRefusal(ctx, methodNotAllowed(ctx.method, allowed))
  }
}
