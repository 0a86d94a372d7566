/** A write that runs in the server process, without the tenant's queue: it reads the body and calls the endpoint. */
import type { Context } from 'koa'
import { noteKey } from '../lib/access/cells/directory.ts'
import { type KeyChange, publishKeyChange } from '../lib/access/key-changes.ts'
import { scopesOf } from '../lib/access/scopes.ts'
import { BODY_BYTES_MAX } from '../lib/kit/api/body-limit.ts'
import type { ImmediateEndpoint, Schema } from '../lib/kit/api/endpoint.ts'
import { isRefusal, type Refusal } from '../lib/kit/api/errors.ts'
import { takesNoIfMatch } from '../lib/kit/api/if-match.ts'
import { validate } from '../lib/kit/api/validate.ts'
import { MAIN } from '../lib/platform/cells.ts'
import { answerJson } from './answer.ts'
import { refuseQuery, withBody } from './read-request.ts'
import type { Services } from './services.ts'
import { whereItLives } from './where-it-lives.ts'
import { daysOf } from './write.ts'

/** Answers the request, or returns the refusal. @param services those of the caller's cell */
export async function answerImmediate(
  ctx: Context,
  endpoint: ImmediateEndpoint,
  services: Services,
): Promise<Refusal | undefined> {
  const refused = refuseQuery(ctx) ?? (ctx.get('If-Match') === '' ? undefined : takesNoIfMatch('If-Match'))
  if (refused) return refused
  const { access } = ctx.state
  const { tenantId } = access
  const body = endpoint.body ? await validBody(ctx, endpoint.body, services) : {}
  if (isRefusal(body)) return body
  const context = {
    tenantId,
    caller: {
      keyId: access.keyId,
      userName: access.userName,
      scopes: access.scopes,
      rate_per_minute: access.ratePerMinute,
      burst: access.burst,
      daily_documents: access.dailyDocuments,
    },
    scopes: scopesOf(services.endpoints),
    // The message only makes the change arrive sooner: without Redis each server sees it within 5 seconds.
    announce: (change: KeyChange) => publishKeyChange(services.redis, change).catch(() => {}),
    register: async (tokenHash: string) => {
      if (access.cell !== MAIN) await noteKey(services.in(MAIN).pool, tokenHash, tenantId)
    },
    now: new Date().toISOString(),
  }
  const answer = await whereItLives(tenantId, services, ({ pool }) =>
    endpoint.handle({ ...context, pool }, { params: ctx.params, body }),
  )
  if (isRefusal(answer)) return answer
  await answerJson(ctx, { status: endpoint.success, body: answer }, services.config)
  return undefined
}

const validBody = (ctx: Context, schema: Schema, services: Services): Promise<Record<string, unknown> | Refusal> =>
  withBody(
    ctx,
    { bytesMax: BODY_BYTES_MAX },
    services,
    sent => validate(schema, sent, 'body', daysOf(ctx.state.access)) as Record<string, unknown> | Refusal,
  )
