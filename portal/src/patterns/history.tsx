/** Every step of a record: when, who, and from what to what. Its documents tell it for good, its events for 30 days. */
import { Button, Group, Text, Timeline } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Told } from '../api.ts'
import type { Filters } from '../filters.ts'
import { Instant } from '../format.tsx'
import { idOf, type Noun } from '../noun.ts'
import type { Event } from '../records.ts'
import { useSession } from '../session.tsx'
import { ChangesList } from './changes-list.tsx'
import type { Difference } from './differences.ts'
import { Failure } from './failure.tsx'
import { Lacks } from './lacking.tsx'
import { PathLink } from './links.tsx'
import { type PlaceTitleOf, usePlaceTitle } from './places.tsx'
import { Section } from './section.tsx'
import { changesOf, recordOf, stepOf, stepText } from './told.ts'

const SCOPE = 'read:webhooks'
/** Events of all records of the kind are read, the newest first: this many at once, and at most this many requests per step back. */
const [PAGE_EVENTS, READS_MAX] = [100, 10]

type Props<One extends object, Has extends Filters> = {
  readonly of: Noun<One, Has>
  readonly one: One
  readonly happenings: readonly Happening[]
}

export function History<One extends object, Has extends Filters>({ of: noun, one, happenings }: Props<One, Has>) {
  const { told, can } = useSession()
  const placeTitle = usePlaceTitle()
  const id = idOf(noun, one)
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [noun.resource, 'history', id],
    queryFn: ({ pageParam, signal }) => readBack(told, noun, id, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next || undefined,
    enabled: can(SCOPE) && noun.events.length > 0,
  })
  const events = data?.pages.flatMap(page => page.events) ?? []
  const steps = withEvents([...ofRecord(one), ...happenings], events, placeTitle)
  if (steps.length === 0 && !hasNextPage) return null
  return (
    <EventTimeline happenings={steps}>
      {error && <Failure error={error} title="Its changes could not be read" onRetry={() => refetch()} />}
      {!can(SCOPE) && <Lacks scope={SCOPE} />}
      {hasNextPage && (
        <>
          <Text size="xs" c="dimmed">
            Changes before <Instant at={data?.pages.at(-1)?.until ?? null} /> are not shown.
          </Text>
          <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Look further back
          </Button>
        </>
      )}
    </EventTimeline>
  )
}

type Recorded = {
  readonly created_at?: string
  readonly created_by_user_name?: string | null
  readonly reversed_at?: string | null
  readonly reversed_by_user_name?: string | null
  readonly reversal_reason?: string | null
}

/** The steps that a record itself shows. */
function ofRecord(one: Recorded): readonly Happening[] {
  const { created_at, created_by_user_name: by = null, reversed_at, reversed_by_user_name, reversal_reason } = one
  return [
    ...(created_at === undefined ? [] : [{ key: 'created', at: created_at, title: 'Created', by }]),
    ...(reversed_at == null
      ? []
      : [
          {
            ...{ key: 'reversed', at: reversed_at, title: 'Reversed', text: reversal_reason },
            by: reversed_by_user_name ?? null,
          },
        ]),
  ]
}

type Read = { readonly events: readonly Event[]; readonly next: string; readonly until: string | null }

/** The events of the record, back to the first page with one. The first step back is one request: most events are among the last ones. */
async function readBack(
  { events, named }: Told,
  { kind, events: steps }: Pick<Noun<object, never>, 'kind' | 'events'>,
  id: string,
  cursor: string,
  signal: AbortSignal,
): Promise<Read> {
  const type = steps.map(step => `${kind.toLowerCase()}.${step}`) as Event['type'][]
  const found: Event[] = []
  let next = cursor
  let until: string | null = null
  for (let reads = 0; reads < (cursor === '' ? 1 : READS_MAX) && found.length === 0; reads++) {
    const page = await events.list({ type, order: 'desc', limit: PAGE_EVENTS, cursor: next || undefined }, { signal })
    found.push(...page.data.filter(event => recordOf(event)['id'] === id))
    until = page.data.at(-1)?.timestamp ?? until
    next = found.some(event => stepOf(event) === 'created') ? '' : page.next_cursor
    if (next === '') break
  }
  return { events: await named(found), next, until }
}

/** Each event beside what the record tells of the same step; the others by themselves. */
function withEvents(happenings: readonly Happening[], events: readonly Event[], placeTitle: PlaceTitleOf): Happening[] {
  const left = [...events]
  const told = happenings.map(one => {
    const of = ({ timestamp }: Event) => timestamp === one.at
    const event = events.find(of) ?? events.find(event => stepOf(event) === one.key)
    if (!event) return one
    const at = left.indexOf(event)
    const changes = at === -1 ? [] : changesOf(event, placeTitle)
    if (at !== -1) left.splice(at, 1)
    return { ...one, ...whoDid(event), by: one.by ?? whoDid(event).by, at: event.timestamp, changes }
  })
  return [
    ...told,
    ...left.map(event => ({
      ...{ key: event.id, at: event.timestamp, title: stepText(event), ...whoDid(event) },
      changes: changesOf(event, placeTitle),
    })),
  ]
}

/** Without an actor the service itself did it. */
const whoDid = ({ actor }: Event) => ({
  by: actor == null ? 'the service' : (actor.user_name ?? `key ${actor.key_id}`),
  keyId: actor?.key_id,
})

export type Happening = {
  /** Of what happens once, as its event calls it: `created`. */
  readonly key: string
  readonly at: string
  readonly title: string
  readonly text?: ReactNode
  readonly by?: string | null
  /** The key by which it was done: it leads to what else was done. */
  readonly keyId?: string | undefined
  readonly changes?: readonly Difference[]
}

type Booked = {
  readonly id: string
  readonly number: string
  readonly reversed_at: string | null
  readonly reversed_by_user_name: string | null
  readonly reversal_reason: string | null
}

/** Of a document of a record: that it was reversed, where it was. */
export const reversalOf = (of: Booked): readonly Happening[] =>
  of.reversed_at === null
    ? []
    : [
        {
          ...{ key: `reversal ${of.id}`, at: of.reversed_at, title: `${of.number} was reversed` },
          ...{ text: of.reversal_reason, by: of.reversed_by_user_name },
        },
      ]

type TimelineProps = { readonly happenings: readonly Happening[]; readonly children?: ReactNode }

/** Oldest first. */
function EventTimeline({ happenings, children }: TimelineProps) {
  const sorted = happenings.toSorted((one, other) => one.at.localeCompare(other.at))
  return (
    <Section title="What happened">
      <Timeline bulletSize={12} lineWidth={2} active={sorted.length} p="md" pt="sm">
        {sorted.map(({ key, at, title, text, by = null, keyId, changes = [] }) => (
          <Timeline.Item key={key} title={title}>
            {text && <Text size="sm">{text}</Text>}
            <ChangesList of={changes} />
            <Text size="sm" c="dimmed">
              <Instant at={at} />
              {by !== null && (
                <>
                  , <Person name={by} keyId={keyId} />
                </>
              )}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      {children && (
        <Group gap="sm" px="md" pb="sm">
          {children}
        </Group>
      )}
    </Section>
  )
}

/** Who did it. The name leads to what this key did, for a key that may see it. */
export function Person({ name, keyId }: { readonly name: string; readonly keyId: string | undefined }) {
  const { can } = useSession()
  return keyId !== undefined && can('read:requests') ? (
    <PathLink inText to="/requests" search={{ key_id: keyId }}>
      {name}
    </PathLink>
  ) : (
    name
  )
}
