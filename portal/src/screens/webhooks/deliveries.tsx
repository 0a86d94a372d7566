/** The deliveries of a subscription, with their answers. */
import { Alert, Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core'
import { ApiError } from '@millrace/client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { minus } from '../../exact.ts'
import { Instant, quantityText, Status } from '../../format.tsx'
import { isShort, listQuery } from '../../lists.ts'
import { Step } from '../../patterns/action-form.tsx'
import { type Columns, column } from '../../patterns/columns.tsx'
import { Facts } from '../../patterns/detail-page.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { CodesFilter, useFilters } from '../../patterns/filters.tsx'
import { Empty, Records } from '../../patterns/list-page.tsx'
import type { WebhookDelivery as Delivery } from '../../records.ts'
import { useApi, useSession } from '../../session.tsx'
import { broken, JsonBlock } from './shared.tsx'

const route = getRouteApi('/webhooks/$id')

const STATUSES = ['pending', 'succeeded', 'failed'] as const
const REFRESH_MS = 5_000

/** A failed delivery that will be tried again is shown as failing, not as pending. */
const statusOf = ({ status, error }: Delivery): string => (status === 'pending' && error !== null ? 'failing' : status)

const columns: Columns<Delivery> = [
  column.shown('Event', ({ id, event_type }) => (
    <Link className="row-link" from="/webhooks/$id" search={of => ({ ...of, delivery: id })} resetScroll={false}>
      {event_type}
    </Link>
  )),
  column.status('Status', statusOf),
  column.figure('Sequence', ({ sequence }) => sequence, 'sm'),
  column.figure('Answer', ({ response_status }) => response_status, 'sm'),
  column.number('Attempts', ({ attempts }) => attempts, 'md'),
  column.figure('Took', delivery => durationText(delivery), 'md'),
  column.instant('Since', ({ created_at }) => created_at, 'sm'),
]

const durationText = ({ duration_ms }: Delivery): string =>
  duration_ms === null ? '–' : `${quantityText(duration_ms)} ms`

export function Deliveries({ subscriptionId }: { readonly subscriptionId: string }) {
  const api = useApi()
  const { search, filter } = useFilters(route)
  const navigate = route.useNavigate()
  const { delivery: lookedAt, ...filters } = search
  const listed = listQuery(['webhook-deliveries', subscriptionId], filters, (query, options) =>
    api.webhookSubscriptions.listDeliveries(subscriptionId, query, options),
  )
  const query = {
    ...listed,
    // Deliveries have no events, so the list is reloaded by time. A long list is not reloaded.
    refetchInterval: ({ state }: { state: { data: unknown } }) => isShort(state.data) && REFRESH_MS,
  }
  const { data } = useInfiniteQuery(query)
  const delivery = data?.pages.flatMap(page => page.data).find(({ id }) => id === lookedAt)
  const isFiltered = Object.values(filters).some(value => value !== undefined)
  return (
    <Stack gap="sm" component="section" aria-label="Deliveries">
      <Title order={2}>Deliveries</Title>
      <Records
        title="Deliveries"
        query={query}
        columns={columns}
        onClear={isFiltered ? () => navigate({ search: {}, resetScroll: false }) : undefined}
        whenEmpty="Nothing was sent yet. Send a test to see whether it arrives."
        filters={<CodesFilter label="Status" of={STATUSES} {...filter('status')} />}
      />
      <Modal
        opened={lookedAt !== undefined && data !== undefined}
        onClose={() => navigate({ search: before => ({ ...before, delivery: undefined }), resetScroll: false })}
        title={delivery?.event_type ?? 'Delivery'}
        size="xl"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {delivery ? (
          <Looked delivery={delivery} />
        ) : (
          <Empty>It is not among the deliveries that are read: load more of them, or take the filters away.</Empty>
        )}
      </Modal>
    </Stack>
  )
}

function Looked({ delivery }: { readonly delivery: Delivery }) {
  const api = useApi()
  return (
    <Stack>
      <Group justify="space-between">
        <Status code={statusOf(delivery)} />
        <Step
          scope="write:webhooks"
          label="Send again"
          explains="The same event with the same id and content is sent now, and tried again as often as a new one."
          send={(_, sending) => api.webhookDeliveries.redeliver(delivery.id, {}, sending)}
          done={() => 'It is sent again'}
        />
      </Group>
      {delivery.error !== null && (
        <Alert color="red" variant="outline" title="The last attempt failed">
          <Text size="sm">{delivery.error}</Text>
        </Alert>
      )}
      <Facts
        facts={[
          ['Answered with', delivery.response_status ?? 'no answer'],
          ['Took', durationText(delivery)],
          ['Attempts', quantityText(delivery.attempts)],
          ['Tried next', delivery.next_attempt_at && <Instant at={delivery.next_attempt_at} />],
          ['Created', <Instant key="made" at={delivery.created_at} />],
          ['Ended', delivery.completed_at && <Instant at={delivery.completed_at} />],
          ['Event id (webhook-id)', broken(delivery.event_id)],
        ]}
      />
      <Title order={3} size="h2">
        What was sent
      </Title>
      <Sent delivery={delivery} />
    </Stack>
  )
}

function Sent({ delivery: { event_id, sequence } }: { readonly delivery: Delivery }) {
  const { verbatim } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['events', 'one', event_id],
    enabled: sequence !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      // A sequence is a count. The client sends it as a plain number.
      const after_sequence = Number(minus(sequence ?? '1', '1'))
      try {
        const { data } = await verbatim.events.list({ after_sequence, limit: 1 }, { signal })
        return data.find(event => event.id === event_id) ?? null
      } catch (error) {
        // Events after this sequence are no longer kept.
        if (error instanceof ApiError && error.code === 'validation_failed') return null
        throw error
      }
    },
  })
  if (sequence === null)
    return <Text size="sm">A test event is not kept. Its data is the id of the subscription alone.</Text>
  if (error) return <Failure error={error} title="The event could not be read" onRetry={() => refetch()} />
  if (data === undefined) return <Skeleton h={160} />
  return data === null ? (
    <Text size="sm">The event is no longer kept: events are for 30 days.</Text>
  ) : (
    <JsonBlock label="What was sent" value={data} />
  )
}
