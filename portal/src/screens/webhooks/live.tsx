/** Events as they happen. A pause keeps them, and going on shows them, so none is missed. */

import { Accordion, Badge, Button, Group, MultiSelect, Paper, Skeleton, Text } from '@mantine/core'
import type { Event } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { readVerbatim } from '../../exact.ts'
import { countText, Instant } from '../../format.tsx'
import { useLive } from '../../live.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { Screen } from '../../patterns/screen.tsx'
import { codesOf, joined } from '../../search.ts'
import { useSession } from '../../session.tsx'
import { JsonBlock, listScrolls, useKinds, Ways } from './shared.tsx'

const route = getRouteApi('/webhooks/live')

/** Events before the screen was opened are shown too. Of too many only the last ones are. */
const BEFORE = 50
const SHOWN_MAX = 500
/** Many events may come at once, so they are drawn at this interval. */
const DRAW_MS = 250

/** A number of a document, exactly as the service wrote it. */
const written = (value: unknown): string => JSON.stringify(value)

export function Live() {
  const kinds = useKinds()
  const { type } = route.useSearch()
  const navigate = route.useNavigate()
  const [isPaused, setPaused] = useState(false)
  const { isOpen } = useLive()
  const { events, error, retry } = useEvents(isPaused)
  const types = codesOf(type)
  const shown = events?.filter(event => types.length === 0 || types.includes(event.type))
  return (
    <Screen
      title="Live events"
      status={
        <Badge color={isOpen && !isPaused ? 'green' : 'gray'}>
          {isPaused ? 'Paused' : isOpen ? 'Following' : 'Not connected'}
        </Badge>
      }
      actions={
        <>
          <Ways here="/webhooks/live" />
          <Button variant="filled" onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Go on' : 'Pause'}
          </Button>
        </>
      }
    >
      <Group>
        <MultiSelect
          label="Types"
          {...(types.length > 0 ? {} : { placeholder: 'All' })}
          w={{ base: '100%', sm: 420 }}
          searchable
          {...listScrolls}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear types' }}
          data={kinds.data?.map(({ kind }) => kind).filter(kind => kind !== 'webhook.test') ?? types}
          value={types}
          onChange={values => navigate({ search: { type: joined(values) }, replace: true })}
        />
      </Group>
      {error !== null && <Failure error={error} title="The events could not be read" onRetry={retry} />}
      {shown === undefined ? (
        error === null && <Skeleton h={240} />
      ) : (
        <>
          <Text size="sm" c="dimmed" role="status">
            {countText(shown.length)} events, the newest first
          </Text>
          <Paper withBorder>
            {shown.length === 0 ? (
              <Empty>
                {types.length > 0
                  ? 'No event of these types yet: they show here as soon as they happen.'
                  : 'Nothing has happened yet: every write shows here as soon as it happens.'}
              </Empty>
            ) : (
              <Events events={shown} />
            )}
          </Paper>
        </>
      )}
    </Screen>
  )
}

function Events({ events }: { readonly events: readonly Event[] }) {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <Accordion value={open} onChange={setOpen} transitionDuration={0}>
      {events.map(event => (
        <Accordion.Item key={event.id} value={event.id}>
          <Accordion.Control>
            <Group gap="sm" justify="space-between" pr="sm">
              <Text size="sm">
                <Text span size="sm" fw={500}>
                  {event.type}
                </Text>{' '}
                {about(event.data)}
              </Text>
              <Text size="xs" c="dimmed" className="numbers">
                {event.actor?.user_name && `${event.actor.user_name} · `}
                {written(event.sequence)} · <Instant at={event.timestamp} />
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            {open === event.id && <JsonBlock label={`Event ${written(event.sequence)}`} value={event} />}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

/** The name of an event's record. A return is in a field beside its lines. */
function about(data: object): string {
  const { sales_return, number, title, sku }: Readonly<Record<string, unknown>> = { ...data }
  const name = number ?? title ?? sku
  if (typeof sales_return === 'object' && sales_return !== null) return about(sales_return)
  return typeof name === 'string' ? name : ''
}

/** The newest events first: those before this screen was opened, and those since. */
function useEvents(isPaused: boolean) {
  const { verbatim } = useSession()
  const { begun, subscribe } = useLive()
  const [come, setCome] = useState<readonly Event[]>([])
  const waiting = useRef<readonly Event[]>([])
  const before = useQuery({
    queryKey: ['last-events'],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      await begun
      return (await verbatim.events.list({ order: 'desc', limit: BEFORE }, { signal })).data
    },
  })
  useEffect(
    () =>
      subscribe(text => {
        waiting.current = [readVerbatim(text) as Event, ...waiting.current].slice(0, SHOWN_MAX)
      }),
    [subscribe],
  )
  useEffect(() => {
    if (isPaused) return
    const timer = setInterval(() => {
      if (waiting.current.length === 0) return
      const drawn = waiting.current
      waiting.current = []
      setCome(shown => [...drawn, ...shown].slice(0, SHOWN_MAX))
    }, DRAW_MS)
    return () => clearInterval(timer)
  }, [isPaused])
  const events = useMemo(() => {
    const ids = new Set(come.map(({ id }) => id))
    return before.data && [...come, ...before.data.filter(({ id }) => !ids.has(id))].slice(0, SHOWN_MAX)
  }, [come, before.data])
  return { events, error: before.error, retry: () => before.refetch() }
}
