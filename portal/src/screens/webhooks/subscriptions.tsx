/** Who is told of events, and whether it arrives. */
import { PlusIcon } from '@radix-ui/react-icons'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { listQuery } from '../../lists.ts'
import { Step } from '../../patterns/action-form.tsx'
import { type Columns, column } from '../../patterns/columns.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { Small } from '../../patterns/small.tsx'
import type { WebhookSubscription } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { bodyOf, SubscriptionFields, type SubscriptionValues, subscriptionRules } from './fields.tsx'
import { Ways, WebhookSecret } from './shared.tsx'

const columns: Columns<WebhookSubscription> = [
  column.shown('Sent to', ({ id, url, description }) => (
    <>
      <PathLink to={`/webhooks/${id}`} className="row-link address">
        {url}
      </PathLink>
      {description !== null && <Small>{description}</Small>}
    </>
  )),
  column.status('Health', ({ status }) => status),
  column.shown('Events', ({ events }) => eventsText(events), 'sm'),
  column.instant('Last success', ({ last_delivery_at }) => last_delivery_at, 'md'),
  column.number('Failures since', ({ consecutive_failures }) => consecutive_failures, 'md'),
]

const eventsText = (events: readonly string[]): string =>
  events.includes('*') ? 'All' : events.length <= 2 ? events.join(', ') : `${events[0]} and ${events.length - 1} more`

/** Health changes without an event. */
const REFRESH_MS = 15_000

const route = getRouteApi('/webhooks')

export function Subscriptions() {
  const api = useApi()
  const navigate = useNavigate()
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string | null } | null>(null)
  const query = listQuery(['webhook-subscriptions'], route.useSearch(), (paged, options) =>
    api.webhookSubscriptions.list(paged, options),
  )
  return (
    <>
      <ListPage
        title="Webhooks"
        query={{ ...query, refetchInterval: REFRESH_MS }}
        columns={columns}
        actions={
          <>
            <Ways here="/webhooks" />
            <NewSubscription onMade={setMade} />
          </>
        }
        whenEmpty="Nobody is told of events yet. Make a subscription: its address gets every event of the kinds that it names, signed."
      />
      {made && (
        <WebhookSecret
          title="The subscription is made"
          secret={made.secret}
          onClose={() => {
            setMade(null)
            navigate({ to: '/webhooks/$id', params: { id: made.id } })
          }}
        />
      )}
    </>
  )
}

type Made = { readonly id: string; readonly secret: string | null }

function NewSubscription({ onMade }: { readonly onMade: (made: Made) => void }) {
  const api = useApi()
  return (
    <Step
      label="New subscription"
      submitLabel="Create"
      button={{ variant: 'filled', leftSection: <PlusIcon aria-hidden /> }}
      scope="write:webhooks"
      initial={(): SubscriptionValues => ({ url: '', description: '', isAll: true, events: [] })}
      validate={subscriptionRules}
      fields={form => <SubscriptionFields form={form} />}
      send={(values, sending) => api.webhookSubscriptions.create(bodyOf(values), sending)}
      done={({ url }) => `Events are sent to ${url}`}
      onDone={onMade}
    />
  )
}
