/** Decides on new and changed subscriptions, and on the secrets that sign. Pure (docs/rules/webhooks.md). */
import { invalid, type Refusal, refuse } from '../kit/api/errors.ts'
import { EVERY_KIND } from './event-kinds.ts'
import type { NewSubscription, Secret, Subscription, SubscriptionChange } from './noun.ts'

export type SubscriptionValues = Pick<Subscription, 'url' | 'description' | 'events' | 'enabled'>

/** The most secrets that sign at once. Each adds a signature to every request. */
export const SECRETS_MAX = 10

/** The compared fields of another subscription of the tenant. */
export type OtherSubscription = { readonly id: string; readonly url: string; readonly events: readonly string[] }

/**
 * Refuses `unprocessable` for too many subscriptions; `validation_failed` for kinds that contradict each other, and for kinds that another
 * subscription already sends to the same URL.
 */
export function decideNew(
  body: NewSubscription,
  others: readonly OtherSubscription[],
  { subscriptionsMax }: { readonly subscriptionsMax: number },
): SubscriptionValues | Refusal {
  const events = decideKinds(body.events)
  if ('refusal' in events) return events
  const values = { ...body, events: events.kinds }
  const same = sameAs(values, others)
  if (same) return same
  if (others.length >= subscriptionsMax)
    return refuse(
      'unprocessable',
      `there are ${others.length} webhook subscriptions, and at most ${subscriptionsMax} may be`,
    )
  return values
}

/**
 * The subscription after a change. `enabled: true` makes it active without failures; if it was off, it gets only events from now on.
 * `enabled: false` begins a new generation, so that pending deliveries are not sent. Refuses as `decideNew` does. Two subscriptions that
 * were equal before this rule existed stay, and their other fields may change.
 */
export function decideChange(
  current: Subscription,
  body: SubscriptionChange,
  {
    others,
    now,
    lastEventSequence,
  }: { readonly others: readonly OtherSubscription[]; readonly now: string; readonly lastEventSequence: string },
): Subscription | Refusal {
  const events = decideKinds(body.events ?? current.events)
  if ('refusal' in events) return events
  const target = { url: body.url ?? current.url, events: events.kinds }
  const same = targetOf(target) === targetOf(current) ? undefined : sameAs(target, others)
  if (same) return same
  const description = body.description === undefined ? current.description : body.description
  const changed = { ...current, url: target.url, description, events: events.kinds }
  if (body.enabled === undefined) return changed
  if (!body.enabled) return switchedOff(changed, now)
  const from_sequence = current.enabled ? current.from_sequence : Number(lastEventSequence)
  return { ...changed, enabled: true, status: 'active', consecutive_failures: 0, good_since: now, from_sequence }
}

const switchedOff = (current: Subscription, now: string): Subscription => ({
  ...current,
  enabled: false,
  status: 'disabled',
  generation: current.generation + 1,
  disabled_at: now,
})

/** The removed subscription: it is hidden and has no secrets. */
export const removed = (current: Subscription, now: string): Subscription => ({
  ...switchedOff(current, now),
  deleted_at: now,
  secrets: [],
})

/** Whether a secret signs at this time. */
export const isValid =
  (now: string) =>
  ({ expires_at }: Secret): boolean =>
    expires_at === null || expires_at > now

/** The earlier secrets that stay valid beside a new one. They end with the overlap or before. */
export function rotatedSecrets(
  secrets: readonly Secret[],
  { now, overlapSeconds }: { readonly now: string; readonly overlapSeconds: number },
): readonly Secret[] {
  if (overlapSeconds === 0) return []
  const end = new Date(Date.parse(now) + overlapSeconds * 1_000).toISOString()
  return secrets
    .filter(isValid(now))
    .map(secret => (secret.expires_at !== null && secret.expires_at <= end ? secret : { ...secret, expires_at: end }))
}

type Target = Pick<SubscriptionValues, 'url' | 'events'>

/** The text is equal for two subscriptions that send the same kinds to the same URL, however the URL is written. */
const targetOf = ({ url, events }: Target): string => [URL.parse(url)?.href ?? url, ...events.toSorted()].join(' ')

/** A second subscription with the same kinds and URL would send every event twice. */
function sameAs(target: Target, others: readonly OtherSubscription[]): Refusal | undefined {
  const same = others.find(other => targetOf(other) === targetOf(target))
  return same && invalid('url', `webhook subscription ${same.id} sends these events there already`)
}

function decideKinds(wanted: readonly string[]): { readonly kinds: readonly string[] } | Refusal {
  const kinds = [...new Set(wanted)]
  return kinds.length > 1 && kinds.includes(EVERY_KIND) ? invalid('events', 'must be "*" alone, or kinds') : { kinds }
}
