/** The steps of a subscription. */
import { Select, TextInput } from '@mantine/core'
import { ApiError, type UpdateWebhookSubscriptionBody } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ExactApi } from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import { type Sending, Step } from '../../patterns/action-form.tsx'
import type { WebhookSubscription as Subscription, WebhookDelivery } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { bodyOf, SubscriptionFields, type SubscriptionValues, subscriptionRules } from './fields.tsx'
import type { Recovery } from './recovery.tsx'

const SCOPE = 'write:webhooks'
const DAY_MS = 86_400_000
/** The longest time back that a recovery reaches. */
const REACH_DAYS = 14
const ATTEMPTS = 3

/** Seconds for which the earlier secret signs, too. */
const overlaps = [
  ...[
    { value: '0', label: 'At once' },
    { value: '3600', label: 'In an hour' },
  ],
  ...[
    { value: '86400', label: 'In a day' },
    { value: '604800', label: 'In a week' },
  ],
]

type Props = {
  readonly subscription: Subscription
  readonly onSecret: (secret: string | null) => void
  readonly onRecovery: (recovery: Recovery) => void
}

export function SubscriptionSteps({ subscription, onSecret, onRecovery }: Props) {
  const api = useApi()
  const navigate = useNavigate()
  const { id, url, enabled } = subscription
  const { data: failed } = useQuery({
    queryKey: ['webhook-deliveries', id, 'first-failed'],
    queryFn: async ({ signal }) =>
      (await api.webhookSubscriptions.listDeliveries(id, { status: 'failed', order: 'asc', limit: 1 }, { signal }))
        .data[0] ?? null,
  })
  const step = (label: string, past: string) => ({
    ...{ record: subscription, reread: () => api.webhookSubscriptions.get(id), scope: SCOPE },
    ...{ label, title: `${label} the subscription`, done: () => `The subscription is ${past}` },
  })
  const change = (body: UpdateWebhookSubscriptionBody, sending: Sending) =>
    asShown(api, id, sending, bindings => api.webhookSubscriptions.update(id, body, bindings))
  return (
    <>
      <Step
        scope={SCOPE}
        label="Send a test"
        submitLabel="Send"
        explains={`Sends a webhook.test event to ${url}, signed like every other.`}
        send={(_, sending) => api.webhookSubscriptions.test(id, {}, sending)}
        done={() => 'A test event is on its way: it stands first among the deliveries'}
      />
      <Step
        {...step('Edit', 'saved')}
        submitLabel="Save"
        initial={(): SubscriptionValues => ({
          url,
          description: subscription.description ?? '',
          isAll: subscription.events.includes('*'),
          events: subscription.events.filter(kind => kind !== '*'),
        })}
        validate={subscriptionRules}
        fields={form => <SubscriptionFields form={form} />}
        send={(values, sending) => change(bodyOf(values), sending)}
      />
      {enabled ? (
        <Step
          {...step('Disable', 'disabled')}
          explains={`Nothing more is sent. What happens meanwhile is kept for ${REACH_DAYS} days, and only a recovery sends it.`}
          send={(_, sending) => change({ enabled: false }, sending)}
        />
      ) : (
        <Step
          {...step('Enable', 'enabled')}
          button={{ variant: 'filled' }}
          explains="Events from now on are sent. What it missed is sent by a recovery."
          send={(_, sending) => change({ enabled: true }, sending)}
        />
      )}
      <Step
        scope={SCOPE}
        label="Recover"
        title="Send what was missed"
        submitLabel="Send"
        explains={`Every event from this time on that was not delivered is sent again, at most ${REACH_DAYS} days back.`}
        initial={() => ({ since: localTime(firstMissed(subscription, failed)) })}
        validate={{ since: value => (Number.isNaN(Date.parse(value)) ? 'a day and a time' : null) }}
        fields={form => <TextInput type="datetime-local" label="From" withAsterisk {...form.getInputProps('since')} />}
        send={async ({ since }, sending) => {
          const [last] = (await api.events.list({ order: 'desc', limit: 1 })).data
          const at = new Date(since).toISOString()
          const { count } = await api.webhookSubscriptions.recover(id, { since: at }, sending)
          return { count, since: at, upTo: last?.sequence ?? '0' }
        }}
        done={({ count }) => `${quantityText(count)} missed events are sent`}
        onDone={onRecovery}
      />
      <Step
        scope={SCOPE}
        label="Rotate secret"
        title="Rotate the secret"
        submitLabel="Rotate"
        explains="A new secret signs from now on. For the time that you choose requests carry the signatures of both."
        initial={() => ({ overlap: '86400' })}
        fields={form => (
          <Select
            label="The earlier secret ends"
            allowDeselect={false}
            data={overlaps}
            {...form.getInputProps('overlap')}
          />
        )}
        send={({ overlap }, sending) =>
          api.webhookSubscriptions.rotateSecret(id, { overlap_seconds: Number(overlap) }, sending)
        }
        done={() => 'The secret is rotated'}
        onDone={({ secret }) => onSecret(secret)}
      />
      <Step
        {...step('Delete', 'deleted')}
        explains="Nothing more is sent, and its deliveries go with it. This cannot be taken back."
        button={{ color: 'red', variant: 'outline' }}
        send={(_, sending) => asShown(api, id, sending, bindings => api.webhookSubscriptions.delete(id, bindings))}
        onDone={() => navigate({ to: '/webhooks' })}
      />
    </>
  )
}

/**
 * Depends on the settings as they were shown. Every delivery changes the record's health, and so its ETag, but changes of health do not
 * matter here.
 */
async function asShown<Answer>(
  api: ExactApi,
  id: string,
  sending: Sending,
  write: (sending: Sending) => Promise<Answer>,
): Promise<Answer> {
  const seen = sending.ifMatch as Subscription
  for (let attempt = 1; ; attempt++) {
    const now = await api.webhookSubscriptions.get(id)
    const isSame = settingsOf(now) === settingsOf(seen)
    try {
      return await write(isSame ? { ...sending, ifMatch: now } : sending)
    } catch (error) {
      const isOther = error instanceof ApiError && error.code === 'precondition_failed'
      if (!isOther || !isSame || attempt === ATTEMPTS) throw error
    }
  }
}

const settingsOf = ({ url, events, description, enabled }: Subscription): string =>
  JSON.stringify([url, events, description, enabled])

/** When the first delivery was missed. A later success may be a single redelivery. */
function firstMissed({ last_delivery_at }: Subscription, failed: WebhookDelivery | null | undefined) {
  const at = failed?.created_at
  return at !== undefined && (last_delivery_at === null || at < last_delivery_at) ? at : last_delivery_at
}

/** A time in the format of the browser's input. Without one, or if it is too long ago: a day ago. */
function localTime(timestamp: string | null): string {
  const earliest = Date.now() - (REACH_DAYS - 1) * DAY_MS
  const at = timestamp === null ? Number.NaN : Date.parse(timestamp)
  const time = at > earliest ? at : Date.now() - DAY_MS
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
