/**
 * The writing commands of webhook subscriptions: load, decide, store. It must not hold SQL or rules, and no secret leaves it
 * but in the one answer that shows it.
 */
import type { Answer, CommandContext, Params } from '../api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../api/errors.ts'
import {
  countSecrets,
  deleteSubscription,
  insertSubscription,
  loadOthers,
  lockSubscription,
  newSubscriptionId,
  replaceSecret,
  updateSubscription,
} from './queries.ts'
import type { NewSubscription, Rotation, SubscriptionChange } from './schemas.ts'
import { newSecret, secretText } from './signature.ts'
import { decideChange, decideNew, SECRETS_MAX } from './subscription-rules.ts'

export const noSuchSubscription = () => refuse('not_found', 'no such webhook subscription')

/** What of the tenant's the path names. */
export const keyOf = (context: CommandContext, params: Params) => ({
  tenantId: context.tenant.id,
  id: params['id'] ?? '',
})

/** Whom a sealed secret belongs to; it opens for nobody else. */
export const secretOwner = (tenantId: string, subscriptionId: string) => `webhook ${tenantId} ${subscriptionId}`

/** Makes a subscription for the events after this command. Refusals: see `decideNew`. */
export async function createSubscription(
  context: CommandContext,
  { body }: { readonly body: NewSubscription },
): Promise<Answer | Refusal> {
  const { connection, now, lastEventSequence, settings } = context
  const tenantId = context.tenant.id
  const values = decideNew(body, await loadOthers(connection, { tenantId, id: '0' }), {
    subscriptionsMax: settings.webhookSubscriptionsMax,
  })
  if (isRefusal(values)) return values
  const id = await newSubscriptionId(connection)
  const secret = newSecret()
  const sealedSecret = settings.secrets.seal(secret, secretOwner(tenantId, id))
  const document = await insertSubscription(
    connection,
    { tenantId, id },
    { ...values, sealedSecret, lastEventSequence, now },
  )
  const open = document.replace(/}$/, '')
  return { body: `${open},"secret":${JSON.stringify(secretText(secret))}}`, recordedBody: `${open},"secret":null}` }
}

/** Changes what the body names. Refuses `not_found`; see `decideChange`. */
export async function changeSubscription(
  context: CommandContext,
  { params, body }: { readonly params: Params; readonly body: SubscriptionChange },
): Promise<Answer | Refusal> {
  const { connection, now, lastEventSequence } = context
  const key = keyOf(context, params)
  const current = await lockSubscription(connection, key)
  if (!current) return noSuchSubscription()
  const isMoved = body.url !== undefined || body.events !== undefined
  const change = decideChange(current, body, isMoved ? await loadOthers(connection, key) : [])
  if (isRefusal(change)) return change
  return { body: await updateSubscription(connection, key, { ...change, lastEventSequence, now }) }
}

/** Removes a subscription with its deliveries. Refuses `not_found`. */
export async function removeSubscription(
  context: CommandContext,
  { params }: { readonly params: Params },
): Promise<Answer | Refusal> {
  const isGone = await deleteSubscription(context.connection, keyOf(context, params), context.now)
  return isGone ? { body: null } : noSuchSubscription()
}

/** Makes a new secret; the earlier ones sign too until the overlap ends. Refuses `not_found`, and `unprocessable` beyond 10. */
export async function rotateSecret(
  context: CommandContext,
  { params, body }: { readonly params: Params; readonly body: Rotation },
): Promise<Answer | Refusal> {
  const { connection, now, settings } = context
  const key = keyOf(context, params)
  const count = await countSecrets(connection, key, now)
  if (count === null) return noSuchSubscription()
  if (count >= SECRETS_MAX && body.overlap_seconds > 0)
    return refuse('unprocessable', `${count} secrets are valid already; wait for one to end, or use overlap_seconds 0`)
  const secret = newSecret()
  const sealedSecret = settings.secrets.seal(secret, secretOwner(key.tenantId, key.id))
  await replaceSecret(connection, key, { sealedSecret, now, overlapSeconds: body.overlap_seconds })
  return {
    body: JSON.stringify({ id: key.id, secret: secretText(secret) }),
    recordedBody: JSON.stringify({ id: key.id, secret: null }),
  }
}
