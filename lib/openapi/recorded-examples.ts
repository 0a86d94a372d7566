/**
 * The examples of the documentation: recorded requests, answers and refusals of the demo tenant. `npm run examples` records them again
 * (test/contract/record-examples.ts); they are never edited by hand.
 */
import { readFileSync } from 'node:fs'

export type RecordedExample = {
  /** The id of the record in the path. */
  readonly id?: string
  /** The required parameters, as in a URL. */
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly reply?: unknown
}
export type RecordedError = { readonly error: string; readonly message: string; readonly request_id: string }

export type RecordedExamples = {
  /** The recorded examples by the ids of endpoints. */
  readonly endpoints: Readonly<Record<string, RecordedExample>>
  /** Bodies of events, by kind. */
  readonly events: Readonly<Record<string, unknown>>
  /** The recorded errors by code. Codes that a request cannot cause (500, 503) are missing. */
  readonly errors: Readonly<Record<string, RecordedError>>
}

export const recordedExamples: RecordedExamples = JSON.parse(
  readFileSync(new URL('./recorded-examples.json', import.meta.url), 'utf8'),
)
