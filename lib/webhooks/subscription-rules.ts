/**
 * Decides on new and changed subscriptions. Pure: no I/O and no clock.
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

/** Secrets that sign at once: each adds a signature to every request. */
export const SECRETS_MAX = 10

/** A subscription that the tenant has, as far as another one meets it. */
export type OtherSubscription = { readonly id: string; readonly url: string; readonly events: readonly string[] }

/**
 * Refuses `unprocessable` beyond the bound, `validation_failed` for kinds that contradict each other, or that another
 * subscription sends to the same URL.
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
 * What it is after the change, and whether it was switched (a body that says `enabled` switches, whatever it was). Refuses as
 * `decideNew`; two that were equal before there was this rule stay, and may be changed otherwise.
 */
export function decideChange(
  current: SubscriptionValues,
  body: SubscriptionChange,
  others: readonly OtherSubscription[],
): (SubscriptionValues & { readonly switched: 'on' | 'off' | null }) | Refusal {
  const events = decideKinds(body.events ?? current.events)
  if ('refusal' in events) return events
  const target = { url: body.url ?? current.url, events: events.kinds }
  const same = targetOf(target) === targetOf(current) ? undefined : sameAs(target, others)
  if (same) return same
  return {
    url: target.url,
    description: body.description === undefined ? current.description : body.description,
    events: events.kinds,
    enabled: body.enabled ?? current.enabled,
    switched: body.enabled === undefined ? null : body.enabled ? 'on' : 'off',
  }
}

type Target = Pick<SubscriptionValues, 'url' | 'events'>

/** Equal for two that send the same kinds to the same URL, however both are written. */
const targetOf = ({ url, events }: Target): string => [URL.parse(url)?.href ?? url, ...events.toSorted()].join(' ')

/** A second one of the same kinds and URL would only send everything twice. */
function sameAs(target: Target, others: readonly OtherSubscription[]): Refusal | undefined {
  const same = others.find(other => targetOf(other) === targetOf(target))
  return same && invalid('url', `webhook subscription ${same.id} sends these events there already`)
}

function decideKinds(wanted: readonly string[]): { readonly kinds: readonly string[] } | Refusal {
  const kinds = [...new Set(wanted)]
  return kinds.length > 1 && kinds.includes(EVERY_KIND) ? invalid('events', 'must be "*" alone, or kinds') : { kinds }
}
