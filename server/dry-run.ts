/** Recognises dry runs and marks their answers (docs/rules/requests.md, "Dry runs"). The worker rolls a dry run back. */
import type { Context, Middleware } from 'koa'
import type { EndpointKind } from '../lib/kit/api/endpoint.ts'
import { invalid, type Refusal, refuse } from '../lib/kit/api/errors.ts'
import type { NewBulk } from '../lib/pipeline/bulk/bulk-schemas.ts'
import { outcomeOpen } from './deadlines.ts'
import { givenTimes } from './read-request.ts'

const HEADER = 'Dry-Run'
const TRUE = 'true'

const given = (ctx: Context): readonly string[] => givenTimes(ctx, 'dry-run')

/** Runs before all steps that may refuse, so that each answer to a dry run has the header. */
export const markDryRun: Middleware = (ctx, next) => {
  const [first, ...others] = given(ctx)
  ctx.state.isDryRun = first === TRUE && others.length === 0
  if (ctx.state.isDryRun) ctx.set(HEADER, TRUE)
  return next()
}

/** Refuses the header if the endpoint has no dry runs: without the refusal the request would write. */
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

/** Refuses a dry run with mode `each`: each entry would be rolled back before the next, which could not see its effects. */
export const refuseDryUnless = (mode: NewBulk['mode']): Refusal | undefined =>
  mode === 'all' ? undefined : invalid(HEADER, 'is taken with mode all alone')

const nothingDone = refuse('service_unavailable', 'No answer in time. It was a dry run, so nothing was done.', {
  'Retry-After': '2',
})

/** The refusal in the answer to a write. The outcome of a dry run is never open. */
export const heardBy = (ctx: Context, refusal: Refusal): Refusal =>
  ctx.state.isDryRun && refusal === outcomeOpen.refusal ? nothingDone : refusal
