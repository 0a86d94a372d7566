/**
 * The commands that make deliveries by hand: a test event, a redelivery, a recovery. They also serve disabled subscriptions,
 * since whoever asks knows; sending itself happens in the webhook process.
 */
import type { Answer, CommandContext, Params } from '../api/endpoint.ts'
import { type Refusal, refuse } from '../api/errors.ts'
import { keyOf, noSuchSubscription } from './commands.ts'
import { countMissed, findRedeliverable, insertOwnDelivery, scheduleAnew, scheduleMissed } from './delivery-queries.ts'
import { eventBody, newEventId } from './event-body.ts'
import { TEST_KIND } from './event-kinds.ts'
import type { Recovery } from './schemas.ts'

/** Events that one recovery sends at most: it is one transaction. */
export const RECOVERY_MAX = 20_000
/** What a disabled subscription missed is kept so long. */
const RECOVERY_REACH_MS = 14 * 86_400_000

/** Sends a `webhook.test` event to one subscription. Refuses `not_found`. */
export async function sendTest(
  context: CommandContext,
  { params }: { readonly params: Params },
): Promise<Answer | Refusal> {
  const { connection, now } = context
  const key = keyOf(context, params)
  const id = newEventId()
  const data = JSON.stringify({ subscription_id: key.id })
  const body = eventBody({ type: TEST_KIND, data, previous: null }, { id, timestamp: now, sequence: null })
  const document = await insertOwnDelivery(connection, key, { id, type: TEST_KIND, body, now })
  return document === null ? noSuchSubscription() : { body: document }
}

/** Sends a delivery again with all its attempts. Refuses `not_found`, and `unprocessable` when its event is not kept any more. */
export async function redeliver(
  context: CommandContext,
  { params }: { readonly params: Params },
): Promise<Answer | Refusal> {
  const { connection, now } = context
  const key = keyOf(context, params)
  const found = await findRedeliverable(connection, key)
  if (found === null) return refuse('not_found', 'no such webhook delivery')
  if (found === 'expired') return refuse('unprocessable', 'the event of this delivery is older than 30 days')
  return { body: await scheduleAnew(connection, { ...key, now }) }
}

/**
 * Sends every event since then (at most 14 days back) that was not delivered, those that wait for their next attempt
 * included. Refuses `not_found`, and `unprocessable` beyond 20,000 events.
 */
export async function recover(
  context: CommandContext,
  { params, body }: { readonly params: Params; readonly body: Recovery },
): Promise<Answer | Refusal> {
  const { connection, now } = context
  const key = keyOf(context, params)
  const since = new Date(Math.max(Date.parse(body.since), Date.parse(now) - RECOVERY_REACH_MS)).toISOString()
  const count = await countMissed(connection, key, { since, max: RECOVERY_MAX + 1 })
  if (count === null) return noSuchSubscription()
  if (count > RECOVERY_MAX)
    return refuse(
      'unprocessable',
      `more than ${RECOVERY_MAX} events since then; recover a later time first, or read GET /events`,
    )
  return { body: JSON.stringify({ count: await scheduleMissed(connection, key, { since, now }) }) }
}
