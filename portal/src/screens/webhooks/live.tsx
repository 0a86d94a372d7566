/** Events as they happen. Paused, nothing is followed; going on begins where it was left, so that nothing is missed. */
import { Accordion, Badge, Button, Group, MultiSelect, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type Event, responseOf } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { countText, Instant } from '../../format.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { JsonBlock } from '../../patterns/json-block.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { codesOf, joined } from '../../search.ts'
import { useSession } from '../../session.tsx'
import { listScrolls, useKinds } from './kinds-query.ts'
import { Ways } from './ways.tsx'

const route = getRouteApi('/webhooks/live')

/** What happened before is shown, too; of more than can be looked at the last. */
const BEFORE = 50
const SHOWN_MAX = 500
/** Many events may come at once: so often they are drawn. */
const DRAW_MS = 250

/** A number of a document that is shown as it was written. */
const written = (value: unknown): string => JSON.stringify(value)

export function Live() {
  const kinds = useKinds()
  const { type } = route.useSearch()
  const navigate = route.useNavigate()
  const [isPaused, setPaused] = useState(false)
  const { events, error, retry } = useEvents(!isPaused)
  const types = codesOf(type)
  const shown = events?.filter(event => !types || types.includes(event.type))
  return (
    <Stack gap="md">
      <title>Live events · Millrace</title>
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={1}>Live events</Title>
          <Badge color={isPaused || error ? 'gray' : 'green'}>
            {error ? 'Ended' : isPaused ? 'Paused' : 'Following'}
          </Badge>
        </Group>
        <Group gap="xs">
          <Ways here="/webhooks/live" />
          <Button variant="filled" onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Go on' : 'Pause'}
          </Button>
        </Group>
      </Group>
      <Group>
        <MultiSelect
          label="Types"
          {...(types ? {} : { placeholder: 'All' })}
          w={{ base: '100%', sm: 420 }}
          searchable
          {...listScrolls}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear types' }}
          data={kinds.data?.map(({ kind }) => kind).filter(kind => kind !== 'webhook.test') ?? types ?? []}
          value={types ?? []}
          onChange={values => navigate({ search: { type: joined(values) }, replace: true })}
        />
      </Group>
      {error !== null && <Failure error={error} title="Events are not followed any more" onRetry={retry} />}
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
                {types
                  ? 'No event of these types yet: they show here as soon as they happen.'
                  : 'Nothing has happened yet: every write shows here as soon as it happens.'}
              </Empty>
            ) : (
              <Events events={shown} />
            )}
          </Paper>
        </>
      )}
    </Stack>
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

/** What an event is about, as a person would name it. */
function about(data: object): string {
  const named: Readonly<Record<string, unknown>> = { ...data }
  const name = named['number'] ?? named['title'] ?? named['sku']
  return typeof name === 'string' ? name : ''
}

type Followed = { readonly events: readonly Event[] | undefined; readonly error: unknown; readonly retry: () => void }

/** The newest first. */
function useEvents(isFollowing: boolean): Followed {
  const { verbatim } = useSession()
  const [events, setEvents] = useState<readonly Event[]>()
  const [error, setError] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  /** The last sequence that was told, as the client takes it. */
  const last = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: trying again begins anew.
  useEffect(() => {
    if (!isFollowing) return
    const controller = new AbortController()
    const { signal } = controller
    let waiting: Event[] = []
    const draw = () => {
      if (waiting.length === 0) return
      const come = waiting.toReversed()
      waiting = []
      setEvents((before = []) => [...come, ...before].slice(0, SHOWN_MAX))
    }
    const timer = setInterval(draw, DRAW_MS)
    const follow = async () => {
      if (last.current === null) {
        const page = await verbatim.events.list({ order: 'desc', limit: BEFORE }, { signal })
        setEvents(page.data)
        last.current = responseOf(page)?.event_sequence ?? 0
      }
      for await (const event of verbatim.events.stream({ after_sequence: last.current }, { signal })) {
        waiting.push(event)
        last.current = Number(written(event.sequence))
      }
    }
    setError(null)
    follow().catch(reason => {
      if (!signal.aborted) setError(reason)
    })
    return () => {
      controller.abort()
      clearInterval(timer)
      draw()
    }
  }, [verbatim, isFollowing, tries])
  return { events, error, retry: () => setTries(tries + 1) }
}
