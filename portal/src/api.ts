/** The client of the portal: it calls this page's own server, reads numbers as texts, and gives goods their whole names. */
import { type BulkResult, type Entry, Millrace } from '@millrace/client'
import { type Exact, type ExactApi, readJson, readVerbatim } from './exact.ts'
import { type Key, type Namer, namedReader, namerOf } from './names.ts'

const clientOf = (token: string, parse: (text: string) => unknown) => new Millrace({ baseUrl: '', token, parse })

export const apiOf = (key: Key) => clientOf(key.token, namedReader(key)) as unknown as ExactApi

/** Events with exact numbers, and a function that names the goods of the shown events. A page of events also has those of other records. */
export type Told = { readonly events: ExactApi['events']; readonly named: Namer }

/** Entries beside the one that was refused. */
const NOT_APPLIED = 424

/** What a session asks with its key, and how it reads the answers. */
export const clientsOf = (key: Key) => ({
  api: apiOf(key),
  /** Answers of several writes that are done together or not at all. @throws ApiError the refusal of the one that cannot be done */
  allOrNone: async <Answer>(
    entries: readonly Entry<Answer>[],
    options: { readonly dryRun?: boolean | undefined },
  ): Promise<readonly Exact<Answer>[]> => {
    const results = await clientOf(key.token, namedReader(key)).bulk(entries, { ...options, mode: 'all' })
    const refused = results.find(({ ok, status }) => !ok && status !== NOT_APPLIED)
    if (refused && !refused.ok) throw refused.error
    return results.flatMap(result => (result.ok ? [result.body as never] : []))
  },
  /** What became of each of several writes. */
  each: <Answer>(entries: readonly Entry<Answer>[]): Promise<readonly BulkResult<Answer>[]> =>
    clientOf(key.token, namedReader(key)).bulk(entries, { mode: 'each' }),
  told: {
    events: clientOf(key.token, readJson).events as unknown as ExactApi['events'],
    named: namerOf(key),
  } satisfies Told,
  /** What is shown as JSON: documents as they were written. */
  verbatim: clientOf(key.token, readVerbatim) as Pick<Millrace, 'events' | 'webhookEventKinds'>,
})

/** Every event after this one, as the service wrote it; does not end by itself. */
export const eventTexts = (token: string, query: { readonly after_sequence: number }, signal: AbortSignal) =>
  clientOf(token, text => text).events.stream(query, { signal }) as unknown as AsyncIterable<string>
