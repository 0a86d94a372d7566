/** Who is told of events, and whether it arrives. */
import { Text } from '@mantine/core'
import type { WebhookSubscription } from '@millrace/client'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Exact } from '../../exact.ts'
import { Instant, quantityText, Status } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { columnsOf } from '../../patterns/data-table.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { useApi } from '../../session.tsx'
import { eventsText } from './events-text.ts'
import { NewSubscription } from './new-subscription.tsx'
import { SecretDialog } from './secret.tsx'
import { Ways } from './ways.tsx'

const column = columnsOf<Exact<WebhookSubscription>>()
const columns = column.columns([
  column.accessor('url', {
    header: 'Sent to',
    cell: ({ row: { original } }) => (
      <>
        <Link className="row-link address" to="/webhooks/$id" params={{ id: original.id }}>
          {original.url}
        </Link>
        {original.description !== null && (
          <Text size="xs" c="dimmed">
            {original.description}
          </Text>
        )}
      </>
    ),
  }),
  column.accessor('status', { header: 'Health', cell: ({ getValue }) => <Status code={getValue()} /> }),
  column.accessor('events', {
    header: 'Events',
    cell: ({ getValue }) => eventsText(getValue()),
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor('last_delivery_at', {
    header: 'Last success',
    cell: ({ getValue }) => <Instant at={getValue()} />,
    meta: { visibleFrom: 'md' },
  }),
  column.accessor('consecutive_failures', {
    header: 'Failures since',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right', visibleFrom: 'md' },
  }),
])

/** Health changes without an event. */
const REFRESH_MS = 15_000

export function Subscriptions() {
  const api = useApi()
  const navigate = useNavigate()
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string | null } | null>(null)
  const query = listQuery(['webhook-subscriptions'], {}, (paged, options) =>
    api.webhookSubscriptions.list({ ...paged, order: 'desc' }, options),
  )
  return (
    <>
      <ListPage
        title="Webhooks"
        query={{ ...query, refetchInterval: REFRESH_MS }}
        columns={columns}
        rowId={({ id }) => id}
        actions={
          <>
            <Ways here="/webhooks" />
            <NewSubscription onMade={setMade} />
          </>
        }
        whenEmpty="Nobody is told of events yet. Make a subscription: its address gets every event of the kinds that it names, signed."
      />
      {made && (
        <SecretDialog
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
