/**
 * Stores the outcomes of attempts in one transaction: the deliveries, the health of their subscriptions, and the mail to the owner when a
 * subscription was disabled. The rules decide what follows from an attempt.
 */
import * as v from 'valibot'
import { queueMails } from '../platform/mail/outbox.ts'
import {
  type Connection,
  jsonParameter,
  type Pool,
  rows,
  sql,
  statement,
  type WritingConnection,
} from '../platform/postgres/postgres.ts'
import { afterAttempt, type Health, isGone } from './health-rules.ts'
import type { SubscriptionRef } from './pending.ts'
import { ATTEMPTS_MAX, waitAfter } from './schedule-rules.ts'
import type { Attempt } from './send.ts'
import { withoutFlush } from './without-flush.ts'

/** A finished attempt. */
export type Outcome = SubscriptionRef & {
  readonly deliveryId: string
  /** The delivery's generation when it was sent. */
  readonly generation: number
  readonly roundAttempts: number
  readonly attempt: Attempt
  /** When the attempt ended, in ms since 1970. */
  readonly at: number
  /** A random number from 0 to 1, for the jitter. */
  readonly chance: number
}

/** The new status of the delivery, and whether this attempt disabled the subscription. */
export type Stored = {
  readonly status: 'pending' | 'succeeded' | 'failed'
  /** Until the next attempt, in ms; null when there is none. */
  readonly waitMs: number | null
  readonly hasDisabled: boolean
}

/** Another transaction has locked the subscription. */
export type Locked = 'locked'

type State = SubscriptionRef & { health: Health; generation: number; readonly url: string; hasMoved: boolean }

/**
 * Stores outcomes in the given order. Returns the result of each. It waits for no subscription (noun.ts, "Locks"): outcomes of locked
 * subscriptions are not stored. @throws if PostgreSQL cannot be reached: then the deliveries are still due, and are sent again
 */
export async function storeOutcomes(pool: Pool, outcomes: readonly Outcome[]): Promise<readonly (Stored | Locked)[]> {
  return pool.transaction(async connection => {
    const { states, locked } = await lockStates(connection, outcomes)
    const disabled: State[] = []
    const stored = outcomes.map((outcome): Stored | Locked => {
      if (locked.has(outcome.subscriptionId)) return 'locked'
      const state = states.get(outcome.subscriptionId)
      const hasDisabled = state !== undefined && fold(state, outcome)
      if (hasDisabled) disabled.push({ ...state })
      return { ...becomes(outcome, state), hasDisabled }
    })
    const ends = outcomes.flatMap((outcome, at) => {
      const became = stored[at]
      return became === undefined || became === 'locked' ? [] : [{ outcome, became }]
    })
    if (ends.length > 0) await updateAll(connection, ends, [...states.values()])
    if (disabled.length > 0) await queueMails(connection, disabled.map(mailOf))
    return stored
  })
}

/**
 * Changes the health. Returns whether this attempt disabled the subscription. A failure does not count if its delivery was sent before the
 * subscription was last disabled: the subscription may have been enabled again since.
 */
function fold(state: State, { attempt, at, generation }: Outcome): boolean {
  if (!attempt.isSuccess && generation < state.generation) return false
  const before = state.health.status
  state.health = afterAttempt(state.health, { ...attempt, at })
  const isDisabled = before !== 'disabled' && state.health.status === 'disabled'
  // A disabled subscription still sends deliveries that its owner asked for. 410 ends these too.
  const isOver = isDisabled || isGone(attempt)
  if (isOver) state.generation += 1
  state.hasMoved ||= isOver
  return isDisabled
}

function becomes(
  { attempt, generation, roundAttempts, chance }: Outcome,
  state: State | undefined,
): Omit<Stored, 'hasDisabled'> {
  if (attempt.isSuccess) return { status: 'succeeded', waitMs: null }
  const isOver = state === undefined || state.generation !== generation || roundAttempts + 1 >= ATTEMPTS_MAX
  const waitMs = isOver ? null : waitAfter(roundAttempts + 1, chance, attempt.retryAfterMs)
  return { status: waitMs === null ? 'failed' : 'pending', waitMs }
}

const StateRow = v.object({
  tenant_id: v.string(),
  id: v.string(),
  url: v.string(),
  generation: v.number(),
  status: v.picklist(['active', 'failing', 'disabled']),
  consecutive_failures: v.number(),
  good_since: v.string(),
  last_delivery_at: v.nullable(v.string()),
  last_failure_at: v.nullable(v.string()),
  last_failure_reason: v.nullable(v.string()),
})

/** Locks the subscriptions that no other transaction has locked. `locked`: the others. Deleted subscriptions are in neither. */
async function lockStates(
  connection: Connection,
  outcomes: readonly Outcome[],
): Promise<{ readonly states: ReadonlyMap<string, State>; readonly locked: ReadonlySet<string> }> {
  const wanted = [...new Map(outcomes.map(outcome => [outcome.subscriptionId, outcome])).values()]
  const keys = wanted.map(({ tenantId, subscriptionId }) => ({ tenant_id: tenantId, id: subscriptionId }))
  const found = await connection.any(rows(StateRow)`
    select s.tenant_id::text as tenant_id, s.id::text as id, s.url, s.generation, s.status, s.consecutive_failures,
      iso(s.good_since) as good_since, iso(s.last_delivery_at) as last_delivery_at,
      iso(s.last_failure_at) as last_failure_at, s.last_failure_reason
    from (
      select tenant_id, id from jsonb_to_recordset(${jsonParameter(keys)}::jsonb) as asked(tenant_id bigint, id bigint)
      where ${withoutFlush}
      offset 0
    ) key
    cross join lateral (
      select * from webhook_subscriptions where tenant_id = key.tenant_id and id = key.id for no key update skip locked
    ) s`)
  const states = new Map(found.map(row => [row.id, stateOf(row)]))
  const left = keys.filter(({ id }) => !states.has(id))
  return { states, locked: left.length === 0 ? new Set() : await thoseThere(connection, left) }
}

async function thoseThere(connection: Connection, keys: readonly object[]): Promise<ReadonlySet<string>> {
  const found = await connection.any(rows(v.object({ id: v.string() }))`
    select s.id::text as id
    from jsonb_to_recordset(${jsonParameter(keys)}::jsonb) as asked(tenant_id bigint, id bigint)
    cross join lateral (
      select id from webhook_subscriptions where tenant_id = asked.tenant_id and id = asked.id limit 1
    ) s`)
  return new Set(found.map(({ id }) => id))
}

function stateOf(row: v.InferOutput<typeof StateRow>): State {
  const time = (text: string | null) => (text === null ? null : Date.parse(text))
  return {
    tenantId: row.tenant_id,
    subscriptionId: row.id,
    url: row.url,
    generation: row.generation,
    hasMoved: false,
    health: {
      status: row.status,
      consecutiveFailures: row.consecutive_failures,
      goodSince: Date.parse(row.good_since),
      lastDeliveryAt: time(row.last_delivery_at),
      lastFailureAt: time(row.last_failure_at),
      lastFailureReason: row.last_failure_reason,
    },
  }
}

/** Whether delivery `d` is still in the round of attempt `o`. If not, it was scheduled again after the attempt. */
const isSameRound = sql.fragment`(d.generation = o.generation and d.round_attempts = o.round_attempts)`
const decides = sql.fragment`(${isSameRound} or o.status = 'succeeded')`

const timeText = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/**
 * Writes deliveries and health. If a delivery was scheduled again meanwhile, a failure does not change the new schedule. A success ends the
 * delivery in any case.
 */
async function updateAll(
  connection: WritingConnection,
  ends: readonly { readonly outcome: Outcome; readonly became: Stored }[],
  states: readonly State[],
): Promise<void> {
  const deliveries = ends.map(({ outcome, became: { status, waitMs } }) => {
    return {
      tenant_id: outcome.tenantId,
      id: outcome.deliveryId,
      generation: outcome.generation,
      round_attempts: outcome.roundAttempts,
      status,
      response_status: outcome.attempt.responseStatus,
      duration_ms: outcome.attempt.durationMs,
      error: outcome.attempt.reason,
      next_attempt_at: waitMs === null ? null : timeText(outcome.at + waitMs),
      completed_at: status === 'pending' ? null : timeText(outcome.at),
    }
  })
  const subscriptions = states.map(({ tenantId, subscriptionId, health, generation, hasMoved }) => ({
    tenant_id: tenantId,
    id: subscriptionId,
    status: health.status,
    consecutive_failures: health.consecutiveFailures,
    good_since: timeText(health.goodSince),
    last_delivery_at: timeText(health.lastDeliveryAt),
    last_failure_at: timeText(health.lastFailureAt),
    last_failure_reason: health.lastFailureReason,
    generation,
    // PostgreSQL reads `now` as the transaction's time. Citus allows no clock function in a case expression.
    moved_at: hasMoved ? 'now' : null,
  }))
  await connection.query(statement`
    with ended as (
      update webhook_deliveries d
      set attempts = d.attempts + 1, response_status = o.response_status, duration_ms = o.duration_ms, error = o.error,
        round_attempts = case when ${isSameRound} then d.round_attempts + 1 else d.round_attempts end,
        status = case when ${decides} then o.status else d.status end,
        next_attempt_at = case when ${decides} then o.next_attempt_at else d.next_attempt_at end,
        completed_at = case when ${decides} then o.completed_at else d.completed_at end
      from jsonb_to_recordset(${jsonParameter(deliveries)}::jsonb) as o(
        tenant_id bigint, id bigint, generation int, round_attempts int, status text, response_status int, duration_ms int,
        error text, next_attempt_at timestamptz, completed_at timestamptz)
      where d.tenant_id = o.tenant_id and d.id = o.id and d.status <> 'succeeded'
    )
    update webhook_subscriptions s
    set status = o.status, enabled = o.status <> 'disabled', consecutive_failures = o.consecutive_failures,
      good_since = o.good_since, last_delivery_at = o.last_delivery_at, last_failure_at = o.last_failure_at,
      last_failure_reason = o.last_failure_reason, generation = o.generation,
      disabled_at = coalesce(o.moved_at, s.disabled_at)
    from jsonb_to_recordset(${jsonParameter(subscriptions)}::jsonb) as o(
      tenant_id bigint, id bigint, status text, consecutive_failures int, good_since timestamptz,
      last_delivery_at timestamptz, last_failure_at timestamptz, last_failure_reason text, generation int, moved_at timestamptz)
    where s.tenant_id = o.tenant_id and s.id = o.id`)
}

function mailOf({ tenantId, subscriptionId, url, generation, health }: State) {
  return {
    tenantId,
    cause: `webhook:${subscriptionId}:${generation}`,
    kind: 'webhook_disabled',
    facts: {
      subscription_id: subscriptionId,
      url,
      reason: health.lastFailureReason,
      last_delivery_at: timeText(health.lastDeliveryAt),
    },
  } as const
}
