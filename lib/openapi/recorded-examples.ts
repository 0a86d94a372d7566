/**
 * The examples of the documentation: what the demo tenant was asked, answered and refused. `npm run examples` records them anew (test/contract/record-examples.ts);
 * nobody writes them by hand.
 */
import { readFileSync } from 'node:fs'

export type RecordedExample = {
  /** Of the record in the path. */
  readonly id?: string
  /** For the required parameters, as they are typed in a URL. */
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly reply?: unknown
}
export type RecordedError = { readonly error: string; readonly message: string; readonly request_id: string }

export type RecordedExamples = {
  /** By endpoint. */
  readonly endpoints: Readonly<Record<string, RecordedExample>>
  /** Bodies of events, by kind. */
  readonly events: Readonly<Record<string, unknown>>
  /** By code; those that nobody can provoke (500, 503) are not here. */
  readonly errors: Readonly<Record<string, RecordedError>>
}

export const recordedExamples: RecordedExamples = JSON.parse(
  readFileSync(new URL('./recorded-examples.json', import.meta.url), 'utf8'),
)
