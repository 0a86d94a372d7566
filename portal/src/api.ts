/** The client as the portal uses it: this page's own server, numbers as texts, and whole names of goods. */
import { type BulkResult, type Entry, Millrace } from '@millrace/client'
import { type Exact, type ExactApi, readJson, readVerbatim } from './exact.ts'
import { type Key, type Namer, namedReader, namerOf } from './names.ts'

export const apiOf = (key: Key): ExactApi =>
  new Millrace({ baseUrl: '', token: key.token, parse: namedReader(key) }) as unknown as ExactApi

/** Answers of several writes that are done together or not at all. @throws ApiError the refusal of the one that cannot be done */
export type AllOrNone = <Answer>(
  entries: readonly Entry<Answer>[],
  options: { readonly dryRun?: boolean | undefined },
) => Promise<readonly Exact<Answer>[]>

/** Entries beside the one that was refused. */
const NOT_APPLIED = 424

export const allOrNoneOf =
  (key: Key): AllOrNone =>
  async (entries, options) => {
    const results = await new Millrace({ baseUrl: '', token: key.token, parse: namedReader(key) }).bulk(entries, {
      ...options,
      mode: 'all',
    })
    const refused = results.find(({ ok, status }) => !ok && status !== NOT_APPLIED)
    if (refused && !refused.ok) throw refused.error
    return results.flatMap(result => (result.ok ? [result.body as never] : []))
  }

/** What became of each of several writes. */
export type Each = <Answer>(entries: readonly Entry<Answer>[]) => Promise<readonly BulkResult<Answer>[]>

export const eachOf =
  (key: Key): Each =>
  entries =>
    new Millrace({ baseUrl: '', token: key.token, parse: namedReader(key) }).bulk(entries, { mode: 'each' })

/** Events with exact numbers, and what names the goods of those that are shown: a page has those of other records, too. */
export type Told = { readonly events: ExactApi['events']; readonly named: Namer }

export const toldOf = (key: Key): Told => ({
  events: new Millrace({ baseUrl: '', token: key.token, parse: readJson }).events as unknown as ExactApi['events'],
  named: namerOf(key),
})

/** What is shown as JSON: documents as they were written. */
export type VerbatimApi = Pick<Millrace, 'events' | 'webhookEventKinds'>

export const verbatimApiOf = (token: string): VerbatimApi => new Millrace({ baseUrl: '', token, parse: readVerbatim })

/** Every event after this one, as the service wrote it; does not end by itself. */
export const eventTexts = (
  token: string,
  query: { readonly after_sequence: number },
  signal: AbortSignal,
): AsyncIterable<string> =>
  new Millrace({ baseUrl: '', token, parse: text => text }).events.stream(query, {
    signal,
  }) as unknown as AsyncIterable<string>
