/** What requests did: the events of each, read with as few reads as their places in the feed allow. */
import type { Event as EventType } from '@millrace/client'
import type { Told } from '../../api.ts'
import { nouns } from '../../nouns.ts'
import { kindOf } from '../../patterns/told.ts'
import type { Event, LoggedRequest } from '../../records.ts'

export type Done = LoggedRequest & { readonly events: readonly Event[] }

/** What happened between two of them is read with them. */
const [PAGE_EVENTS, READS_MAX] = [100, 20]

/** Of records alone: what follows for stock is not told. */
const types = nouns.flatMap(({ kind, events = [] }) =>
  events.map(event => `${kind.toLowerCase()}.${event}`),
) as EventType['type'][]

/** Without events where they are not kept any more. */
export async function withEvents(
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

export const nounOf = (event: Event) => nouns.find(({ kind }) => kind === kindOf(event))
