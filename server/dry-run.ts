/** Which requests are dry runs, and what their answers say (docs/rules/requests.md, "Dry runs"). How a dry run is undone is the worker's business. */
import type { Context, Middleware } from 'koa'
import type { EndpointKind } from '../lib/kit/api/endpoint.ts'
import { invalid, type Refusal, refuse } from '../lib/kit/api/errors.ts'
import type { NewBulk } from '../lib/pipeline/bulk/bulk-schemas.ts'
import { outcomeOpen } from './deadlines.ts'
import { givenTimes } from './request-head.ts'

const HEADER = 'Dry-Run'
const TRUE = 'true'

const given = (ctx: Context): readonly string[] => givenTimes(ctx, 'dry-run')

/** Stands before all that may refuse: every answer to a dry run says that it was one. */
export const markDryRun: Middleware = (ctx, next) => {
  const [first, ...others] = given(ctx)
  ctx.state.isDryRun = first === TRUE && others.length === 0
  if (ctx.state.isDryRun) ctx.set(HEADER, TRUE)
  return next()
}

/** Refuses the header where it is none of a dry run: to leave it out would be to write. */
export function refuseOtherDryRun(ctx: Context): Refusal | undefined {
  const fault = faultOf(given(ctx), ctx.state.endpoint.kind)
  return fault === undefined ? undefined : invalid(HEADER, fault)
}

function faultOf([first, ...others]: readonly string[], kind: EndpointKind): string | undefined {
  if (first === undefined) return undefined
  if (others.length > 0) return 'is given more than once'
  if (kind !== 'command' && kind !== 'bulk') return 'is not taken by this endpoint'
  return first === TRUE ? undefined : `must be ${TRUE}, or left out`
}

/** With `each` entries are undone one by one: none would find what those before it did. */
export const refuseDryUnless = (mode: NewBulk['mode']): Refusal | undefined =>
  mode === 'all' ? undefined : invalid(HEADER, 'is taken with mode all alone')

const nothingDone = refuse('service_unavailable', 'No answer in time. It was a dry run, so nothing was done.', {
  'Retry-After': '2',
})

/** What the caller of a write hears: the outcome of a dry run is never open. */
export const heardBy = (ctx: Context, refusal: Refusal): Refusal =>
  ctx.state.isDryRun && refusal === outcomeOpen.refusal ? nothingDone : refusal
