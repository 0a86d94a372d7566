/** The client as the portal uses it: this page's own server, numbers as texts. */
import { Millrace } from '@millrace/client'
import { type ExactApi, readJson, readVerbatim } from './exact.ts'

export const apiOf = (token: string): ExactApi =>
  new Millrace({ baseUrl: '', token, parse: readJson }) as unknown as ExactApi

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
