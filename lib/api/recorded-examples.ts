/**
 * The examples of the documentation: what the demo tenant was asked and answered, by endpoint. `npm run examples` records
 * them anew (test/contract/record-examples.ts); nobody writes them by hand.
 */
import { readFileSync } from 'node:fs'

export type RecordedExample = {
  /** Of the record in the path. */
  readonly id?: string
  readonly body?: unknown
  readonly reply?: unknown
}
export type RecordedExamples = Readonly<Record<string, RecordedExample>>

export const recordedExamples: RecordedExamples = JSON.parse(
  readFileSync(new URL('./recorded-examples.json', import.meta.url), 'utf8'),
)
