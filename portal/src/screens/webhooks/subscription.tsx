/** A subscription: its health, its steps and its deliveries. */
import { Code, List } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Instant, quantityText, Status } from '../../format.tsx'
import { DetailPage, RecordPage } from '../../patterns/detail-page.tsx'
import type { WebhookSubscription } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { Deliveries } from './deliveries.tsx'
import { type Recovery, RecoveryProgress } from './recovery.tsx'
import { broken, WebhookSecret } from './shared.tsx'
import { SubscriptionSteps } from './steps.tsx'

const route = getRouteApi('/webhooks/$id')

/** Health changes without an event. */
const REFRESH_MS = 10_000

export function Subscription() {
  const api = useApi()
  const { id } = route.useParams()
  return (
    <DetailPage
      kind="Webhook subscription"
      name={['webhook-subscriptions', 'one', id]}
      refreshMs={REFRESH_MS}
      read={options => api.webhookSubscriptions.get(id, options)}
    >
      {subscription => <Shown key={subscription.id} subscription={subscription} />}
    </DetailPage>
  )
}

function Shown({ subscription }: { readonly subscription: WebhookSubscription }) {
  // An empty secret can no longer be shown.
  const [secret, setSecret] = useState<string | null | undefined>(undefined)
  const [recovery, setRecovery] = useState<Recovery | null>(null)
  const { id, url, events } = subscription
  return (
    <RecordPage
      title={subscription.description ?? 'Webhook subscription'}
      status={<Status code={subscription.status} />}
      steps={<SubscriptionSteps subscription={subscription} onSecret={setSecret} onRecovery={setRecovery} />}
      facts={[
        ['Sent to', broken(url)],
        ['Last success', <Instant key="success" at={subscription.last_delivery_at} />],
        ['Failures since', quantityText(subscription.consecutive_failures)],
        ['Last failure', subscription.last_failure_at && <Instant at={subscription.last_failure_at} />],
        ['Why it failed', subscription.last_failure_reason],
        ['Created', <Instant key="made" at={subscription.created_at} />],
        [
          'Events',
          events.includes('*') ? (
            'All kinds'
          ) : (
            <List key="events" size="sm" listStyleType="none">
              {events.map(kind => (
                <List.Item key={kind}>
                  <Code>{kind}</Code>
                </List.Item>
              ))}
            </List>
          ),
        ],
      ]}
    >
      {recovery && <RecoveryProgress id={id} recovery={recovery} />}
      <Deliveries subscriptionId={id} />
      {secret !== undefined && (
        <WebhookSecret title="The new secret" secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </RecordPage>
  )
}
