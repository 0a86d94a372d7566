/**
 * Decides on new and changed subscriptions. Pure: no I/O and no clock (contract 2, "Webhooks").
 */
import { invalid, type Refusal, refuse } from '../api/errors.ts'
import { EVERY_KIND } from './event-kinds.ts'
import type { NewSubscription, SubscriptionChange } from './schemas.ts'

export type SubscriptionValues = {
  readonly url: string
  readonly description: string | null
  readonly events: readonly string[]
  readonly enabled: boolean
}

export const SUBSCRIPTIONS_MAX = 1_000
/** Secrets that sign at once: each adds a signature to every request. */
export const SECRETS_MAX = 10

/** Refuses `unprocessable` beyond 1,000 subscriptions, `validation_failed` for kinds that contradict each other. */
export function decideNew(body: NewSubscription, count: number): SubscriptionValues | Refusal {
  if (count >= SUBSCRIPTIONS_MAX)
    return refuse('unprocessable', `there are ${SUBSCRIPTIONS_MAX} webhook subscriptions, which is the most`)
  const events = decideKinds(body.events)
  return 'refusal' in events ? events : { ...body, events: events.kinds }
}

/** What it is after the change, and whether it was switched (a body that says `enabled` switches, whatever it was). */
export function decideChange(
  current: SubscriptionValues,
  body: SubscriptionChange,
): (SubscriptionValues & { readonly switched: 'on' | 'off' | null }) | Refusal {
  const events = decideKinds(body.events ?? current.events)
  if ('refusal' in events) return events
  return {
    url: body.url ?? current.url,
    description: body.description === undefined ? current.description : body.description,
    events: events.kinds,
    enabled: body.enabled ?? current.enabled,
    switched: body.enabled === undefined ? null : body.enabled ? 'on' : 'off',
  }
}

function decideKinds(wanted: readonly string[]): { readonly kinds: readonly string[] } | Refusal {
  const kinds = [...new Set(wanted)]
  return kinds.length > 1 && kinds.includes(EVERY_KIND) ? invalid('events', 'must be "*" alone, or kinds') : { kinds }
}
