/**
 * Commands on webhook subscriptions: create, change, remove, rotate the secret (docs/rules/webhooks.md). A secret is shown once, in the
 * answer that made it.
 */
import type * as v from 'valibot'
import { isRefusal, refuse } from '../kit/api/errors.ts'
import { type Choices, list, oneOf, withEntry } from '../kit/api/fields.ts'
import { explained, named } from '../kit/api/reply-fields.ts'
import { acts, changes } from '../kit/documents/acts.ts'
import type { Deciding } from '../kit/documents/command.ts'
import { creates } from '../kit/documents/creates.ts'
import type { Need } from '../kit/documents/needs.ts'
import { question } from '../kit/documents/question.ts'
import { replyOf } from '../kit/documents/reply.ts'
import type { Work } from '../kit/documents/work.ts'
import { text, whole } from '../kit/fields/kinds.ts'
import { checkTarget } from './check-target.ts'
import { EVERY_KIND } from './event-kinds.ts'
import { type Secret, Subscription } from './noun.ts'
import { relayPart } from './relay-part.ts'
import { newSecret, secretOwner, secretText } from './signature.ts'
import {
  decideChange,
  decideNew,
  isValid,
  type OtherSubscription,
  removed,
  rotatedSecrets,
  SECRETS_MAX,
} from './subscription-rules.ts'

const OVERLAP_S_DEFAULT = 86_400
const OVERLAP_S_MAX = 30 * 86_400

const URL_RULES =
  '`url` is public `https` without credentials; loopback, private, link-local, metadata, mapped and translated addresses are ' +
  'refused in any notation, here and again for every address that its name has when something is sent. A name that does ' +
  'not resolve yet is accepted. Operators may allow networks, or some ports of them, by a setting, there `http` too.'

const SAME_RULE =
  'A second subscription of the same kinds to the same URL, also beside a disabled one, is 400 and named.'

const secret = text().words('`whsec_...`, shown once: null in a replay').orNull()
const SubscriptionWithSecret = named(
  'WebhookSubscriptionWithSecret',
  replyOf({ fields: { ...Subscription.fields, secret } }),
)
const RotatedSecret = named('WebhookSecret', replyOf({ fields: { id: Subscription.fields.id, secret } }))

const subscriptions = question({
  name: 'webhook subscriptions',
  keys: {},
  sql: `
    select id, url, to_json(events)::text as events from webhook_subscriptions
    where tenant_id = $1::bigint and deleted_at is null
    order by id`,
  read: rows =>
    rows.map(
      ({ id, url, events }): OtherSubscription => ({
        id: id ?? '',
        url: url ?? '',
        events: JSON.parse(events ?? '[]') as string[],
      }),
    ),
  reads: [Subscription.table],
})

/** The tenant's other subscriptions; none are loaded for a command that does not compare them. */
const others = (than: { readonly id: string | undefined } | null): Need<readonly OtherSubscription[]> => ({
  ask: (load, tenantId) => than !== null && subscriptions.ask(load, tenantId, {}),
  see: work => (than === null ? [] : work.answer(subscriptions, {}).filter(({ id }) => id !== than.id)),
})

/** The body, whose `events` must be these kinds or `*`. */
const ofKinds =
  (kinds: Choices) =>
  <B>(body: v.GenericSchema<unknown, B>): v.GenericSchema<unknown, B> =>
    withEntry(
      body,
      'events',
      explained(
        list(oneOf({ ...kinds, [EVERY_KIND]: 'All kinds, also those that come later.' }), { min: 1, max: 100 }),
        'the kinds that are sent, or `["*"]` for all of them, also those that come later',
      ),
    )

/** Makes a subscription for the events after this command. Refuses as `decideNew` does. */
export const createSubscription = (kinds: Choices) =>
  creates(Subscription, {
    bodyOf: ofKinds(kinds),
    description:
      `It gets the events of writes that commit after its creation. ${URL_RULES} ${SAME_RULE} A tenant has at most 100 ` +
      'subscriptions (an operator may set it): the next one is 422. The secret signs every request ' +
      '(Standard Webhooks) and is shown once: a replay has `null`. A caller who lost the first answer rotates the secret.',
    example: { url: 'https://example.com/hooks/millrace', events: ['sales_order.created', 'stock.changed'] },
    refusals: ['unprocessable'],
    reply: SubscriptionWithSecret,
    showsSecret: true,
    check: (settings, body) => checkTarget(settings, body.url),
    ids: () => 2,
    needs: () => ({ others: others({ id: undefined }) }),
    decide: (body, facts, { now, settings, work, lastEventSequence }) => {
      const values = decideNew(body, facts.others, { subscriptionsMax: settings.webhookSubscriptionsMax })
      if (isRefusal(values)) return values
      const id = work.newId()
      const { shown, line } = makeSecret(work, settings, id)
      const subscription = work.make(Subscription, {
        ...values,
        id,
        status: values.enabled ? 'active' : 'disabled',
        consecutive_failures: 0,
        created_at: now,
        last_delivery_at: null,
        last_failure_at: null,
        last_failure_reason: null,
        from_sequence: Number(lastEventSequence),
        generation: 1,
        disabled_at: values.enabled ? null : now,
        good_since: now,
        deleted_at: null,
        secrets: [line],
      })
      work.part(relayPart).begin(lastEventSequence)
      const open = work.render(Subscription, subscription).replace(/}$/, '')
      return {
        body: `${open},"secret":${JSON.stringify(shown)}}`,
        recordedBody: `${open},"secret":null}`,
        events: [],
      }
    },
  })

/** Refuses as `decideChange` does. */
export const changeSubscription = (kinds: Choices) =>
  changes(Subscription, {
    bodyOf: ofKinds(kinds),
    description:
      '`enabled: false` disables it: nothing more is sent, what waits included; what is on its way may still arrive. ' +
      '`enabled: true` makes it active with 0 failures; what it missed meanwhile is sent only by recovering it. ' +
      `${URL_RULES} ${SAME_RULE}`,
    example: { events: ['*'], description: 'Everything, for the data warehouse' },
    check: (settings, body) => checkTarget(settings, body.url),
    more: ({ record, body }) => ({
      others: others(body.url === undefined && body.events === undefined ? null : record),
    }),
    decide: ({ record: before, body }, facts, { now, work, lastEventSequence }) => {
      const after = decideChange(before, body, { others: facts.others, now, lastEventSequence })
      if (isRefusal(after)) return after
      return { body: work.render(Subscription, work.change(Subscription, after)), events: [] }
    },
  })

/** Removes a subscription. Housekeeping removes its deliveries later. */
export const removeSubscription = acts(Subscription, 'delete', {
  method: 'DELETE',
  path: '/webhook-subscriptions/{id}',
  scope: 'write:webhooks',
  summary: 'Delete a webhook subscription',
  description: 'Nothing more is sent, but what is on its way may still arrive; its deliveries go with it.',
  success: 204,
  decide: ({ record: before }, _, { now, work }) => {
    work.change(Subscription, removed(before, now))
    work.part(relayPart).endRecovery(before.id)
    return { body: null, events: [] }
  },
})

/** Makes a new secret. The earlier secrets also sign until the overlap ends. Refuses `unprocessable` beyond 10 secrets. */
export const rotateSecret = acts(Subscription, 'rotate', {
  id: 'rotateWebhookSecret',
  path: '/webhook-subscriptions/{id}/rotate-secret',
  scope: 'write:webhooks',
  summary: 'Rotate the signing secret',
  description:
    'Until `overlap_seconds` are over, requests carry a signature of each valid secret. With 0 the earlier secrets end at ' +
    'once; only what is on its way is still signed with them. At most 10 secrets are valid together.',
  body: {
    overlap_seconds: whole(0, OVERLAP_S_MAX).words('how long the earlier secrets sign too').default(OVERLAP_S_DEFAULT),
  },
  example: { overlap_seconds: 3600 },
  refusals: ['unprocessable'],
  reply: RotatedSecret,
  showsSecret: true,
  takesIfMatch: false,
  ids: () => 1,
  decide: ({ record: before, body }, _, { now, settings, work }) => {
    const { length } = before.secrets.filter(isValid(now))
    if (length >= SECRETS_MAX && body.overlap_seconds > 0)
      return refuse(
        'unprocessable',
        `${length} secrets are valid already; wait for one to end, or use overlap_seconds 0`,
      )
    const { shown, line } = makeSecret(work, settings, before.id)
    const earlier = rotatedSecrets(before.secrets, { now, overlapSeconds: body.overlap_seconds })
    work.change(Subscription, { ...before, secrets: [...earlier, line] })
    return {
      body: JSON.stringify({ id: before.id, secret: shown }),
      recordedBody: JSON.stringify({ id: before.id, secret: null }),
      events: [],
    }
  },
})

function makeSecret(work: Work, { secrets }: Deciding['settings'], subscriptionId: string) {
  const made = newSecret()
  const sealed = secrets.seal(made, secretOwner(work.tenant.id, subscriptionId)).toString('hex')
  const line: Secret = { id: work.newId(), sealed, created_at: work.now, expires_at: null }
  return { shown: secretText(made), line }
}
