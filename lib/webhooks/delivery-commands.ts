/**
 * The commands that make deliveries by hand: a test event, a redelivery, a recovery. They also serve disabled subscriptions,
 * since whoever asks knows; sending itself happens in the webhook process.
 */
import type { Answer, CommandContext, Params } from '../api/endpoint.ts'
import { type Refusal, refuse } from '../api/errors.ts'
import { keyOf, noSuchSubscription } from './commands.ts'
import { findRedeliverable, insertOwnDelivery, scheduleAnew } from './delivery-queries.ts'
import { eventBody, newEventId } from './event-body.ts'
import { TEST_KIND } from './event-kinds.ts'
import { beginRecovery, countMissed, type EventRange, findRange, timeOf } from './recovery-queries.ts'
import type { Recovery } from './schemas.ts'

/** Events that one recovery goes through at most: counting those that were not delivered takes 0.12 s. */
export const RECOVERY_MAX = 500_000
/** Events whose deliveries the command makes itself, in 0.1 s. */
const FIRST_STEP_MAX = 5_000
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
 * included. It counts all of them and makes the deliveries of the first; the relay goes on. Refuses `not_found`, and
 * `unprocessable` where more than 500,000 events came since.
 */
export async function recover(
  context: CommandContext,
  { params, body }: { readonly params: Params; readonly body: Recovery },
): Promise<Answer | Refusal> {
  const { connection, now, lastEventSequence } = context
  const key = keyOf(context, params)
  const since = new Date(Math.max(Date.parse(body.since), Date.parse(now) - RECOVERY_REACH_MS)).toISOString()
  const range = await findRange(connection, key, since)
  if (range === null) return noSuchSubscription()
  // They are written at the end of the batch: by itself, as a batch that threw is run, this command finds them.
  if (range.last !== lastEventSequence) throw new Error('events of this batch are not written yet')
  const length = Number(BigInt(range.last) - BigInt(range.first) + 1n)
  if (length > RECOVERY_MAX) return tooMany(context, range, length)
  const { made, rest } = await beginRecovery(connection, key, { range, eventsMax: FIRST_STEP_MAX, now })
  const later = length > FIRST_STEP_MAX ? await countMissed(connection, key, rest) : 0
  return { body: JSON.stringify({ count: made + later }) }
}

/** Names a time that works, also when more events come meanwhile. */
async function tooMany(
  { connection, tenant }: CommandContext,
  { first, last }: EventRange,
  length: number,
): Promise<Refusal> {
  const recent = String(BigInt(last) - BigInt(RECOVERY_MAX - RECOVERY_MAX / 10))
  const from = new Date(Date.parse(await timeOf(connection, tenant.id, recent)) + 1).toISOString()
  return refuse(
    'unprocessable',
    `since: ${length} events came since then, more than the ${RECOVERY_MAX} that one recovery goes through; recover from ` +
      `${from} on, and read the earlier ones with GET /events?after_sequence=${BigInt(first) - 1n}`,
  )
}
