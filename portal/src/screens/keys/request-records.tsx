/** Writes with what became of each: of all keys, on a screen of their own, or of one. */
import { Code, Text } from '@mantine/core'
import type { Event as EventType } from '@millrace/client'
import type { Told } from '../../api.ts'
import { askedOf } from '../../filters.ts'
import { Status } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { nouns } from '../../nouns.ts'
import { ChangesList } from '../../patterns/changes-list.tsx'
import { type Columns, column } from '../../patterns/columns.tsx'
import { FilterInputs, here, useFilters } from '../../patterns/filters.tsx'
import { Person } from '../../patterns/history.tsx'
import { requestWords } from '../../patterns/in-words.ts'
import { ButtonLink, DocumentLink } from '../../patterns/links.tsx'
import { Records } from '../../patterns/list-page.tsx'
import { usePlaceTitle } from '../../patterns/places.tsx'
import { Screen } from '../../patterns/screen.tsx'
import { Small } from '../../patterns/small.tsx'
import { changesOf, kindOf, nameIn, recordOf, stepText } from '../../patterns/told.ts'
import type { Event, LoggedRequest } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { requestFilters } from './nouns.ts'

const toldText = (event: Event) => `${nounOf(event)?.one ?? kindOf(event)} ${nameIn(event)}: ${stepText(event)}`

const requestText = ({ method, path }: Done) =>
  method === null || path === null ? 'unknown' : requestWords(method, path)

/** Each record that the request changed, with its number and the old and new values. */
function What({ of }: { readonly of: Done }) {
  const placeTitle = usePlaceTitle()
  const { events } = of
  return (
    <>
      {events.length === 0 && <Text size="sm">{requestText(of)}</Text>}
      {events.map(event => (
        <Text key={event.id} size="sm" component="div">
          {nounOf(event)?.one}{' '}
          <DocumentLink inText kind={kindOf(event)} id={String(recordOf(event)['id'])}>
            {nameIn(event)}
          </DocumentLink>
          : {stepText(event).toLowerCase()}
          <ChangesList of={changesOf(event, placeTitle)} />
        </Text>
      ))}
    </>
  )
}

const columns: Columns<Done> = [
  column.instant('When', ({ created_at }) => created_at),
  column.shown('Who', ({ key_id, user_name }) => <Person name={user_name ?? `key ${key_id}`} keyId={key_id} />, {
    says: ({ key_id, user_name }) => user_name ?? `key ${key_id}`,
  }),
  column.shown('What', of => <What of={of} />, {
    says: of => of.events.map(toldText).join('; ') || requestText(of),
  }),
  column.shown(
    'Outcome',
    ({ outcome, status, error, message }) => (
      <>
        <Status code={outcome} />
        {error !== null && <Text size="xs">{`${status} ${error}`}</Text>}
        {message !== null && <Small>{message}</Small>}
      </>
    ),
    { says: ({ outcome, error }) => error ?? outcome },
  ),
  column.shown(
    'Request',
    ({ method, path, request_id, idempotency_key }) => (
      <Text size="xs" c="dimmed" component="div" className="address">
        <Code>
          {method} {path}
        </Code>
        <br />
        {request_id}
        <br />
        {idempotency_key}
      </Text>
    ),
    { visibleFrom: 'md', says: ({ request_id }) => request_id },
  ),
]

export const Requests = () => (
  <Screen title="Who did what" actions={<ButtonLink to="/keys">API keys</ButtonLink>}>
    <RequestRecords />
  </Screen>
)

/** @param keyId of one key; else of those that the address says. */
export function RequestRecords({ keyId }: { readonly keyId?: string }) {
  const { api, told, can } = useSession()
  const { search, filter, onClear } = useFilters(here)
  const { key_id: who, ...others } = requestFilters
  const asked = { ...askedOf(requestFilters, search), ...(keyId === undefined ? {} : { key_id: keyId }) }
  return (
    <Records
      title="Requests"
      query={listQuery(['requests'], asked, async (query, options) => {
        const page = await api.requests.list(query, options)
        const data = can('read:webhooks')
          ? await withEvents(page.data, told, options.signal)
          : page.data.map(request => ({ ...request, events: [] }))
        return { ...page, data }
      })}
      columns={columns}
      leads={false}
      onClear={onClear}
      whenEmpty="Nothing was written in the last 30 days."
      filters={<FilterInputs of={keyId === undefined ? { key_id: who, ...others } : others} filter={filter} />}
    />
  )
}

type Done = LoggedRequest & { readonly events: readonly Event[] }

/** What happened between two of them is read with them. */
const [PAGE_EVENTS, READS_MAX] = [100, 20]

/** Of records alone: what follows for stock is not told. */
const types = nouns.flatMap(({ kind, events = [] }) =>
  events.map(event => `${kind.toLowerCase()}.${event}`),
) as EventType['type'][]

/** Without events where they are not kept any more. */
async function withEvents(
  requests: readonly LoggedRequest[],
  { events, named }: Told,
  signal: AbortSignal,
): Promise<Done[]> {
  const found = new Map<string, Event[]>(requests.map(({ request_id }) => [request_id, []]))
  const first = (one: LoggedRequest) => BigInt(one.first_sequence ?? 0)
  let left = requests
    .filter(({ first_sequence }) => first_sequence !== null)
    .toSorted((one, other) => (first(one) < first(other) ? -1 : 1))
  for (let reads = 0; reads < READS_MAX && left[0]; reads++) {
    const query = { type: types, after_sequence: Number(first(left[0]) - 1n), limit: PAGE_EVENTS }
    const page = await events.list(query, { signal }).then(
      read => read,
      () => null,
    )
    if (page === null) break
    for (const event of page.data) found.get(event.actor?.request_id ?? '')?.push(event)
    const last = page.data.at(-1)?.sequence
    if (page.next_cursor === '' || last === undefined) break
    left = left.slice(1).filter(one => BigInt(one.last_sequence ?? 0) > BigInt(last))
  }
  const all = await named([...found.values()].flat())
  const of = Map.groupBy(all, ({ actor }) => actor?.request_id)
  return requests.map(request => ({ ...request, events: of.get(request.request_id) ?? [] }))
}

const nounOf = (event: Event) => nouns.find(({ kind }) => kind === kindOf(event))
