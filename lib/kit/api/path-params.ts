/** The parameters of paths: ids, and the references by which records are found and put. */
import * as v from 'valibot'
import type { Params } from './endpoint.ts'
import { readInt64 } from './field-readers.ts'
import { identifier } from './fields.ts'

/** The only parameter that is no id. It is the last part of a path. */
export const REFERENCE = 'external_ref'

const reference = identifier()

/** Undefined for a text that no record can have. Clients remove `.` and `..` from paths, so these are no references. */
function readReference(text: string): string | undefined {
  const read = v.safeParse(reference, text)
  return read.success && !/^\.\.?$/.test(read.output as string) ? (read.output as string) : undefined
}

/** The parameters of a path. Undefined if one cannot name a record: then the path is unknown. */
export function readParams(given: Readonly<Record<string, string>>): Params | undefined {
  const read = Object.entries(given).map(
    ([name, text]) => [name, name === REFERENCE ? readReference(text) : readInt64(text)] as const,
  )
  return read.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(read) as Params)
}
