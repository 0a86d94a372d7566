/** The transport over HTTP: turns a method's arguments into a request and an answer into what the method promised. */
import type { Transport } from './endpoints.ts'
import { newKey } from './key.ts'
import { List, type Page } from './list.ts'
import type { ConditionalOptions, ReadOptions, StreamOptions } from './options.ts'
import { etagOf, type ResponseFacts, remember } from './response.ts'
import { type Answer, open, type Settings, send } from './send.ts'
import { follow } from './stream.ts'

export function httpTransport(settings: Settings): Transport {
  const read = async <T>(path: string, query: object, options?: ReadOptions): Promise<T> => {
    const request = { method: 'GET', path: `${path}${queryText(query)}`, headers: { accept: 'application/json' } }
    return answered(await send(settings, request, options))
  }
  return {
    read,
    list: <T>(path: string, query: object, options?: ReadOptions) =>
      new List<T>(cursor => read<Page<T>>(path, cursor === undefined ? query : { ...query, cursor }, options)),
    stream: <T>(
      path: string,
      { after_sequence, ...query }: { readonly after_sequence?: number | undefined },
      options: StreamOptions = {},
    ) =>
      follow<T>(
        {
          // Without a place to begin at, what happens before a second connection would be missed where the first told nothing.
          begin: async () => after_sequence ?? (await lastEvent(settings, options)),
          connect: (after, isFirst) => {
            const headers = { accept: 'text/event-stream', 'last-event-id': String(after) }
            const request = { method: 'GET', path: `${path}${queryText(query)}`, headers }
            return open(settings, request, { signal: options.signal, ...(isFirst ? {} : { maxRetries: 0 }) })
          },
          next: Object.values(query).some(value => value !== undefined)
            ? null
            : after => firstBehind(settings, after, options),
          parse: settings.parse,
        },
        options,
      ),
    write: async <T>(method: string, path: string, body: unknown, options: ConditionalOptions = {}): Promise<T> => {
      const { ifMatch, dryRun: isDryRun = false } = options
      // Without a key a service that knows no dry runs refuses the write.
      const idempotencyKey = isDryRun ? undefined : (options.idempotencyKey ?? newKey())
      const headers = {
        accept: 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(ifMatch === undefined ? {} : { 'if-match': etagOf(ifMatch) }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return answered(await send(settings, { method, path, headers, idempotencyKey, isDryRun, ...sent }, options))
    },
  }
}

async function lastEvent(settings: Settings, { signal }: ReadOptions): Promise<number> {
  const request = { method: 'GET', path: '/events?limit=1', headers: { accept: 'application/json' } }
  const { headers } = await send(settings, request, { signal })
  return Number(headers.get('event-sequence'))
}

async function firstBehind(settings: Settings, after: number, { signal }: ReadOptions): Promise<number | undefined> {
  const headers = { accept: 'application/json' }
  const request = { method: 'GET', path: `/events?after_sequence=${after}&limit=1`, headers }
  const { body } = await send({ ...settings, parse: JSON.parse }, request, { signal })
  return (body as Page<{ readonly sequence: number }>).data[0]?.sequence
}

function answered<T>({ status, headers, body }: Answer): T {
  const sequence = headers.get('event-sequence')
  const facts: ResponseFacts = {
    status,
    request_id: headers.get('x-request-id'),
    etag: headers.get('etag'),
    event_sequence: sequence === null ? null : Number(sequence),
    replayed: headers.get('idempotent-replayed') === 'true',
  }
  return remember(body as T, facts)
}

/** `?status=OPEN,DONE&limit=10`; what is undefined is left out. */
function queryText(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
