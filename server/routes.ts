/** The routes: every endpoint with the same steps, and a clear answer for unknown paths (404) and methods (405). */
import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { API_PREFIX, answersRecord, type Endpoint } from '../lib/kit/api/endpoint.ts'
import type { Refusal } from '../lib/kit/api/errors.ts'
import { readParams } from '../lib/kit/api/path-params.ts'
import { answerRefusal } from './answer.ts'
import { answerStream } from './answer-stream.ts'
import { bulkAnswerer } from './bulk/submit-bulk.ts'
import { answerInTime, giveMoreTime } from './deadlines.ts'
import { refuseOtherDryRun } from './dry-run.ts'
import { passGate } from './gate.ts'
import { answerImmediate } from './immediate.ts'
import { methodNotAllowed } from './match-write.ts'
import { noSuchPath } from './no-such-path.ts'
import { answerRead } from './read.ts'
import { RouteTable } from './route-table.ts'
import type { Services } from './services.ts'
import { readWhereItLives } from './where-it-lives.ts'
import { answerWrite } from './write.ts'

/** A path such as `/products/{id}` in the spelling of @koa/router. */
const routerPath = (endpoint: Endpoint): string => API_PREFIX + endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')

/** One middleware for known paths and one for unknown paths. */
export function routes(services: Services): { readonly known: Middleware; readonly unknown: Middleware } {
  const router = new Router({ strict: true, sensitive: true })
  const table = new RouteTable<Middleware>()
  for (const endpoint of services.endpoints) {
    const answer = answerOf(endpoint, services)
    const route: Middleware = ctx => serve(ctx, endpoint, answer, services)
    router.register(routerPath(endpoint), [endpoint.method], route)
    table.add(endpoint, route)
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

/** Answers a request, or returns the refusal. */
type Answer = (ctx: Context) => Promise<Refusal | undefined>

/** The steps of every endpoint, in the order of the checks. */
async function serve(ctx: Context, endpoint: Endpoint, answer: Answer, services: Services): Promise<void> {
  ctx.state.endpoint = endpoint
  // An id that is no int64 names no record: the path is unknown.
  const params = readParams(ctx.params)
  if (params === undefined) return answerRefusal(ctx, noSuchPath(ctx.path, services.endpoints))
  ctx.params = params
  await answerInTime(ctx, async () => {
    const refused = await passGate(ctx, services)
    if (refused) return answerRefusal(ctx, refused)
    // The deadline has answered the request.
    if (ctx.state.deadline.isOver) return
    if (endpoint.kind === 'command' || endpoint.kind === 'bulk') giveMoreTime(ctx)
    const refusal = refuseOtherDryRun(ctx) ?? (await answer(ctx))
    if (refusal) answerRefusal(ctx, refusal)
  })
}

/** The services of the cell that the caller's tenant is in. */
const ofTenant = (ctx: Context, services: Services): Services => services.in(ctx.state.access.cell)

function answerOf(endpoint: Endpoint, services: Services): Answer {
  switch (endpoint.kind) {
    case 'command': {
      const isTagged = answersRecord(endpoint, services.endpoints)
      return ctx => answerWrite(ctx, { endpoint, isTagged }, ofTenant(ctx, services))
    }
    case 'bulk': {
      const answerBulk = bulkAnswerer(endpoint, services)
      return ctx => answerBulk(ctx, ofTenant(ctx, services))
    }
    case 'immediate':
      return ctx => answerImmediate(ctx, endpoint, ofTenant(ctx, services))
    case 'stream':
      return ctx => readWhereItLives(ctx, services, of => answerStream(ctx, endpoint, of))
    default:
      return ctx => answerRead(ctx, endpoint, services)
  }
}

function unknown(router: Router, { endpoints }: Services): Middleware {
  return ctx => {
    const layers = router.match(ctx.path, ctx.method).path
    const valid = layers.filter(layer => readParams(layer.params(ctx.path, layer.captures(ctx.path))) !== undefined)
    if (valid.length === 0) return answerRefusal(ctx, noSuchPath(ctx.path, endpoints))
    const allowed = [...new Set(valid.flatMap(layer => layer.methods))].sort().join(', ')
    answerRefusal(ctx, methodNotAllowed(ctx.method, allowed))
  }
}
